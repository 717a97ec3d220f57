package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// leafPaths returns the paths of the scalars in a value.
func leafPaths(v value.Value, at string, found []string) []string {
	switch c := v.(type) {
	case *value.Object:
		for name, member := range c.All() {
			found = leafPaths(member, at+path.Member(name), found)
		}
	case *value.Array:
		for i, item := range c.All() {
			found = leafPaths(item, fmt.Sprintf("%s[%d]", at, i), found)
		}
	default:
		return append(found, at)
	}
	return found
}

// oneRelation says which origin of a value of a run's output has no way forward to it.
func oneRelation(s *debug.Session) (checked int, wrong string) {
	log := s.Log()
	end := log.Len() - 1
	if log.At(end).Type != engine.ExecutionSucceeded {
		return 0, ""
	}
	lens := provenance.LensOf(s)
	lens.Limit = -1
	for _, leaf := range leafPaths(log.At(end).After, "$", nil) {
		back, err := lens.Back(end, leaf)
		if err != nil {
			return checked, leaf + ": " + err.Error()
		}
		for _, n := range back.All() {
			if n.Kind != provenance.Input && n.Kind != provenance.Result && n.Kind != provenance.Object && n.Kind != provenance.Error {
				continue
			}
			forward, err := lens.Forward(n.Event, n.To)
			if err != nil {
				return checked, n.To + ": " + err.Error()
			}
			checked++
			if !leadsTo(forward, leaf) {
				return checked, fmt.Sprintf("%s is of %s of event %d, which has no way forward to it", leaf, n.To, n.Event)
			}
		}
	}
	return checked, ""
}

// leadsTo reports whether a way forward ends at a place of the output, or around or in it.
func leadsTo(way *provenance.Way, leaf string) bool {
	for _, n := range way.All() {
		if n.Kind == provenance.Output && (strings.HasPrefix(n.To, leaf) || strings.HasPrefix(leaf, n.To)) {
			return true
		}
	}
	return way.Cut
}

func answers(outcomes runs.Outcomes) sourcetest.Func {
	return func(r *engine.TaskRequest) outcome.Reply { return outcome.Given(outcomes(r), "test") }
}

// Back and Forward are one relation: what a value of the output came from has a way forward to it. The runs between them
// have every kind of event, and are of Chain's random machines.
func TestBackAndForwardAreOneRelation(t *testing.T) {
	checked := 0
	for _, c := range runs.Cases() {
		source := answers(c.Tasks())
		s := debug.New(runs.Machine(c.Definition), debug.Options{Input: value.Must(c.Input), Source: source})
		reach(t, s, debug.StoppedAtEnd)
		n, wrong := oneRelation(s)
		if checked += n; wrong != "" {
			t.Errorf("%s: %s", c.Name, wrong)
		}
	}
	if checked < 20 {
		t.Errorf("only %d origins were followed", checked)
	}
	rapid.Check(t, func(rt *rapid.T) {
		names := 0
		text := strings.ReplaceAll(runs.Chain(rt, 2, &names), `"ResultPath":null`, `"ResultPath":"$.r"`)
		source := answers(runs.Fail(nil))
		s := debug.New(runs.Machine(text), debug.Options{Input: value.Must(runs.ChainInput), Source: source})
		if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
			rt.Fatal(err)
		}
		if _, wrong := oneRelation(s); wrong != "" {
			rt.Fatal(text, wrong)
		}
	})
}

// TestBackAndForwardOfRecordedRuns: the same of executions that were recorded on AWS.
func TestBackAndForwardOfRecordedRuns(t *testing.T) {
	checked := 0
	for _, corpus := range []string{runs.Recorded, runs.Measured} {
		for _, c := range runs.LoadFrom(t, corpus) {
			parsed, _ := asl.Parse(&source.File{Name: c.Name, Data: c.Definition})
			if parsed == nil || c.Input == nil {
				continue
			}
			machine, err := engine.Compile(parsed, engine.AWS)
			if err != nil {
				continue
			}
			s := debug.New(machine, debug.Options{Input: c.Input, Context: c.Context, Source: c.Tasks()})
			if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
				continue
			}
			n, wrong := oneRelation(s)
			if checked += n; wrong != "" {
				t.Errorf("%s: %s", c.Name, wrong)
			}
		}
	}
	if t.Logf("%d origins", checked); checked < 1000 {
		t.Errorf("only %d origins were followed", checked)
	}
}
