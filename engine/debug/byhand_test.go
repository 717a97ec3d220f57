package debug_test

import (
	"fmt"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
)

// What a person did to a run can be listed as fixtures have it.
func TestByHand(t *testing.T) {
	s := session(t, order, debug.Options{})
	do(t, s, debug.StepState)
	if err := s.Interventions().Edit(0, value.Must(`{"total":500,"lines":[]}`)); err != nil {
		t.Fatal(err)
	}
	do(t, s, debug.Continue)
	if err := s.Interventions().Inject(0, "Card.Timeout", "by hand"); err != nil {
		t.Fatal(err)
	}
	do(t, s, debug.Continue)
	if err := s.Interventions().Answer(s.Requests()[0].ID, engine.Outcome{Output: value.Must(`{"id":7}`)}); err != nil {
		t.Fatal(err)
	}
	do(t, s, debug.Continue)
	var got []string
	for _, h := range s.Origins().Interventions() {
		line := fmt.Sprintf("%v %s", h.Kind, h.Visit.Path())
		if h.Invocation > 0 {
			line += fmt.Sprint(" ", h.Invocation)
		}
		switch {
		case h.Data != nil:
			line += " " + h.Stage.String() + " " + value.Compact(h.Data)
		case h.Outcome.Output != nil:
			line += " " + value.Compact(h.Outcome.Output)
		default:
			line += " " + h.Outcome.Error
		}
		got = append(got, line)
	}
	want := `[edit Check input {"total":500,"lines":[]} inject Charge 1 Card.Timeout outcome Charge 2 {"id":7}]`
	if fmt.Sprint(got) != want {
		t.Errorf("by hand\n     %v\nwant %s", got, want)
	}
	var marked []string
	for i := range s.Log().Len() {
		if kind, by := s.Origins().ByHand(i); by {
			marked = append(marked, fmt.Sprint(kind, " ", s.Log().At(i).Type))
		}
	}
	if got, want := fmt.Sprint(marked), "[edit DataEdited inject TaskFailed outcome TaskSucceeded]"; got != want {
		t.Errorf("marked %s, want %s", got, want)
	}
	s.Restart()
	if len(s.Origins().Interventions()) != 0 {
		t.Error("a restart forgets nothing")
	}
}
