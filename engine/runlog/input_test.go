package runlog_test

import (
	"errors"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Each kind of input has its own name, by which it is found.
func TestInputKinds(t *testing.T) {
	for kind := runlog.InputOutcome; kind <= runlog.InputMapBounds; kind++ {
		if found, ok := runlog.ParseInputKind(kind.String()); !ok || found != kind {
			t.Errorf("the name %q of kind %d is of kind %d", kind, uint8(kind), uint8(found))
		}
	}
	if _, ok := runlog.ParseInputKind(""); ok {
		t.Error("there is a kind without a name")
	}
	if name := runlog.InputKind(200).String(); name != "InputKind(200)" {
		t.Errorf("kind 200 is %s", name)
	}
}

// Inputs of each kind bring about in an execution the change that they describe, or an error that says why they cannot.
func TestApply(t *testing.T) {
	const definition = `{"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","HeartbeatSeconds":9,
		"Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":99}],"Next":"P"},"P":{"Type":"Pass","End":true}}}`
	parsed, _ := asl.Parse(&source.File{Name: "apply", Data: []byte(definition)})
	machine, err := engine.Compile(parsed, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Start(value.Must(`{}`), engine.StartOptions{})
	run := func() {
		for e.Status() == engine.Runnable {
			e.Step()
		}
	}
	give := func(in runlog.Input, effect runlog.EffectKind, brings engine.EventType) {
		t.Helper()
		if got := in.Effect(e); got.Kind != effect {
			t.Errorf("%s has effect %d, want %d", in.Kind, got.Kind, effect)
		}
		events, err := in.Apply(e)
		switch {
		case err != nil:
			t.Fatalf("%s: %v", in.Kind, err)
		case in.Brings() != (brings != 0), brings != 0 && (len(events) != 1 || events[0].Type != brings):
			t.Errorf("%s brings %v, want %v", in.Kind, events, brings)
		}
	}
	retry := func() {
		t.Helper()
		run()
		due, _ := e.NextTimer()
		give(runlog.Input{Kind: runlog.InputTime, Time: due}, runlog.EffectNone, 0)
		run()
	}
	run()
	give(runlog.Input{Kind: runlog.InputHeartbeat, Request: 1}, runlog.EffectHeartbeat, engine.TaskHeartbeat)
	give(runlog.Input{Kind: runlog.InputTimeout, Request: 1}, runlog.EffectTimeout, 0)
	retry()
	give(runlog.Input{Kind: runlog.InputInject, Error: "E"}, runlog.EffectNone, engine.TaskFailed)
	retry()
	failed := runlog.Input{Kind: runlog.InputOutcome, Request: 3, Outcome: engine.Outcome{Error: "E"},
		Origin: "fixtures"}
	give(failed, runlog.EffectOutcome, 0)
	if !failed.Automatic() {
		t.Error("the outcome of a source is not automatic")
	}
	run()
	give(runlog.Input{Kind: runlog.InputEdit, Edit: &engine.Edit{Value: value.Int(1)}}, runlog.EffectNone,
		engine.DataEdited)
	give(runlog.Input{Kind: runlog.InputFocus}, runlog.EffectNone, 0)
	for _, in := range []runlog.Input{
		{Kind: runlog.InputEdit}, {Kind: 200}, {Kind: runlog.InputObject, Request: 7}, {Kind: runlog.InputMapRun},
		{Kind: runlog.InputOutcome, Request: 3}, {Kind: runlog.InputTime, Time: e.Now().Add(-time.Second)},
	} {
		_, err := in.Apply(e)
		var fault *runlog.InputError
		if err == nil || errors.As(err, &fault) != (in.Kind == runlog.InputEdit || in.Kind == 200) {
			t.Errorf("%s: %v", in.Kind, err)
		}
	}
	give(runlog.Input{Kind: runlog.InputAbort, Error: "Stop"}, runlog.EffectNone, engine.ExecutionAborted)
}
