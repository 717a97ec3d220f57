package engine_test

import (
	"errors"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/testkit"
)

// stepTo steps an execution, whose tasks give their payload back, until an event of a type, and of a stage where one is
// given.
func stepTo(t *testing.T, e *engine.Execution, kind engine.EventType, stage engine.Stage) {
	t.Helper()
	for range 1000 {
		for _, event := range e.Step() {
			if event.Type == kind && (stage == engine.NoStage || event.Stage == stage) {
				return
			}
		}
		if e.Status() == engine.AwaitingAnswer {
			r := e.Unanswered()
			testkit.NoError(t, e.Answer(r.ID, echo(r)))
		}
	}
	t.Fatalf("no %v of %v came", kind, stage)
}

// An edit replaces the data that the next stages read, and nothing of the events before.
func TestEdit(t *testing.T) {
	const all = taskFields + `,"InputPath":"$.in","Parameters":{"p.$":"$.a"},"ResultSelector":{"r.$":"$.p"},"ResultPath":"$.out","End":true`
	const query = taskFields + `,"QueryLanguage":"JSONata","Arguments":{"p":"{% $states.input.in.a %}"},
		"Assign":{"v":1},"Output":{"r":"{% $states.result.p %}","in":"{% $states.input.in.a %}"},"End":true`
	const caught = taskFields + `,"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"S"}],"End":true`
	for _, test := range []struct {
		name, fields string
		at           engine.EventType
		stage        engine.Stage
		before, edit string
		want         string
	}{
		{"raw input", all, engine.StateEntered, 0, `{"in":{"a":1}}`, `{"in":{"a":2},"x":0}`,
			`{"in":{"a":2},"x":0,"out":{"r":2}}`},
		{"effective input", all, engine.StageCompleted, engine.StageInputPath, `{"a":1}`, `{"a":3}`,
			`{"in":{"a":1},"out":{"r":3}}`},
		{"payload", all, engine.StageCompleted, engine.StageParameters, `{"p":1}`, `{"p":4}`,
			`{"in":{"a":1},"out":{"r":4}}`},
		{"result", all, engine.TaskSucceeded, 0, `{"p":1}`, `{"p":5}`, `{"in":{"a":1},"out":{"r":5}}`},
		{"selected", all, engine.StageCompleted, engine.StageResultSelector, `{"r":1}`, `6`, `{"in":{"a":1},"out":6}`},
		{"output", all, engine.StageCompleted, engine.StageResultPath, `{"in":{"a":1},"out":{"r":1}}`, `7`, `7`},
		{"JSONata input", query, engine.StateEntered, 0, `{"in":{"a":1}}`, `{"in":{"a":2}}`, `{"r":2,"in":2}`},
		{"JSONata arguments", query, engine.StageCompleted, engine.StageParameters, `{"p":1}`, `{"p":3}`,
			`{"r":3,"in":1}`},
		{"JSONata result", query, engine.TaskSucceeded, 0, `{"p":1}`, `{"p":4}`, `{"r":4,"in":1}`},
		{"JSONata result after Assign", query, engine.StageCompleted, engine.StageAssign, `{"p":1}`, `{"p":5}`,
			`{"r":5,"in":1}`},
		{"JSONata output", query, engine.StageCompleted, engine.StageOutputPath, `{"r":1,"in":1}`, `6`, `6`},
		{"a task without fields", caught, engine.StateEntered, 0, `{"in":{"a":1}}`, `8`, `8`},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := compile(t, single(test.fields), engine.AWS).Start(value.Must(`{"in":{"a":1}}`), engine.StartOptions{})
			stepTo(t, e, test.at, test.stage)
			before, stage, err := e.Editable(0)
			if err != nil {
				t.Fatal(err)
			}
			if !value.Equal(before, value.Must(test.before)) {
				t.Errorf("the next stage reads %s, want %s", value.Compact(before), test.before)
			}
			events, err := e.Edit(engine.Edit{Value: value.Must(test.edit)})
			if err != nil {
				t.Fatal(err)
			}
			if len(events) != 1 || events[0].Type != engine.DataEdited || events[0].Stage != stage ||
				events[0].Before != before || !value.Equal(events[0].After, value.Must(test.edit)) {
				t.Errorf("the edit shows as %+v", events)
			}
			drive(t, e, nil)
			wantOutput(t, e, test.want)
		})
	}
}

// An edit before the next attempt of a retry, in a catcher, and between two states.
func TestEditElsewhere(t *testing.T) {
	const retried = taskFields + `,"InputPath":"$.in","Parameters":{"p.$":"$.a"},"Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":9}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"C"}],"End":true`
	const definition = `{"StartAt":"S","States":{"S":{` + retried + `},"C":{"Type":"Pass","End":true}}}`
	input := value.Must(`{"in":{"a":1}}`)
	start := func() *engine.Execution {
		return compile(t, definition, engine.AWS).Start(input, engine.StartOptions{})
	}
	e := start()
	stepTo(t, e, engine.TaskScheduled, 0)
	testkit.NoError(t, e.Answer(1, fails("X")))
	stepTo(t, e, engine.RetryScheduled, 0)
	if _, err := e.Edit(engine.Edit{Value: value.Must(`{"a":2}`)}); err != nil {
		t.Fatal(err)
	}
	drive(t, e, nil)
	wantOutput(t, e, `{"p":2}`)

	e = start()
	drive2 := inTurn(fails("X"), fails("X"), fails("X"), fails("X"))
	for e.Status() != engine.Succeeded {
		if r := e.Unanswered(); r != nil {
			testkit.NoError(t, e.Answer(r.ID, drive2(r)))
		}
		if next, ok := e.NextTimer(); ok && e.Status() == engine.AwaitingTime {
			testkit.NoError(t, e.AdvanceTo(next))
		}
		for _, event := range e.Step() {
			switch {
			case event.Type == engine.ErrorCaught:
				if _, err := e.Edit(engine.Edit{Value: value.Must(`"mine"`)}); err != nil {
					t.Fatal(err)
				}
			case event.Type == engine.StateExited && event.Visit.State.Name == "S":
				data, stage, err := e.Editable(0)
				if err != nil || stage != engine.StageInput ||
					!value.Equal(data, value.Must(`{"in":{"a":1},"e":"mine"}`)) {
					t.Fatal(value.Compact(data), stage, err)
				}
				if _, err := e.Edit(engine.Edit{Value: value.Must(`{"last":true}`)}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	wantOutput(t, e, `{"last":true}`)
}

// An edit that cannot be made says why and changes nothing.
func TestEditRefused(t *testing.T) {
	const definition = `{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
		{"StartAt":"T","States":{"T":{` + taskFields + `,"End":true}}},{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":5,"End":true}}}]}}}`
	e := compile(t, definition, engine.AWS).Start(value.Must(`{}`),
		engine.StartOptions{Limits: engine.Limits{Payload: 10}})
	edit := func(thread engine.ThreadID, v value.Value) error {
		before := len(e.Threads())
		events, err := e.Edit(engine.Edit{Thread: thread, Value: v})
		if len(events) != 0 || len(e.Threads()) != before {
			t.Fatal("something happened")
		}
		return err
	}
	var refused *engine.EditError
	if err := edit(0, value.Null{}); !errors.As(err, &refused) || refused.Doing == "" {
		t.Errorf("before the start: %v", err)
	}
	e.Step()
	e.Step() // P is entered
	var size *engine.SizeError
	if err := edit(0, value.Must(`"0123456789"`)); !errors.As(err, &size) || size.Size != 12 || size.Limit != 10 {
		t.Errorf("a value that is too large: %v", err)
	}
	if err := edit(0, nil); !errors.As(err, &refused) {
		t.Errorf("no value: %v", err)
	}
	if err := edit(7, value.Null{}); !errors.Is(err, engine.ErrNoThread) {
		t.Errorf("no thread: %v", err)
	}
	for e.Status() == engine.Runnable {
		e.Step()
	}
	for thread, want := range []string{"waits for its branches", "is in a task", "waits for the time"} {
		err := edit(engine.ThreadID(thread), value.Null{})
		if !errors.As(err, &refused) || len(refused.Doing) < len(want) || refused.Doing[:len(want)] != want {
			t.Errorf("thread %d: %v, want %q", thread, err, want)
		}
	}
	if _, err := e.Inject(0, "X", ""); !errors.As(err, &refused) {
		t.Errorf("an error in a Parallel state that waits: %v", err)
	}
	e.Abort("", "")
	if err := edit(0, value.Null{}); !errors.Is(err, engine.ErrDone) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := e.Inject(0, "X", ""); !errors.Is(err, engine.ErrDone) {
		t.Errorf("an error after the end: %v", err)
	}
	if _, err := e.Heartbeat(1); !errors.Is(err, engine.ErrNoRequest) {
		t.Errorf("a heartbeat after the end: %v", err)
	}
}

// The items of a Map state stay an array.
func TestEditOfItems(t *testing.T) {
	const fields = `"Type":"Map","ItemsPath":"$.a","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true`
	e := compile(t, single(fields), engine.AWS).Start(value.Must(`{"a":[1]}`), engine.StartOptions{})
	stepTo(t, e, engine.StageCompleted, engine.StageItemsPath)
	var refused *engine.EditError
	if _, err := e.Edit(engine.Edit{Value: value.Must(`{}`)}); !errors.As(err, &refused) || refused.Err == nil {
		t.Errorf("an object as items: %v", err)
	}
	if _, err := e.Edit(engine.Edit{Value: value.Must(`[7,8]`)}); err != nil {
		t.Fatal(err)
	}
	drive(t, e, nil)
	wantOutput(t, e, `[7,8]`)
}

// An injected error goes the way of any other: retried, caught, or the end of the execution.
func TestInject(t *testing.T) {
	const handled = `,"Retry":[{"ErrorEquals":["Again"],"MaxAttempts":1}],"Catch":[{"ErrorEquals":["Caught"],"Next":"C"}],"Next":"E"}`
	const rest = `,"C":{"Type":"Pass","End":true},"E":{"Type":"Pass","End":true}}}`
	const task = `{"StartAt":"S","States":{"S":{` + taskFields + handled + rest
	const wait = `{"StartAt":"S","States":{"S":{"Type":"Wait","Seconds":60,"End":true}}}`
	for _, test := range []struct {
		name, definition string
		at               engine.EventType
		answered         bool
		inject           string
		want             engine.Status
		events           string
	}{
		{"a task that waits", task, engine.TaskScheduled, false, "Caught", engine.Succeeded, "TaskFailed ErrorCaught"},
		{"a task that runs", task, engine.TaskScheduled, true, "Caught", engine.Succeeded, "TaskFailed ErrorCaught"},
		{"a task, retried", task, engine.TaskScheduled, false, "Again", engine.Succeeded,
			"TaskFailed RetryScheduled RetryStarted TaskScheduled"},
		{"before a task", task, engine.StateEntered, false, "Caught", engine.Succeeded,
			"StageFailed:Result ErrorCaught"},
		{"after a task", task, engine.TaskSucceeded, false, "Caught", engine.Succeeded,
			"StageFailed:ResultPath ErrorCaught"},
		{"a task, not caught", task, engine.TaskScheduled, false, "Other", engine.Failed,
			"TaskFailed StateFailed ExecutionFailed"},
		{"a Wait", wait, engine.WaitStarted, false, "Other", engine.Failed,
			"StageFailed:Wait StateFailed ExecutionFailed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := compile(t, test.definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{})
			stepTo(t, e, test.at, 0)
			if test.answered {
				testkit.NoError(t, e.Answer(1, engine.Outcome{Output: value.Null{}, After: time.Minute}))
			}
			events, err := e.Inject(0, test.inject, "by hand")
			if err != nil {
				t.Fatal(err)
			}
			if f := events[0].Failure(); f == nil || f.Name != test.inject || f.Cause != "by hand" {
				t.Errorf("the failure is %v", f)
			}
			if requests := e.Requests(); len(requests) > 0 {
				t.Errorf("%d requests wait after the task has failed", len(requests))
			}
			all := types(append([]engine.Event(nil), events...))
			all += " " + types(drive(t, e, nil))
			if e.Status() != test.want {
				t.Errorf("ended as %v", e.Status())
			}
			if len(all) < len(test.events) || all[:len(test.events)] != test.events {
				t.Errorf("events %s\n  want %s…", all, test.events)
			}
		})
	}
}

// A heartbeat by hand begins HeartbeatSeconds anew; a task can be timed out at once.
func TestHeartbeatAndTimeOutByHand(t *testing.T) {
	const fields = taskFields + `,"TimeoutSeconds":100,"HeartbeatSeconds":10,"Catch":[{"ErrorEquals":["States.Timeout"],"Next":"C"}],"End":true`
	const definition = `{"StartAt":"S","States":{"S":{` + fields + `},"C":{"Type":"Pass","Result":"late","End":true}}}`
	for _, answered := range []bool{false, true} {
		start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		e := compile(t, definition, engine.AWS).Start(value.Must(`{}`), engine.StartOptions{Start: start})
		stepTo(t, e, engine.TaskScheduled, 0)
		if answered {
			testkit.NoError(t, e.Answer(1, engine.Outcome{Output: value.Null{}, After: 50 * time.Second}))
		}
		for beat := 1; beat <= 3; beat++ {
			testkit.NoError(t, e.AdvanceTo(e.Now().Add(8*time.Second)))
			events, err := e.Heartbeat(1)
			if err != nil || types(events) != "TaskHeartbeat" {
				t.Fatal(types(events), err)
			}
			if next, _ := e.NextTimer(); !next.Equal(start.Add(time.Duration(8*beat+10) * time.Second)) {
				t.Errorf("after heartbeat %d the next timer is at %v", beat, next)
			}
		}
		testkit.NoError(t, e.TimeOut(1))
		if err := e.TimeOut(1); !errors.Is(err, engine.ErrNoRequest) {
			t.Errorf("timed out twice: %v", err)
		}
		if got := types(e.Step()); got != "TaskTimedOut" {
			t.Errorf("after the timeout came %s", got)
		}
		drive(t, e, nil)
		wantOutput(t, e, `"late"`)
		if !e.Now().Equal(start.Add(24 * time.Second)) {
			t.Errorf("it took until %v", e.Now())
		}
	}
}
