package debug_test

import (
	"reflect"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/testkit/runs"
)

// A * between two slashes gives back to the ** before it.
func TestDeepPatternTriesFurther(t *testing.T) {
	const nested = `{"StartAt":"Charge","States":{"Charge":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"Charge card","States":{"Charge card":{"Type":"Pass","End":true}}}]}}}`
	for _, spec := range []string{"**/*card", "**/C*d", "**/Ch*"} {
		s := session(t, nested, debug.Options{})
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if got, want := stops(t, s), []string{"StateEntered Charge/Branches[0]/Charge card"}; !reflect.DeepEqual(got,
			want) {
			t.Errorf("%s stops at %v, want %v", spec, got, want)
		}
	}
	if _, err := session(t, nested, debug.Options{}).Breakpoints().Add("Ch*card/**"); err == nil {
		t.Error("a * has gone beyond a slash")
	}
}

// Events of one step happen together: a breakpoint counts each, in whichever way the session came there.
func TestEveryEventOfAStepIsCounted(t *testing.T) {
	for _, spec := range []string{"*", "* -> *", "error", "P:error", "uncaught error", "retry", "scheduled", "at +10s",
		"at +0s", "change $.payment", "Each:result", "Fulfil:result", "M:result"} {
		for definition, source := range map[string]outcome.Source{order: runs.Paid(), reads: &bucket{body: "[1,2]"}} {
			s := session(t, definition, debug.Options{Source: source})
			b, err := s.Breakpoints().Add(spec)
			if err != nil {
				continue // the definition has no such state
			}
			stopped := 0
			for end := false; !end; {
				stop := do(t, s, debug.StepStage)
				if stop.Reason == debug.StoppedByBreakpoint {
					stopped++
				}
				end = s.Status().Done()
			}
			hits := b.Hits
			s.GoTo(0)
			s.GoTo(s.Log().Len())
			if b.Hits != hits {
				t.Errorf("%s: %d hits on the way, %d counted over the log", spec, hits, b.Hits)
			}
			if (stopped > 0) != (hits > 0) {
				t.Errorf("%s: stopped %d times for %d hits", spec, stopped, hits)
			}
		}
	}
}

// What logpoints wrote is there again after going back and forth, and after switching forks.
func TestMessagesComeBack(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	for _, spec := range []string{"* log at {state}", "error log {error}"} {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	reach(t, s, debug.StoppedAtEnd)
	want := append([]breakpoint.Message(nil), s.Breakpoints().Messages()...)
	s.GoTo(5)
	s.GoTo(s.Log().Len())
	if !reflect.DeepEqual(s.Breakpoints().Messages(), want) {
		t.Errorf("after going back and forth\n     %v\nwant %v", s.Breakpoints().Messages(), want)
	}
	s.Restart()
	if len(s.Breakpoints().Messages()) != 0 {
		t.Errorf("a run that has not begun has the messages %v", s.Breakpoints().Messages())
	}
	do(t, s, debug.StepState)
	if err := s.Forks().Switch(1); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.Breakpoints().Messages(), want) {
		t.Errorf("after switching back\n     %v\nwant %v", s.Breakpoints().Messages(), want)
	}
}

// An error that the person injects is a hit like any other.
func TestInjectedErrorIsCounted(t *testing.T) {
	s := session(t, order, debug.Options{})
	b, err := s.Breakpoints().Add("error log {error}")
	if err != nil {
		t.Fatal(err)
	}
	reach(t, s, debug.StoppedForAnswer)
	if err := s.Interventions().Inject(0, "Mine", "by hand"); err != nil {
		t.Fatal(err)
	}
	if b.Hits != 1 || len(s.Breakpoints().Messages()) != 1 || s.Breakpoints().Messages()[0].Text != "Mine" {
		t.Errorf("%d hits, messages %v", b.Hits, s.Breakpoints().Messages())
	}
}

// What was said at a place once is said again there: the run is behind it, and no fork begins.
func TestSaidAgain(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	do(t, s, debug.StepStage)
	do(t, s, debug.StepStage)
	at := s.Position()
	if err := s.Interventions().Edit(0, value.Must(`{"total":500}`)); err != nil {
		t.Fatal(err)
	}
	behind := s.Position()
	s.GoTo(at)
	if err := s.Interventions().Edit(0, value.Must(`{"total":500}`)); err != nil || len(s.Forks().All()) != 1 ||
		s.Position() != behind {
		t.Errorf("the same edit at %d leads to %d in %d forks (%v), want %d in one", at, s.Position(),
			len(s.Forks().All()), err, behind)
	}
	s.GoTo(at)
	if stop := s.Interventions().Abort("", ""); stop.Reason != debug.StoppedAtEnd || s.Status() != engine.Aborted {
		t.Fatalf("aborted: %v, %v", stop.Reason, s.Status())
	}
	s.GoTo(at)
	if stop := s.Interventions().Abort("", ""); stop.Reason != debug.StoppedAtEnd || s.Status() != engine.Aborted ||
		len(s.Forks().All()) != 2 {
		t.Errorf("aborted again: %v, %v", stop.Reason, s.Status())
	}
}

// The previous stop is never an event that the fork does not have.
func TestPreviousStopOfAnotherFork(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	for do(t, s, debug.StepStage).Reason != debug.StoppedAtEnd {
	}
	s.GoTo(3)
	if err := s.Interventions().Edit(0, value.Must(`{"total":500}`)); err != nil {
		t.Fatal(err)
	}
	if s.PreviousStop() >= s.Log().Len() {
		t.Errorf("in a new fork of %d events the previous stop was event %d", s.Log().Len(), s.PreviousStop())
	}
	if err := s.Forks().Switch(1); err != nil {
		t.Fatal(err)
	}
	s.GoTo(10)
	do(t, s, debug.Continue)
	if err := s.Forks().Switch(2); err != nil || s.PreviousStop() >= s.Log().Len() {
		t.Errorf("in another fork of %d events the previous stop was event %d (%v)", s.Log().Len(), s.PreviousStop(),
			err)
	}
}

// At the end of events without an execution the session says so.
func TestEndOfEventsAlone(t *testing.T) {
	s := session(t, order, debug.Options{Source: runs.Paid()})
	reach(t, s, debug.StoppedAtEnd)
	again := debug.ReplayLog(s.Machine(), s.Options(), debug.Recording{Events: logged(s)})
	if stop := again.GoTo(again.Log().Len()); stop.Reason != debug.StoppedAtEnd {
		t.Errorf("at the end of the events it stopped for %v", stop.Reason)
	}
}

// A planned abort comes at its time, however the clock is moved there.
func TestPlannedAbortWhileTimePasses(t *testing.T) {
	const waits = `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":3600,"End":true}}}`
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := session(t, waits, debug.Options{Start: start,
		Abort: &debug.Abort{At: start.Add(time.Minute), Error: "Stopped"}})
	if _, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: start.Add(30 * time.Minute)}); err != nil {
		t.Fatal(err)
	}
	if s.Status() != engine.Aborted || !s.Now().Equal(start.Add(time.Minute)) {
		t.Errorf("it is %v at %v", s.Status(), s.Now())
	}
}

// An execution that is over reads no more objects.
func TestNoObjectAfterTheEnd(t *testing.T) {
	bounded := `{"TimeoutSeconds":5,` + reads[1:]
	s := session(t, bounded, debug.Options{})
	do(t, s, debug.Continue)
	wanted := s.ObjectRequests()[0].ID
	if err := s.Interventions().AdvanceTime(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd || s.Status() != engine.TimedOut {
		t.Errorf("it stopped for %v (%v), %v", stop.Reason, stop.Err, s.Status())
	}
	if len(s.ObjectRequests()) != 0 {
		t.Error("it still asks for an object")
	}
	if err := s.Interventions().AnswerObject(wanted, []byte("[1]"), nil); err == nil {
		t.Error("an object for an execution that is over was taken")
	}
}

// A replay is left where the run was: with its last input, though no event has followed yet.
func TestReplayKeepsTheLastWord(t *testing.T) {
	s := session(t, order, debug.Options{})
	reach(t, s, debug.StoppedForAnswer)
	if err := s.Interventions().Answer(s.Requests()[0].ID,
		engine.Outcome{Output: value.Must(`{"id":"mine"}`), After: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if err := s.Interventions().AdvanceTime(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	inputs := []runlog.Input{*s.Inputs().At(0), *s.Inputs().At(1)}
	again, divergence := debug.Replay(s.Machine(), s.Options(), debug.Recording{Inputs: inputs, Events: logged(s)})
	if divergence != nil {
		t.Fatal(divergence)
	}
	again.GoTo(again.Log().Len())
	if !again.Now().Equal(s.Now()) || len(again.Requests()) != 0 || again.Inputs().Len() != 2 {
		t.Errorf("left at %v with %d inputs, %d requests open; want %v", again.Now(), again.Inputs().Len(),
			len(again.Requests()), s.Now())
	}
	if err := again.GoLive(nil); err != nil {
		t.Fatal(err)
	}
	reach(t, again, debug.StoppedAtEnd)
}

// Of a run that never ends, with nothing known but its beginning, only so much is executed again.
func TestReplayOfALoopEnds(t *testing.T) {
	const loop = `{"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[{"Variable":"$.x","IsPresent":true,"Next":"E"}],"Default":"B"},
		"B":{"Type":"Pass","Next":"A"},"E":{"Type":"Succeed"}}}`
	s := session(t, loop, debug.Options{})
	again, divergence := debug.Replay(s.Machine(), s.Options(), debug.Recording{})
	if divergence != nil || again.Log().Len() < 1000 {
		t.Errorf("%d events, %v", again.Log().Len(), divergence)
	}
}
