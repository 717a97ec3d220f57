package engine_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// A timeout names the field that ran out; one by hand names none.
func TestATimeoutNamesItsField(t *testing.T) {
	silent := inTurn(engine.Outcome{Output: value.Int(1), After: time.Hour})
	for _, test := range []struct {
		fields, input, name, field string
		dialect                    engine.Dialect
	}{
		{`"TimeoutSeconds":20,"HeartbeatSeconds":10`, `{}`, "States.Timeout", "HeartbeatSeconds", engine.AWS},
		{`"TimeoutSeconds":20,"HeartbeatSeconds":10`, `{}`, "States.HeartbeatTimeout", "HeartbeatSeconds", engine.Spec},
		{`"TimeoutSeconds":20`, `{}`, "States.Timeout", "TimeoutSeconds", engine.AWS},
		{`"TimeoutSecondsPath":"$.t","HeartbeatSecondsPath":"$.h"`, `{"t":20,"h":15}`, "States.Timeout",
			"HeartbeatSecondsPath", engine.AWS},
		{`"TimeoutSecondsPath":"$.t"`, `{"t":20}`, "States.Timeout", "TimeoutSecondsPath", engine.AWS},
		{`"Comment":"its default"`, `{}`, "States.Timeout", "TimeoutSeconds", engine.Spec},
	} {
		e, _ := runIn(t, test.dialect, single(taskFields+`,`+test.fields+`,"End":true`), test.input, silent)
		if f := e.Failure(); f == nil || f.Name != test.name || f.Field != test.field || f.Cause != "" {
			t.Errorf("%s: the failure is %+v, want %s in %s", test.fields, f, test.name, test.field)
		}
	}
	e := compile(t, single(taskFields+`,"TimeoutSeconds":20,"End":true`), engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{})
	stepTo(t, e, engine.TaskScheduled, 0)
	testkit.NoError(t, e.TimeOut(1))
	drive(t, e, nil)
	if f := e.Failure(); f == nil || f.Field != "" {
		t.Errorf("timed out by hand: %+v", f)
	}
}

// A timeout by hand after an attempt that ran out has no field either.
func TestATimeoutByHandAfterAnother(t *testing.T) {
	e := compile(t, single(taskFields+`,"TimeoutSeconds":20,"Retry":[{"ErrorEquals":["States.Timeout"],"MaxAttempts":1}],"End":true`), engine.AWS).
		Start(value.Must(`{}`), engine.StartOptions{})
	stepTo(t, e, engine.TaskScheduled, 0)
	var fields []string
	for !e.Status().Done() {
		switch {
		case e.Status() == engine.Runnable:
			for _, event := range e.Step() {
				if event.Type == engine.TaskTimedOut {
					fields = append(fields, event.Failure().Field)
				}
			}
		case len(fields) == 0 || e.Status() == engine.AwaitingTime:
			next, _ := e.NextTimer()
			testkit.NoError(t, e.AdvanceTo(next))
		default:
			testkit.NoError(t, e.TimeOut(2))
		}
	}
	if got := strings.Join(fields, ","); got != "TimeoutSeconds," {
		t.Errorf("the fields are %q", got)
	}
}

// Two heartbeats at one instant have one timeout.
func TestHeartbeatsAtOneInstant(t *testing.T) {
	e := compile(t, single(taskFields+`,"HeartbeatSeconds":10,"End":true`), engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{})
	stepTo(t, e, engine.TaskScheduled, 0)
	timers := func(want time.Duration) {
		t.Helper()
		list := e.Timers()
		if len(list) != 1 || list[0].Kind != engine.TimerHeartbeatTimeout || list[0].At.Sub(e.Now()) != want {
			t.Errorf("the timers are %+v, want one in %v", list, want)
		}
	}
	for range 3 {
		if _, err := e.Heartbeat(1); err != nil {
			t.Fatal(err)
		}
		timers(10 * time.Second)
	}
	testkit.NoError(t, e.AdvanceTo(e.Now().Add(4*time.Second)))
	timers(6 * time.Second)
	for range 2 {
		if _, err := e.Heartbeat(1); err != nil {
			t.Fatal(err)
		}
		timers(10 * time.Second)
	}
	testkit.NoError(t, e.AdvanceTo(e.Now().Add(time.Minute)))
	if got := types(e.Step()); got != "TaskTimedOut" {
		t.Errorf("after the heartbeats stopped came %s", got)
	}
}

// Injectable and Inject give the same answer at each place of a run.
func TestInjectable(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Pass","Next":"T"},
		"T":{` + taskFields + `,"Retry":[{"ErrorEquals":["E"],"IntervalSeconds":5,"MaxAttempts":1}],"Next":"W"},
		"W":{"Type":"Wait","Seconds":5,"Next":"B"},
		"B":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}}]}}}`
	m := compile(t, definition, engine.AWS)
	answer := inTurn(fails("E"), gives(`{}`))
	e, refused := m.Start(value.Must(`{}`), engine.StartOptions{}), 0
	for !e.Status().Done() {
		twin := e.Snapshot().Restore()
		said := e.Injectable(0)
		_, did := twin.Inject(0, "X", "")
		if (said == nil) != (did == nil) || said != nil && said.Error() != did.Error() {
			t.Errorf("after event %d: Injectable says %v, Inject %v", e.Seq(), said, did)
		}
		if said != nil {
			refused++
		}
		switch e.Status() {
		case engine.AwaitingAnswer:
			r := e.Unanswered()
			testkit.NoError(t, e.Answer(r.ID, answer(r)))
		case engine.AwaitingTime:
			next, _ := e.NextTimer()
			testkit.NoError(t, e.AdvanceTo(next))
		default:
			e.Step()
		}
	}
	if refused < 5 {
		t.Errorf("it was refused at %d places only", refused)
	}
	if err := e.Injectable(0); !errors.Is(err, engine.ErrDone) {
		t.Errorf("at the end: %v", err)
	}
}
