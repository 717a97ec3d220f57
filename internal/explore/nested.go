package explore

import (
	"context"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/suiterun"
)

// callNested runs a base once with the executions of other definitions that its fixtures start, and keeps the outcomes
// of its tasks: runs with faults start no executions. Nothing outside is called. What cannot be run has no outcome.
func (s *setting) callNested(ctx context.Context, m *suiterun.Machine) error {
	spec := launch.Spec{
		Definition: m.Definition, Dialect: m.Dialect, Limits: m.Limits, Fixtures: launch.Fixtures{File: s.file}, Missing: fixtures.Ask,
		Input: launch.Input{Value: s.input}, Start: s.options.Start, Now: func() time.Time { return start }, Seed: &s.options.Seed,
		Permit: func(*fixtures.File, *fixtures.Source) (fixtures.Permission, error) { return fixtures.Permission{}, nil },
	}
	run, err := launch.New(spec)
	if err != nil {
		_ = run.Close() // the run is incomplete
		return err
	}
	defer run.Close()
	session := run.Session
	if err := session.Begin(debug.Command{Kind: debug.Continue, Events: maxEvents}); err != nil {
		return err
	}
	for carryOn(ctx, run) {
	}
	s.called = map[*asl.State][]engine.Outcome{}
	requests := session.Log().Requests()
	for i := range session.Inputs().Len() {
		in := session.Inputs().At(i)
		if request := requests[in.Request]; in.Kind == runlog.InputOutcome && request != nil {
			s.called[request.Visit.State] = append(s.called[request.Visit.State], in.Outcome)
		}
	}
	return ctx.Err()
}

// budget is the number of steps of the engine between two looks at the context.
const budget = 4096

// carryOn carries a run a stretch further. It reports whether it continues.
func carryOn(ctx context.Context, run *launch.Run) bool {
	switch run.Session.Advance(budget).Reason {
	case debug.StillRunning:
		return ctx.Err() == nil
	case debug.StoppedForCall:
		if run.Calls.Wait(ctx) != nil {
			return false
		}
		delivered, err := run.Calls.Deliver(run.Session)
		return err == nil && delivered > 0
	default:
		return false
	}
}
