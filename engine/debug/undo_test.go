package debug_test

import (
	"errors"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
)

// Undo takes back what was given by hand, the newest first: one that began a fork leads to the fork before, another one
// to a new fork without it. Nothing is lost: the forks that had them stay.
func TestUndo(t *testing.T) {
	bare := session(t, twice, debug.Options{})
	s := debug.New(bare.Machine(), debug.Options{Input: value.Must(`{}`),
		Source: fixtures.OnMissing(nil, fixtures.Ask)})
	if _, err := s.Forks().Undo(); !errors.Is(err, debug.ErrNothingToUndo) {
		t.Fatalf("at the beginning: %v", err)
	}
	answer := func(output string) {
		t.Helper()
		reach(t, s, debug.StoppedForAnswer)
		if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Must(output)}); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(kind string, fork, position int) {
		t.Helper()
		undone, err := s.Forks().Undo()
		if err != nil || undone.String() != kind {
			t.Fatalf("undone %v, %v; want %s", undone, err, kind)
		}
		for _, f := range s.Forks().All() {
			if f.Current && f.ID != fork {
				t.Errorf("in what-if %d, want %d", f.ID, fork)
			}
		}
		if s.Position() != position {
			t.Errorf("at event %d, want %d", s.Position(), position)
		}
	}
	answer("1")
	answer("2")
	reach(t, s, debug.StoppedForAnswer) // C asks
	second := 0                         // the number of events when B was answered
	for i := range s.Inputs().Len() {
		second = int(s.Inputs().At(i).After)
	}
	if _, err := s.Back(debug.Command{Kind: debug.RunTo, Target: "B"}); err != nil {
		t.Fatal(err)
	}
	edited := s.Position()
	if err := s.Interventions().Edit(0, value.Must(`{"mine":true}`)); err != nil {
		t.Fatal(err)
	}
	undo("edit", 1, edited) // the fork that began with it is left
	undo("answer", 3, second)
	if len(s.Requests()) != 1 || s.Requests()[0].Visit.State.Name != "B" {
		t.Errorf("B does not ask again: %v", s.Requests())
	}
	answer("4")
	answer("5")
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd ||
		!value.Equal(s.Output(), value.Must(`{"a":1,"b":4,"c":5}`)) {
		t.Errorf("%v with %s", stop.Reason, value.Compact(s.Output()))
	}
	undone, err := s.Forks().Undo()
	if err != nil || undone.From != 3 {
		t.Fatal(undone, err)
	}
	if n := len(s.Forks().All()); n != 4 {
		t.Errorf("%d what-ifs, want 4", n)
	}
	for range 2 { // B and A
		if _, err := s.Forks().Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Forks().Undo(); !errors.Is(err, debug.ErrNothingToUndo) {
		t.Errorf("after all: %v", err)
	}
	reach(t, s, debug.StoppedForAnswer)
	if s.Requests()[0].Visit.State.Name != "A" {
		t.Error("A does not ask again")
	}
	s.MakeReadOnly()
	if _, err := s.Forks().Undo(); !errors.Is(err, debug.ErrReadOnly) {
		t.Errorf("of a recorded run: %v", err)
	}
}
