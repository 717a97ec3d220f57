package explain_test

import (
	"slices"
	"testing"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// labelled writes paragraphs with their labels, in plain text.
func labelled(t explain.Text) []string {
	return value.Each(t, func(each explain.Paragraph) string {
		return each.Label + ": " + explain.Plain(40).Spans(each.Spans)
	})
}

func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

// The attempts of a task before the present one, and the catcher that takes the last error.
func TestAttempts(t *testing.T) {
	s := open(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","Retry":[
		{"ErrorEquals":["Busy"],"MaxAttempts":3}],
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"E"}],"End":true},"E":{"Type":"Pass","End":true}}}`, `{}`)
	play(t, s, failed("Busy", "no line"), failed("Busy", "no line"), failed("Gone", ""))
	same(t, "before the first request", labelled(explain.Attempts(s, find(t, s, "T", "StateEntered"))), nil)
	same(t, "at the third request", labelled(explain.Attempts(s, find(t, s, "T", "TaskScheduled"))),
		[]string{"attempts 1, 2: Busy, twice; waited 1s, 2s"})
	same(t, "at the catcher", labelled(explain.Attempts(s, find(t, s, "T", "ErrorCaught"))),
		[]string{"attempts 1, 2: Busy, twice; waited 1s, 2s", "caught: Gone by catcher 1 -> E"})
	same(t, "in another state", labelled(explain.Attempts(s, find(t, s, "E", "StateEntered"))), nil)
	same(t, "of the execution", labelled(explain.Attempts(s, 0)), nil)
}

// The branches of a Parallel state and the iterations of a Map: their numbers, then those under way before those that
// are over.
func TestInside(t *testing.T) {
	s := open(t, `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.l","MaxConcurrency":2,
		"ItemProcessor":{"StartAt":"P","States":{
		"P":{"Type":"Pass","Next":"Q"},"Q":{"Type":"Pass","End":true}}},"Next":"B"},
		"B":{"Type":"Parallel","Branches":[{"StartAt":"X","States":{"X":{"Type":"Wait","Seconds":5,"End":true}}},
			{"StartAt":"Y","States":{"Y":{"Type":"Pass","End":true}}}],"End":true}}}`, `{"l":[1,2,3]}`)
	play(t, s)
	var table runlog.Iterations
	at := func(state, name string) []string {
		return labelled(explain.Inside(s, &table, find(t, s, state, name), 4))
	}
	same(t, "before the iterations", at("M", "StateEntered"), nil)
	same(t, "at the beginning", at("M", "MapStarted"),
		[]string{"iterations: not evaluated3 of 3, at most 2 at a time", "0: not begun", "1: not begun",
			"2: not begun"})
	same(t, "at the end", at("M", "MapSucceeded"), []string{"iterations: 3 of 3, at most 2 at a time", "0: Q  0s",
		"1: Q  0s", "2: Q  0s"})
	table = runlog.Iterations{}
	same(t, "at the end of the branches", at("B", "ParallelSucceeded"), []string{"branches: 2 of 2", "0: X  5s",
		"1: Y  0s"})
	same(t, "in a state inside", at("X", "StateEntered"), nil)
}

// The breakpoints in the state, the watches with their values before, and the next timer of a session that is there.
func TestAround(t *testing.T) {
	s := open(t, `{"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"ResultPath":"$.n","Next":"W"},
		"W":{"Type":"Wait","Seconds":60,"End":true}}}`, `{}`)
	for _, spec := range []string{"A:ResultPath", "W"} {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Watches().Add("$.n"); err != nil {
		t.Fatal(err)
	}
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	play(t, s)
	for s.Stop().Reason == debug.StoppedByBreakpoint {
		play(t, s)
	}
	made := find(t, s, "A", "ResultPath")
	same(t, "where the value is made", labelled(explain.Around(s, made, made-1, 3)),
		[]string{"breakpoint 1: A:ResultPath  hit 1", "$.n: 1  was missing"})
	last := s.Log().Len() - 1
	same(t, "at the wait", labelled(explain.Around(s, last, last-1, 3)), []string{"breakpoint 2: W  hit 1", "$.n: 1",
		"next: t+1m00s  W Wait  Seconds 60"})
}

// The sentence about a Choice names the rule that holds, or Default.
func TestDecision(t *testing.T) {
	const choice = `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[
		{"Variable":"$.a","NumericGreaterThan":5,"Next":"A"}],"Default":"B"},
		"A":{"Type":"Pass","End":true},"B":{"Type":"Pass","End":true}}}`
	for input, want := range map[string]string{`{"a":6}`: "Rule 1 holds -> A",
		`{"a":"6"}`: "No rule holds: Default -> B"} {
		s := open(t, choice, input)
		play(t, s)
		for i := range s.Log().Len() {
			p, ok := explain.Decision(s, i)
			if e := s.Log().At(i); ok != (e.Stage == engine.StageChoices) {
				t.Errorf("%s: event %d, %v, has a decision: %v", input, i+1, e.Type, ok)
			} else if got := explain.Plain(40).Spans(p.Spans); ok && got != want {
				t.Errorf("%s: %q, want %q", input, got, want)
			}
		}
	}
}
