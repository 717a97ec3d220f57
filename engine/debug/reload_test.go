package debug_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

const quoteText = `{"StartAt": "Quote", "States": {
  "Quote": {"Type": "Task", "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:quote", "Next": "Bill"},
  "Bill": {"Type": "Pass", "Parameters": {"amount.$": "$.totl"}, "End": true}}}`

// quoted returns a session whose only answer was typed, at its failure.
func quoted(t *testing.T) *debug.Session {
	t.Helper()
	s := debug.New(redriveMachine(t, quoteText, engine.AWS), debug.Options{Input: value.Must(`{}`)})
	if stop := runToEnd(t, s); stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("stops with %+v", stop)
	}
	if err := s.Interventions().Answer(s.Requests()[0].ID,
		engine.Outcome{Output: value.Must(`{"total": 4242}`)}); err != nil {
		t.Fatal(err)
	}
	if runToEnd(t, s); s.Status() != engine.Failed {
		t.Fatalf("the run is %v", s.Status())
	}
	return s
}

func reload(t *testing.T, s *debug.Session, text string) *debug.Reloaded {
	t.Helper()
	r, err := s.Reload(debug.Reloading{Machine: redriveMachine(t, text, engine.AWS), Cause: "edited definition"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A definition that was mended runs with the answer that was typed before; the first difference is where the text
// differs.
func TestReload(t *testing.T) {
	s := quoted(t)
	r := reload(t, s, strings.Replace(quoteText, "$.totl", "$.total", 1))
	if got := value.Compact(s.Output()); s.Status() != engine.Succeeded || got != `{"amount":4242}` {
		t.Fatalf("%v %s", s.Status(), got)
	}
	before, now, at, ok := r.First(s)
	if !ok || before == nil || now == nil || now.Visit.State.Name != "Bill" || now != s.Log().At(at) ||
		before.Failure() == nil {
		t.Errorf("the first difference is %v, %v, %v", before, now, ok)
	}
	if r.ByHand != 1 || fmt.Sprint(r.Kept) != "[Quote]" || len(r.Unused) != 0 || r.SameText {
		t.Errorf("%+v", r)
	}
	if list := s.Forks().All(); len(list) != 2 || list[0].Status != engine.Failed ||
		list[1].Cause != "edited definition" {
		t.Errorf("the forks are %+v", list)
	}
	// Undo goes back to the run before, whose text is its own.
	if u, err := s.Forks().Undo(); err != nil || !u.Reload || s.Status() != engine.Failed {
		t.Errorf("undone: %v, %v, %v", u, err, s.Status())
	}
}

// A text without change runs again with the answers; a restart asks anew.
func TestReloadOfTheSameText(t *testing.T) {
	s := quoted(t)
	r := reload(t, s, quoteText)
	if _, _, _, differs := r.First(s); differs || !r.SameText || s.Status() != engine.Failed || r.ByHand != 1 {
		t.Errorf("%+v, %v", r, s.Status())
	}
	if _, err := s.Reload(debug.Reloading{Machine: s.Machine(), AtStart: true}); err != nil || s.Position() != 0 {
		t.Errorf("%v, at event %d", err, s.Position())
	}
	if runToEnd(t, s); s.Status() != engine.Failed {
		t.Errorf("with the kept answers the run is %v", s.Status())
	}
	s.Restart()
	if stop := runToEnd(t, s); stop.Reason != debug.StoppedForAnswer {
		t.Errorf("a restart does not ask anew: %+v", stop)
	}
}

// A run that stood inside goes to that place, and one at its start stays there; a task without an answer asks.
func TestReloadPlaces(t *testing.T) {
	s := quoted(t)
	for s.Log().At(s.Position()-1).Type != engine.TaskSucceeded {
		if _, err := s.Back(debug.Command{Kind: debug.StepStage}); err != nil {
			t.Fatal(err)
		}
	}
	reload(t, s, strings.Replace(quoteText, "$.totl", "$.total", 1))
	if last := s.Log().At(s.Position() - 1); last.Type != engine.TaskSucceeded || last.Visit.State.Name != "Quote" {
		t.Errorf("the run is at %v of %v", last.Type, last.Visit)
	}
	s = quoted(t)
	s.GoTo(0)
	if reload(t, s, quoteText); s.Position() != 0 || s.Log().Len() != 0 {
		t.Errorf("the run is at %d of %d", s.Position(), s.Log().Len())
	}
	s = quoted(t)
	more := strings.Replace(quoteText, `"Bill": {"Type": "Pass", "Parameters": {"amount.$": "$.totl"}, "End": true}`,
		`"Bill": {"Type": "Task", "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:bill", "End": true}`,
		1)
	if reload(t, s, more); s.Stop().Reason != debug.StoppedForAnswer || s.Requests()[0].Visit.State.Name != "Bill" {
		t.Errorf("stops with %+v", s.Stop())
	}
}

// The answer of a state that was renamed goes along; one that nothing asks for is told.
func TestReloadOfRenamedStates(t *testing.T) {
	s := quoted(t)
	r := reload(t, s, strings.NewReplacer(`"Quote"`, `"GetQuote"`, "$.totl", "$.total").Replace(quoteText))
	if s.Status() != engine.Succeeded || r.Renamed["Quote"] != "GetQuote" {
		t.Errorf("%v, %+v", s.Status(), r)
	}
	s = quoted(t)
	r = reload(t, s, `{"StartAt": "Only", "States": {"Only": {"Type": "Pass", "End": true}}}`)
	if s.Status() != engine.Succeeded || len(r.Unused) != 1 || r.ByHand != 0 {
		t.Errorf("%v, %+v", s.Status(), r)
	}
}

// With fixtures that were read again, typed answers are kept and all others come from them.
func TestReloadWithAnotherSource(t *testing.T) {
	text := strings.Replace(quoteText, "$.totl", "$.total", 1)
	s := debug.New(redriveMachine(t, text, engine.AWS), debug.Options{Input: value.Must(`{}`),
		Source: answering{"quote": {`{"total": 1}`}}.source()})
	runToEnd(t, s)
	if _, err := s.Reload(debug.Reloading{Machine: s.Machine(), Source: answering{"quote": {`{"total": 2}`}}.source(),
		Cause: "fixtures"}); err != nil {
		t.Fatal(err)
	}
	if got := value.Compact(s.Output()); got != `{"amount":2}` {
		t.Errorf("the output is %s", got)
	}
	s = quoted(t)
	if _, err := s.Reload(debug.Reloading{Machine: redriveMachine(t, text, engine.AWS),
		Source: answering{"quote": {`{"total": 2}`}}.source(), Cause: "fixtures"}); err != nil {
		t.Fatal(err)
	}
	if got := value.Compact(s.Output()); got != `{"amount":4242}` {
		t.Errorf("the output is %s", got)
	}
}

// A run that has not begun takes another input, and is the same fork; one that has begun, or is traced, does not.
func TestSetInput(t *testing.T) {
	machine := runs.Machine(`{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`)
	s := debug.New(machine, debug.Options{Input: value.Must(`{}`)})
	if err := s.SetInput(value.Must(`{"n":1}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		t.Fatal(err)
	}
	if got := value.Compact(s.Output()); got != `{"n":1}` || len(s.Forks().All()) != 1 {
		t.Errorf("the run gives %s, of %d forks", got, len(s.Forks().All()))
	}
	if err := s.SetInput(value.Must(`2`)); !errors.Is(err, debug.ErrBegun) {
		t.Errorf("a run that has begun: %v", err)
	}
}
