package waiter

import (
	"testing"
	"time"
)

// TestSimulatedAttempts: a schedule without anything to draw (minDelay is maxDelay) can be counted manually.
func TestSimulatedAttempts(t *testing.T) {
	w := &Waiter{MinDelay: 5, MaxDelay: 5}
	for _, c := range []struct {
		schedule Schedule
		change   Change
		maxWait  time.Duration
		want     Trial
	}{
		// Calls at 0, 5 and 10 s; the third sees the change at 7 s.
		{SpecSchedule, Change{At: 7 * time.Second}, time.Minute, Trial{3, true, 10 * time.Second, 3 * time.Second}},
		{GoSchedule, Change{At: 7 * time.Second}, time.Minute, Trial{3, true, 10 * time.Second, 3 * time.Second}},
		{BotocoreSchedule, Change{At: 7 * time.Second}, time.Minute, Trial{3, true, 10 * time.Second, 3 * time.Second}},
		// 17 s: calls at 0, 5, 10; after the delay to 15 s only 2 s would be left, so it takes the remaining 7 s.
		{SpecSchedule, Change{Never: true}, 17 * time.Second, Trial{4, false, 17 * time.Second, 0}},
		// The SDK for Go, with calls of 0.1 s: at 10.3 s it makes the delay 1.7 s, so that 5 s are left, calls at 12 s,
		// and has less than 5 s then.
		{GoSchedule, Change{Never: true, Call: 100 * time.Millisecond}, 17 * time.Second,
			Trial{4, false, 12100 * time.Millisecond, 0}},
		// botocore knows no time limit: 40 attempts, 39 delays.
		{BotocoreSchedule, Change{Never: true}, 17 * time.Second, Trial{40, false, 195 * time.Second, 0}},
		// A call is cut off when the time is over.
		{SpecSchedule, Change{Call: time.Hour}, time.Minute, Trial{1, false, time.Minute, 0}},
	} {
		for _, got := range w.Simulate(c.schedule, c.maxWait, c.change, 3, 1) {
			if got != c.want {
				t.Errorf("%s, %v, %+v: %+v, want %+v", c.schedule, c.maxWait, c.change, got, c.want)
			}
		}
	}
}

// TestSimulationAgreesWithRuns: simulated delays of the specification bring as many attempts as the machine makes.
func TestSimulationAgreesWithRuns(t *testing.T) {
	m, _ := readText(t, jobModel)
	w := m.Lookup("JobDone")
	least, most := 1<<30, 0
	for _, trial := range w.Simulate(SpecSchedule, time.Minute, Change{Never: true}, 2000, 1) {
		least, most = min(least, trial.Attempts), max(most, trial.Attempts)
		if trial.Took != time.Minute {
			t.Fatalf("%+v", trial)
		}
	}
	for seed := range int64(100) {
		if r := run(t, m, "JobDone", time.Minute, seed, poll{output: "{}"}); r.attempts < least || r.attempts > most {
			t.Errorf("seed %d: %d attempts, simulated %d to %d", seed, r.attempts, least, most)
		}
	}
}

func TestSummary(t *testing.T) {
	var trials []Trial
	for i := range 100 {
		trials = append(trials, Trial{Attempts: i + 1, Took: time.Duration(i), Seen: i%2 == 0, Late: time.Duration(i)})
	}
	s := Summarize(trials)
	if s.Seen != 50 || s.Attempts != [6]int{1, 11, 51, 91, 100, 100} || s.Late[2] != 50 || s.Took[5] != 99 {
		t.Errorf("%+v", s)
	}
}
