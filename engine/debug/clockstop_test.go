package debug_test

import (
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// hourly waits for an hour, and then for another.
const hourly = `{"StartAt":"A","States":{"A":{"Type":"Wait","Seconds":3600,"Next":"B"},"B":{"Type":"Wait","Seconds":3600,"End":true}}}`

var clockStart = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

func hourlySession(t *testing.T, specs ...string) *debug.Session {
	t.Helper()
	s := session(t, hourly, debug.Options{Start: clockStart})
	for _, spec := range specs {
		if _, err := s.Breakpoints().Add(spec); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// wantClock checks that a breakpoint has stopped the session at a time after the start.
func wantClock(t *testing.T, s *debug.Session, after time.Duration, event string) {
	t.Helper()
	stop, last := s.Stop(), s.Log().At(s.Position()-1)
	found := last.Type.String() + " " + last.Visit.State.Name
	if stop.Reason != debug.StoppedByBreakpoint || s.Now().Sub(clockStart) != after || found != event {
		t.Fatalf("stopped with reason %v at %v, %s; want a breakpoint at %v, %s", stop.Reason, s.Now().Sub(clockStart),
			found, after, event)
	}
	if stop.Breakpoint == nil || stop.Breakpoint.Hits != 1 {
		t.Fatalf("the breakpoint is %+v, want one with 1 hit", stop.Breakpoint)
	}
}

// A time at which nothing happens stops the clock, whatever moves it, and stops it once.
func TestATimeStopsTheClock(t *testing.T) {
	for name, move := range map[string]func(s *debug.Session) error{
		"continue": func(s *debug.Session) error { _, err := s.Do(debug.Command{Kind: debug.Continue}); return err },
		"a step of a state": func(s *debug.Session) error {
			for s.Log().Len() < 3 {
				do(t, s, debug.StepStage)
			}
			_, err := s.Do(debug.Command{Kind: debug.StepState})
			return err
		},
		"until a time": func(s *debug.Session) error {
			_, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: clockStart.Add(2 * time.Hour)})
			return err
		},
		"until that time": func(s *debug.Session) error {
			_, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: clockStart.Add(30 * time.Minute)})
			return err
		},
		"the clock by hand": func(s *debug.Session) error {
			s.SetClock(debug.Clock{Mode: debug.ClockByHand})
			do(t, s, debug.Continue)
			return s.Interventions().AdvanceTime(time.Hour)
		},
		"a paced clock": func(s *debug.Session) error {
			s.SetClock(debug.Clock{Mode: debug.ClockPaced, Factor: 1})
			do(t, s, debug.Continue)
			for range 9 {
				if err := s.Interventions().AdvanceTime(7 * time.Minute); err != nil ||
					s.Stop().Reason == debug.StoppedByBreakpoint {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := hourlySession(t, "at +30m")
			if err := move(s); err != nil {
				t.Fatal(err)
			}
			wantClock(t, s, 30*time.Minute, "WaitStarted A")
			s.SetClock(debug.Clock{Mode: debug.ClockSkip})
			if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd {
				t.Errorf("it stops again at %v, %s", s.Now().Sub(clockStart), at(s))
			}
			if b := s.Breakpoints().All()[0]; b.Hits != 1 {
				t.Errorf("%d hits, want 1", b.Hits)
			}
			if s.Now().Sub(clockStart) != 2*time.Hour {
				t.Errorf("the run ended at %v", s.Now().Sub(clockStart))
			}
		})
	}
}

func TestTimesOneAfterTheOther(t *testing.T) {
	s := hourlySession(t, "at +90m", "at 2026-01-01T09:20:00Z", "at +40m log here", "at +1h", "at +20m")
	do(t, s, debug.Continue)
	wantClock(t, s, 20*time.Minute, "WaitStarted A")
	for _, i := range []int{1, 4} { // both are for this instant
		if b := s.Breakpoints().All()[i]; b.Hits != 1 {
			t.Errorf("%s: %d hits", b, b.Hits)
		}
	}
	do(t, s, debug.Continue)
	wantClock(t, s, time.Hour, "WaitEnded A") // the event that falls there
	if m := s.Breakpoints().Messages(); len(m) != 1 || m[0].Text != "here" {
		t.Errorf("the messages are %v", m)
	}
	do(t, s, debug.Continue)
	wantClock(t, s, 90*time.Minute, "WaitStarted B")
}

func TestATimeWithClauses(t *testing.T) {
	s := hourlySession(t, "at +10m if $.x == 1", "at +20m once", "at +25m hits == 2")
	do(t, s, debug.StepStage)
	if err := s.Interventions().Edit(0, value.Must(`{"x":2}`)); err != nil {
		t.Fatal(err)
	}
	do(t, s, debug.Continue)
	wantClock(t, s, 20*time.Minute, "WaitStarted A")
	if len(s.Breakpoints().All()) != 2 {
		t.Errorf("a breakpoint for once is still there")
	}
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd {
		t.Errorf("it stops at %v by %v", s.Now().Sub(clockStart), stop.Breakpoint)
	}
}

// Going back from a time at which the clock has stopped, and coming back, changes no count and stops nowhere twice.
func TestGoingBackFromATime(t *testing.T) {
	s := hourlySession(t, "at +30m")
	do(t, s, debug.Continue)
	wantClock(t, s, 30*time.Minute, "WaitStarted A")
	b, n := s.Breakpoints().All()[0], s.Log().Len()
	s.GoTo(1)
	if b.Hits != 0 {
		t.Errorf("at the start there are %d hits", b.Hits)
	}
	s.GoTo(n)
	if b.Hits != 1 || s.Now().Sub(clockStart) != 30*time.Minute {
		t.Errorf("back at the end there are %d hits, and it is %v", b.Hits, s.Now().Sub(clockStart))
	}
	if stop := do(t, s, debug.Continue); stop.Reason != debug.StoppedAtEnd || b.Hits != 1 {
		t.Errorf("it stops again at %v, with %d hits", s.Now().Sub(clockStart), b.Hits)
	}
	s.GoTo(0) // over known events it stops at the first event that is not before
	do(t, s, debug.Continue)
	wantClock(t, s, time.Hour, "WaitEnded A")
	s.Restart()
	do(t, s, debug.Continue)
	wantClock(t, s, 30*time.Minute, "WaitStarted A")
}

// A run that was stopped on the clock is the same run.
func TestAStoppedClockChangesNoEvent(t *testing.T) {
	plain, stopped := hourlySession(t), hourlySession(t, "at +30m", "at +61m", "at +119m")
	reach(t, plain, debug.StoppedAtEnd)
	for i := 0; do(t, stopped, debug.Continue).Reason != debug.StoppedAtEnd; i++ {
		if i > 3 {
			t.Fatal("it stops too often")
		}
	}
	if plain.Log().Len() != stopped.Log().Len() {
		t.Fatalf("%d events, want %d", stopped.Log().Len(), plain.Log().Len())
	}
	for i := range plain.Log().Len() {
		a, b := plain.Log().At(i), stopped.Log().At(i)
		if a.Type != b.Type || a.Time != b.Time {
			t.Errorf("event %d is %v at %v, want %v at %v", i, b.Type, b.At(), a.Type, a.At())
		}
	}
	var inputs []runlog.Input
	for i := range stopped.Inputs().Len() {
		inputs = append(inputs, *stopped.Inputs().At(i))
	}
	again, divergence := debug.Replay(stopped.Machine(), stopped.Options(), debug.Recording{Inputs: inputs})
	if divergence != nil || again.Log().Len() != plain.Log().Len() {
		t.Errorf("its recording has %d events, and differs: %v", again.Log().Len(), divergence)
	}
}

// What is known already is walked over to its end: a command's bound on events is about new ones.
func TestABoundIsAboutNewEvents(t *testing.T) {
	s := hourlySession(t)
	reach(t, s, debug.StoppedAtEnd)
	n := s.Log().Len()
	s.GoTo(0)
	if stop, err := s.Do(debug.Command{Kind: debug.Continue, Events: 2}); err != nil ||
		stop.Reason != debug.StoppedAtEnd || s.Position() != n {
		t.Errorf("stopped with reason %v at event %d of %d: %v", stop.Reason, s.Position(), n, err)
	}
	s.Restart()
	if stop, err := s.Do(debug.Command{Kind: debug.Continue, Events: 2}); err != nil ||
		stop.Reason != debug.StoppedByLimit || s.Position() != 2 {
		t.Errorf("new events: stopped with reason %v at event %d: %v", stop.Reason, s.Position(), err)
	}
}
