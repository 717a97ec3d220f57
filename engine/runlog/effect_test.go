package runlog_test

import (
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
)

// byHand has a task that is answered by hand, objects of an ItemReader, and a Map Run that is answered as a whole.
const byHand = `{"StartAt":"T","States":{
	"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","TimeoutSeconds":60,"HeartbeatSeconds":5,
		"Catch":[{"ErrorEquals":["States.ALL"],"Next":"Read"}],"Next":"Read"},
	"Read":{"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON"},"Parameters":{"Bucket":"b","Key":"k"}},
		"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}},"Next":"Whole"},
	"Whole":{"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"Q","States":{"Q":{"Type":"Pass","End":true}}},"End":true}}}`

// Each input that brings no event is in the moment at the end of the log.
func TestEffects(t *testing.T) {
	definition, diagnostics := asl.Parse(&source.File{Name: "by hand", Data: []byte(byHand)})
	if definition == nil {
		t.Fatal(diagnostics[0])
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Start(value.Must(`{}`), engine.StartOptions{})
	var log runlog.Log
	var p runlog.Projection
	log.Begin(runlog.Start{Time: e.Now()})
	check := func() {
		t.Helper()
		if got, want := saidBy(p.At(&log, log.Len())), saidBy(e); got != want {
			t.Fatalf("after %d events the projection says\n%s\nand the execution\n%s", log.Len(), got, want)
		}
	}
	given := func(effect runlog.Effect, events []engine.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		effect.Now = e.Now()
		log.Effect(effect)
		log.Append(events)
		check()
	}
	step := func(until func() bool) {
		t.Helper()
		for !until() {
			log.Append(e.Step())
			check()
		}
	}
	step(func() bool { return e.Unanswered() != nil })
	given(runlog.Effect{}, nil, e.AdvanceTo(e.Now().Add(2*time.Second)))
	events, err := e.Heartbeat(1)
	given(runlog.Effect{Kind: runlog.EffectHeartbeat}, events, err)
	given(runlog.Effect{}, nil, e.AdvanceTo(e.Now().Add(4*time.Second)))
	given(runlog.Effect{Kind: runlog.EffectTimeout}, nil, e.TimeOut(1))
	step(func() bool { return e.UnansweredObject() != nil })
	given(runlog.Effect{Kind: runlog.EffectObject}, nil, e.AnswerObject(e.UnansweredObject().ID, []byte(`[1,2]`), nil))
	step(func() bool {
		last := log.Last()
		return last.Type == engine.StateExited && last.Visit.State.Name == "Read"
	})
	step(func() bool { return log.Last().Type == engine.MapRunStarted })
	given(runlog.Effect{Kind: runlog.EffectMapRun, Delay: time.Minute}, nil,
		e.AnswerMapRun(0, engine.Outcome{Output: value.Must(`[3]`), After: time.Minute}))
	given(runlog.Effect{}, nil, e.AdvanceTo(e.Now().Add(time.Hour)))
	step(func() bool { return e.Status().Done() })
	if e.Status() != engine.Succeeded || log.Now() != e.Now() {
		t.Errorf("it ended as %v at %v", e.Status(), log.Now())
	}
	check()
}
