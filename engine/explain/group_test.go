package explain_test

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
)

// TestGroups: the texts of the groups of a run, by their headers.
func TestGroups(t *testing.T) {
	s := open(t, `{"StartAt":"A","States":{
		"A":{"Type":"Pass","Result":1,"ResultPath":"$.r","Next":"M"},
		"M":{"Type":"Map","ItemsPath":"$.items","ResultPath":null,"Next":"P","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}},
		"P":{"Type":"Parallel","ResultPath":null,"Next":"W","Branches":[{"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]},
		"W":{"Type":"Wait","Seconds":5,"Next":"T"},
		"T":{"Type":"Task","Resource":"r","End":true}}}`, `{"items":[8]}`)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	want := map[string]string{"A": "+1  -> M", "M": "no change  -> P", "P": "no change  -> W", "iteration 0": "8", "branch 0": `{"items":[8],"r":1}`}
	check := func() {
		t.Helper()
		x := runlog.New()
		x.Extend(s.Log())
		for i := range s.Log().Len() {
			g, ok := x.Get(i)
			if !ok {
				continue
			}
			name := explain.GroupName(s.Log().At(i))
			if text, known := want[name]; known {
				if got := explain.Plain(60).Spans(explain.GroupDetail(s.Log().At(g.Newest()))); got != text {
					t.Errorf("%s: %q, want %q", name, got, text)
				}
			}
		}
	}
	if _, err := s.Do(debug.Command{Kind: debug.StepStage}); err != nil {
		t.Fatal(err)
	}
	if got := explain.GroupName(s.Log().At(0)); got != "ExecutionStarted" {
		t.Errorf("the first event is %q", got)
	}
	play(t, s)
	want["W"] = "WaitStarted"
	check()
	if _, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: s.Now().Add(5 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	play(t, s)
	want["W"], want["T"] = "no change  -> T", "the task runs"
	check()
	if err := s.Interventions().Answer(s.Requests()[0].ID, failed("Order.Bad", "no")); err != nil {
		t.Fatal(err)
	}
	play(t, s)
	want["T"] = "Order.Bad: no"
	check()
	entered := s.Log().At(find(t, s, "T", "StateEntered"))
	if got := explain.Plain(60).Spans(explain.GroupDetail(entered)); got != "Task" {
		t.Errorf("a Task that was entered: %q", got)
	}
	if got := explain.GroupDetail(s.Log().At(find(t, s, "A", "StateEntered"))); got != nil {
		t.Errorf("a Pass that was entered: %v", got)
	}
}

func TestTally(t *testing.T) {
	for _, c := range []struct {
		counts runlog.Counts
		want   string
	}{
		{runlog.Counts{}, ""},
		{runlog.Counts{Begun: 3, Done: 1}, "1 done, 2 running"},
		{runlog.Counts{Begun: 20_000, Done: 19_990, Failed: 2, Aborted: 8}, "19,990 done, 2 failed, 8 stopped"},
	} {
		if got := explain.Tally(c.counts); got != c.want {
			t.Errorf("%+v: %q, want %q", c.counts, got, c.want)
		}
	}
}

func TestThread(t *testing.T) {
	s := open(t, `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"A","States":{"A":{"Type":"Pass","Next":"W"},"W":{"Type":"Wait","Seconds":5,"End":true}}},
		{"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]}}}`, `{}`)
	s.SetClock(debug.Clock{Mode: debug.ClockByHand})
	check := func(wakes time.Time, sign explain.Sign, want string) {
		t.Helper()
		for _, thread := range s.Threads() {
			p := explain.Thread(s, &thread, wakes)
			if p.Sign == sign {
				if got := explain.Plain(60).Spans(p.Spans); got != want {
					t.Errorf("thread %d: %q, want %q", thread.ID, got, want)
				}
				return
			}
		}
		t.Errorf("no thread has the sign of %q", want)
	}
	check(time.Time{}, explain.SignNext, "not begun  runs next")
	for len(s.Threads()) < 3 {
		if _, err := s.Do(debug.Command{Kind: debug.StepStage}); err != nil {
			t.Fatal(err)
		}
	}
	check(time.Time{}, explain.SignWaits, "P  waits for branches")
	check(time.Time{}, explain.SignRuns, "not begun  can run")
	play(t, s)
	for _, thread := range s.Threads() {
		if thread.Blocked == engine.OnTime {
			wakes := s.Options().Start.Add(5 * time.Second)
			if got := explain.Plain(60).Spans(explain.Thread(s, &thread, wakes).Spans); got != "[0] W  waits for time until t+5s" {
				t.Errorf("a thread that waits: %q", got)
			}
		}
	}
	if _, err := s.Do(debug.Command{Kind: debug.RunUntil, Until: s.Now().Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	check(time.Time{}, explain.SignSuccess, "P  the run is over")
}

// TestOutside: the events that came of an intervention say so.
func TestOutside(t *testing.T) {
	s := open(t, `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"r","End":true}}}`, `{}`)
	play(t, s)
	if err := s.Interventions().Answer(s.Requests()[0].ID, output(`1`)); err != nil {
		t.Fatal(err)
	}
	play(t, s)
	found := false
	for i := range s.Log().Len() {
		text := explain.Outside(s, i)
		if found = found || text == "answered manually"; text != "" && text != "answered manually" {
			t.Errorf("event %d: %q", i+1, text)
		}
	}
	if !found {
		t.Error("no event was answered manually")
	}
}

func TestTimeOfDay(t *testing.T) {
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for at, want := range map[time.Duration]string{0: "09:00:00Z", 1500 * time.Millisecond: "09:00:01.500Z", 24 * time.Hour: "2026-01-02T09:00:00Z"} {
		if got := explain.TimeOfDay(start.Add(at), start); got != want {
			t.Errorf("after %v it is %q, want %q", at, got, want)
		}
	}
}
