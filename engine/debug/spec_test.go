package debug_test

import (
	"testing"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// oddNames has states whose names look like parts of a spec.
const oddNames = `{"StartAt":"x if y","States":{"x if y":{"Type":"Pass","Next":" sp "}," sp ":{"Type":"Pass","Next":"a:b"},
	"a:b":{"Type":"Pass","Next":"error"},"error":{"Type":"Pass","Next":"s*r"},"s*r":{"Type":"Pass","Next":"star"},
	"star":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}}`

func TestSpecsOfOddNames(t *testing.T) {
	for spec, want := range map[string]string{
		"x if y":             "StateEntered x if y",
		"x if y if $.n == 1": "StateEntered x if y",
		"x if y:output":      "StateExited x if y",
		" sp ":               "StateEntered  sp ",
		" sp  if $.n == 1":   "StateEntered  sp ",
		" sp :output":        "StateExited  sp ",
		"  a:b  ":            "StateEntered a:b",
		"a:b:input":          "StateEntered a:b",
		"error":              "StateEntered error",
		"star:Task":          "TaskSucceeded star",
	} {
		s := session(t, oddNames, debug.Options{Source: runs.PaidAtOnce(), Input: value.Must(`{"n":1}`)})
		b, err := s.Breakpoints().Add(spec)
		if err != nil {
			t.Errorf("%q: %v", spec, err)
			continue
		}
		if do(t, s, debug.Continue); at(s) != want {
			t.Errorf("%q (listed as %q) stops at %q, want %q", spec, b, at(s), want)
		}
		if again, err := s.Breakpoints().Add(b.String()); err != nil || again.String() != b.String() {
			t.Errorf("%q: its own text %q gives %v, %v", spec, b, again, err)
		}
	}
}

func TestBreakAt(t *testing.T) {
	for _, name := range []string{"x if y", " sp ", "s*r"} {
		s := session(t, oddNames, debug.Options{Source: runs.PaidAtOnce()})
		state := s.Machine().Definition().Lookup(name)
		b := s.Breakpoints().AddAt(state)
		if s.Breakpoints().At(state) != b {
			t.Errorf("%q has no breakpoint afterwards", name)
		}
		if do(t, s, debug.Continue); at(s) != "StateEntered "+name {
			t.Errorf("the breakpoint at %q stops at %q", name, at(s))
		}
		if do(t, s, debug.Continue); s.Stop().Reason != debug.StoppedAtEnd {
			t.Errorf("the breakpoint at %q stops at %q, too", name, at(s))
		}
	}
}

func TestEveryBreakpointOfAnEventIsHit(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	first, _ := s.Breakpoints().Add("Charge")
	second, _ := s.Breakpoints().Add("C*")
	third, _ := s.Breakpoints().Add("Charge if $.total > 1000")
	do(t, s, debug.Continue) // at Check
	if stop := do(t, s, debug.Continue); stop.Breakpoint != first {
		t.Errorf("the stop names %v", stop.Breakpoint)
	}
	if first.Hits != 1 || second.Hits != 2 || third.Hits != 0 {
		t.Errorf("hits %d, %d and %d, want 1, 2 and 0", first.Hits, second.Hits, third.Hits)
	}
}

const endless = `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$","IsNull":true,"Next":"E"}],"Default":"B"},
	"B":{"Type":"Pass","Next":"A"},"E":{"Type":"Succeed"}}}`

func TestACommandStopsAtItsBound(t *testing.T) {
	s := session(t, endless, debug.Options{})
	command := debug.Command{Kind: debug.Continue, Events: 1000}
	for round := 1; round <= 2; round++ {
		stop, err := s.Do(command)
		if err != nil || stop.Reason != debug.StoppedByLimit {
			t.Fatalf("stopped for %v, %v", stop.Reason, err)
		}
		if n := s.Log().Len(); n < 1000*round || n > 1000*round+10 {
			t.Errorf("after round %d there are %d events", round, n)
		}
	}
}

func TestATargetThatIsNotReached(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	stop, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "Free"})
	if err != nil || stop.Reason != debug.StoppedAtEnd || stop.Missed != "Free" {
		t.Errorf("stopped with %+v, %v", stop, err)
	}
	s.Restart()
	if stop, _ := s.Do(debug.Command{Kind: debug.RunTo, Target: "Done"}); stop.Reason != debug.StoppedAtTarget ||
		stop.Missed != "" {
		t.Errorf("stopped with %+v", stop)
	}
}

// The marks as of an event are those that the session had when it was the newest one.
func TestMarksAt(t *testing.T) {
	live := session(t, order, debug.Options{Source: runs.Paid()})
	states := live.Machine().Definition().All()
	type row map[string]runlog.Mark
	var history []row
	for !live.Status().Done() {
		do(t, live, debug.StepStage)
		for len(history) < live.Log().Len() { // a step may bring more than one event; the last is looked at
			history = append(history, nil)
		}
		now := row{}
		for state := range states {
			now[state.Name] = live.MarksAt(live.Position() - 1).Of(state)
		}
		history[live.Log().Len()-1] = now
	}
	seen := 0
	for i, want := range history {
		if want == nil {
			continue
		}
		seen++
		marks := live.MarksAt(i)
		for state := range states {
			if got := marks.Of(state); got != want[state.Name] {
				t.Errorf("event %d: %s has the mark %+v, want %+v", i+1, state.Name, got, want[state.Name])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d events were looked at", seen)
	}
}

// BenchmarkMarksAt goes back through a long run event by event.
func BenchmarkMarksAt(b *testing.B) {
	s := session(b, endless, debug.Options{})
	if _, err := s.Do(debug.Command{Kind: debug.Continue, Events: 1_000_000}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		s.MarksAt(s.Log().Len() - 2 - i%100_000)
	}
}
