package sessions

import (
	"context"

	"asldb/internal/cli/command"
	"asldb/internal/explore"
	"asldb/internal/suiterun"
	"asldb/tui/view/findings"
)

// explorer returns the exploration of the definition of a run, with its fixtures and its input; without them these are made up.
func explorer(b *Run) findings.Find {
	machine, spec := b.Session.Machine(), b.Spec
	m := &suiterun.Machine{Definition: spec.Definition, Dialect: spec.Dialect, Limits: b.Session.Options().Limits}
	m.Definition.Machine, m.Definition.Compiled = machine.Definition(), machine
	given := explore.Given{File: spec.Fixtures.File, Input: spec.Input.Value}
	if given.Input == nil && (b.Recorded != nil || b.Replay != nil) {
		given.Input = b.Session.Options().Input
	}
	given.Written = given.File != nil && spec.Fixtures.Case == "" && command.IsFixtures(spec.Fixtures.Name)
	return func(ctx context.Context, progress func(done, planned int)) (*explore.Result, error) {
		return explore.Explore(ctx, explore.Options{
			Machine: m, Given: []explore.Given{given}, Runs: explore.DefaultRuns, Progress: progress,
			Announce: func(p explore.Plan) { progress(0, p.Runs) },
		})
	}
}
