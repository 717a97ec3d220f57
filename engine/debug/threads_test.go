package debug_test

import (
	"errors"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
)

// branches is a Parallel whose first branch waits between two states and whose second has three.
const branches = `{"StartAt":"Both","States":{"Both":{"Type":"Parallel","End":true,"Branches":[
	{"StartAt":"A1","States":{"A1":{"Type":"Pass","Next":"A2"},"A2":{"Type":"Wait","Seconds":10,"Next":"A3"},"A3":{"Type":"Pass","End":true}}},
	{"StartAt":"B1","States":{"B1":{"Type":"Pass","Next":"B2"},"B2":{"Type":"Pass","Next":"B3"},"B3":{"Type":"Wait","Seconds":60,"End":true}}}]}}}`

func startBranches(t *testing.T) *debug.Session {
	t.Helper()
	s := session(t, branches, debug.Options{Input: value.Must(`{}`), Start: time.Unix(0, 0)})
	if _, err := s.Do(debug.Command{Kind: debug.RunTo, Target: "A1"}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStepThreadStepsOneThreadOnly(t *testing.T) {
	s := startBranches(t)
	from := s.Log().Len()
	for s.Log().Last().Visit.State.Name != "B3" {
		stop, err := s.Do(debug.Command{Kind: debug.StepThread, Thread: 2})
		if err != nil || stop.Reason != debug.StoppedByStep {
			t.Fatalf("stopped with %v, %v", stop.Reason, err)
		}
	}
	for i := from; i < s.Log().Len(); i++ {
		if e := s.Log().At(i); e.Thread != 2 {
			t.Errorf("event %d, %v, is of thread %d", e.Seq, e.Type, e.Thread)
		}
	}
}

// A thread that waits for time lets the others run until time can pass, and continues before they do.
func TestStepThreadWaitsForABlockedThread(t *testing.T) {
	s := startBranches(t)
	for range 30 {
		if _, err := s.Do(debug.Command{Kind: debug.StepThread, Thread: 1}); err != nil {
			t.Fatal(err)
		}
		if last := s.Log().Last(); last.Type == engine.WaitEnded {
			if last.Thread != 1 || s.Now() != time.Unix(10, 0).UTC() {
				t.Errorf("thread %d waited until %v", last.Thread, s.Now())
			}
			return
		}
	}
	t.Fatal("the Wait of the first branch never ends")
}

func TestStepThreadThatIsGone(t *testing.T) {
	s := startBranches(t)
	if err := s.Begin(debug.Command{Kind: debug.StepThread, Thread: 9}); !errors.Is(err, engine.ErrNoThread) {
		t.Errorf("the error is %v", err)
	}
}

func TestFocusChoosesWhoRunsNext(t *testing.T) {
	s := startBranches(t)
	if err := s.Interventions().Focus(2); err != nil {
		t.Fatal(err)
	}
	do(t, s, debug.StepStage)
	if got := s.Log().Last().Thread; got != 2 || s.Focused() != 2 {
		t.Errorf("thread %d ran, %d has the focus", got, s.Focused())
	}
}

func TestRunUntilGoesOverSeveralTimers(t *testing.T) {
	s := startBranches(t)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	stop, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: time.Unix(59, 0)})
	if err != nil || stop.Reason != debug.StoppedAtTime || !s.Now().Equal(time.Unix(59, 0)) {
		t.Fatalf("stopped with %v, %v at %v", stop.Reason, err, s.Now())
	}
	if next, ok := s.NextTimer(); !ok || !next.Equal(time.Unix(60, 0)) {
		t.Errorf("the next timer is due at %v", next)
	}
	if err := s.Begin(debug.Command{Kind: debug.RunUntil, Until: time.Unix(1, 0)}); !errors.Is(err,
		engine.ErrBackwards) {
		t.Errorf("going back gives %v", err)
	}
	stop, err = s.Do(debug.Command{Kind: debug.RunUntil, Until: time.Unix(3600, 0)})
	if err != nil || stop.Reason != debug.StoppedAtEnd || !s.Now().Equal(time.Unix(60, 0)) {
		t.Errorf("stopped with %v, %v at %v", stop.Reason, err, s.Now())
	}
}

// Time passes for a task without an outcome, up to its timeout; a breakpoint on the way stops it.
func TestRunUntilLetsATaskTimeOut(t *testing.T) {
	s := session(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","TimeoutSeconds":30,
		"Catch":[{"ErrorEquals":["States.Timeout"],"Next":"W"}],"End":true},"W":{"Type":"Wait","Seconds":5,"Next":"Ask"},
		"Ask":{"Type":"Task","Resource":"r","End":true}}}`, debug.Options{Input: value.Must(`{}`), Start: time.Unix(0, 0)})
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedForAnswer {
		t.Fatalf("stopped with %v", stop.Reason)
	}
	if _, err := s.Breakpoints().Add("W"); err != nil {
		t.Fatal(err)
	}
	stop, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: time.Unix(100, 0)})
	if err != nil || stop.Reason != debug.StoppedByBreakpoint || !s.Now().Equal(time.Unix(30, 0)) {
		t.Fatalf("stopped with %v, %v at %v", stop.Reason, err, s.Now())
	}
	stop, err = s.Do(debug.Command{Kind: debug.RunUntil, Until: time.Unix(100, 0)})
	if err != nil || stop.Reason != debug.StoppedForAnswer || !s.Now().Equal(time.Unix(35, 0)) {
		t.Errorf("the new question: stopped with %v, %v at %v", stop.Reason, err, s.Now())
	}
}
