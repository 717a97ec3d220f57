package debug_test

import (
	"testing"

	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/definitions"
)

// The projection equals the execution at every position of the demo.
func TestProjectionOfTheDemo(t *testing.T) {
	file, err := fixtures.Load(definitions.FixturesName, definitions.Fixtures)
	if err != nil {
		t.Fatal(err)
	}
	machine := session(t, string(definitions.DemoDefinition), debug.Options{}).Machine()
	bound, err := file.Source(machine.Definition())
	if err != nil {
		t.Fatal(err)
	}
	s := debug.New(machine, debug.Options{Input: file.Input, Source: fixtures.OnMissing(bound, fixtures.Ask)})
	do(t, s, debug.Continue)
	if !s.Status().Done() {
		t.Fatalf("it stopped with %+v", s.Stop())
	}
	for n := 0; n <= s.Log().Len(); n++ {
		s.GoTo(n)
		if differs := s.ProjectionDiffers(); differs != "" {
			t.Errorf("position %d: %s", s.Position(), differs)
		}
	}
}
