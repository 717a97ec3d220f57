package engine_test

import (
	"fmt"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// everything is a definition that uses threads, timers, retries with jitter, variables and random numbers.
const everything = `{"StartAt":"P","States":{
	"P":{"Type":"Parallel","Branches":[
		{"StartAt":"A","States":{"A":{` + taskFields + `,"TimeoutSeconds":50,"HeartbeatSeconds":20,
			"Retry":[{"ErrorEquals":["States.ALL"],"JitterStrategy":"FULL","MaxAttempts":4}],"Next":"W"},
			"W":{"Type":"Wait","Seconds":3,"End":true}}},
		{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","MaxConcurrency":2,"ToleratedFailureCount":1,
			"ItemProcessor":{"StartAt":"I","States":{"I":{` + taskFields + `,"Assign":{"seen.$":"$"},"Next":"J"},
				"J":{"Type":"Pass","Parameters":{"v.$":"$seen","r.$":"States.MathRandom(0,1000000)"},"End":true}}},"End":true}}}],
	"ResultPath":"$.p","Next":"E"},
	"E":{"Type":"Pass","Assign":{"id.$":"States.UUID()"},"Next":"F"},
	"F":{"Type":"Pass","Parameters":{"id.$":"$id","p.$":"$.p"},"End":true}}}`

// outcomeOf depends on the request alone, as the outcomes of a repeated run must.
func outcomeOf(r *engine.TaskRequest) engine.Outcome {
	after := time.Duration(r.ID%5) * time.Second
	if r.Visit.State.Name == "A" && r.Attempt < 3 || r.Visit.Index == 3 {
		return engine.Outcome{Error: "Flaky", Cause: fmt.Sprint(r.ID), After: after}
	}
	return engine.Outcome{Output: r.Parameters, After: after, HeartbeatEvery: time.Second}
}

func describe(events []engine.Event) []string {
	lines := make([]string, len(events))
	for i := range events {
		ev := &events[i]
		where := ""
		if ev.Visit != nil {
			where = fmt.Sprintf("%s#%d", ev.Visit.Path(), ev.Visit.Number)
		}
		lines[i] = fmt.Sprintf("%d %d %d %v %v %s %s %s %+v", ev.Seq, ev.Time, ev.Thread, ev.Type, ev.Stage, where,
			value.Compact(ev.Before), value.Compact(ev.After), detail(ev))
	}
	return lines
}

func detail(ev *engine.Event) string {
	switch d := ev.Detail.(type) {
	case *engine.Failure:
		return d.Error()
	case *engine.RetryDetail:
		return fmt.Sprint(d.Delay, d.Attempt, d.Due)
	case *engine.TaskRequest:
		return fmt.Sprint(d.ID, d.Attempt, d.Invocation)
	case *engine.ExitDetail:
		return d.Next
	}
	return ""
}

func TestTheSameRunTwice(t *testing.T) {
	machine := compile(t, everything, engine.AWS)
	input := value.Must(`{"items":[1,2,3,4,5]}`)
	e := machine.Start(input, engine.StartOptions{Seed: 3})
	first := describe(drive(t, e, outcomeOf))
	if e.Status() != engine.Succeeded {
		t.Fatal(e.Failure())
	}
	again := describe(drive(t, machine.Start(input, engine.StartOptions{Seed: 3}), outcomeOf))
	compareLines(t, "the second run", again, first)
	// Asking for the status between steps must not change the thread that runs next.
	nosy := machine.Start(input, engine.StartOptions{Seed: 3})
	var events []engine.Event
	for !nosy.Status().Done() {
		if nosy.Status() == engine.AwaitingTime {
			next, _ := nosy.NextTimer()
			if err := nosy.AdvanceTo(next); err != nil {
				t.Fatal(err)
			}
		}
		events = append(events, nosy.Step()...)
		nosy.Status()
		nosy.Threads()
		nosy.Timers()
		for r := nosy.Unanswered(); r != nil; r = nosy.Unanswered() {
			if err := nosy.Answer(r.ID, outcomeOf(r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	compareLines(t, "the run that was looked at", describe(events), first)
	quiet := machine.Start(input, engine.StartOptions{Seed: 3, Quiet: true})
	if events := drive(t, quiet, outcomeOf); len(events) != 0 {
		t.Errorf("a quiet execution gave %d events", len(events))
	}
	if !value.Equal(quiet.Output(), e.Output()) {
		t.Error("a quiet execution gave another output")
	}
}

func compareLines(t *testing.T, name string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s differs at event %d of %d:\n got %v\nwant %v", name, i+1, len(want),
				got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
		}
	}
}

// A snapshot taken after any step continues exactly as the execution itself did, also when it
// is restored twice, and is not changed by later steps of the execution.
func TestSnapshotsAreExact(t *testing.T) {
	machine := compile(t, everything, engine.AWS)
	input := value.Must(`{"items":[1,2,3,4,5]}`)
	options := engine.StartOptions{Seed: 3}
	want := describe(drive(t, machine.Start(input, options), outcomeOf))
	e := machine.Start(input, options)
	type moment struct {
		snapshot *engine.Snapshot
		seen     int
	}
	moments := []moment{{e.Snapshot(), 0}}
	seen := 0
	for !e.Status().Done() {
		if e.Status() == engine.AwaitingTime {
			next, _ := e.NextTimer()
			if err := e.AdvanceTo(next); err != nil {
				t.Fatal(err)
			}
			moments = append(moments, moment{e.Snapshot(), seen})
		}
		seen += len(e.Step())
		moments = append(moments, moment{e.Snapshot(), seen})
		for r := e.Unanswered(); r != nil; r = e.Unanswered() {
			if err := e.Answer(r.ID, outcomeOf(r)); err != nil {
				t.Fatal(err)
			}
			moments = append(moments, moment{e.Snapshot(), seen})
		}
	}
	for _, m := range moments {
		if m.snapshot.Seq() != int64(m.seen) {
			t.Fatalf("a snapshot after event %d says %d", m.seen, m.snapshot.Seq())
		}
		for range 2 {
			restored := m.snapshot.Restore()
			for r := restored.Unanswered(); r != nil; r = restored.Unanswered() {
				if err := restored.Answer(r.ID, outcomeOf(r)); err != nil {
					t.Fatal(err)
				}
			}
			compareLines(t, fmt.Sprintf("the run restored at event %d", m.seen),
				describe(drive(t, restored, outcomeOf)), want[m.seen:])
		}
	}
	t.Logf("%d snapshots over %d events", len(moments), len(want))
}
