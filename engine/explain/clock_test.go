package explain_test

import (
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/engine/explain"
)

func TestClock(t *testing.T) {
	for _, c := range []struct {
		clock        debug.Clock
		name, effect string
	}{
		{debug.Clock{Mode: debug.ClockSkip}, "skip", "Waits are skipped: the clock jumps to the next timer."},
		{debug.Clock{Mode: debug.ClockByHand}, "manual", "The run stops at each wait until you move the clock."},
		{debug.Clock{Mode: debug.ClockPaced, Factor: 1}, "real time", "Waits are not skipped."},
		{debug.Clock{Mode: debug.ClockPaced, Factor: 2.5}, "x2.5", "Waits are not skipped."},
	} {
		if name, effect := explain.Clock(c.clock), explain.ClockEffect(c.clock); name != c.name || effect != c.effect {
			t.Errorf("%q, %q; want %q, %q", name, effect, c.name, c.effect)
		}
	}
}

func TestPassed(t *testing.T) {
	s := open(t, `{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"Next":"Try"},
		"Try":{"Type":"Task","Resource":"r","HeartbeatSeconds":20,"TimeoutSeconds":50,"Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":5,"MaxAttempts":1}],"Next":"V"},
		"V":{"Type":"Wait","Seconds":60,"Next":"D"},"D":{"Type":"Succeed"}}}`, `{}`)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	play(t, s)
	pass := func(d time.Duration, tone explain.Tone, want string) {
		t.Helper()
		events, from, until := s.Log().Len(), s.Now(), s.Now().Add(d)
		if _, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: until}); err != nil {
			t.Fatal(err)
		}
		p := explain.Passed(s, events, from, until)
		if got := explain.Plain(60).Spans(p.Spans); got != want || p.Tone != tone {
			t.Errorf("tone %d: %q, want tone %d: %q", p.Tone, got, tone, want)
		}
	}
	pass(20*time.Second, explain.TonePlain, "The clock advanced 20s: nothing happened. The next timer is due in 40s.")
	pass(50*time.Second, explain.TonePlain, "The clock advanced 40s of 50s: 1 wait ended, 4 events. Then a task asked for its answer.")
	if err := s.Interventions().Answer(s.Requests()[0].ID, failed("Busy", "")); err != nil {
		t.Fatal(err)
	}
	pass(6*time.Second, explain.TonePlain, "The clock advanced 5s of 6s: 1 retry began, 1 task answered, 4 events. Then a task asked for its answer.")
	if err := s.Interventions().Answer(s.Requests()[0].ID, output(`1`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Breakpoints().Add("D"); err != nil {
		t.Fatal(err)
	}
	pass(2*time.Minute, explain.ToneCaution, "The clock advanced 1m00s of 2m00s: 1 wait ended, 1 task answered, 8 events. Then a breakpoint was hit.")
	pass(time.Minute, explain.TonePlain, "The clock advanced 0s of 1m00s: 2 events. Then the run was over.")
}
