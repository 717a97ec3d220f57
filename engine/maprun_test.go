package engine_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

const mapOfTasks = `{"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$.items","ItemProcessor":{
	"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true}}},
	"Catch":[{"ErrorEquals":["States.ExceedToleratedFailureThreshold"],"Next":"P"}],"ResultPath":"$.results","End":true},"P":{"Type":"Pass","End":true}}}`

// begunMapRun returns an execution whose Map Run has begun, and nothing of it.
func begunMapRun(t *testing.T) *engine.Execution {
	t.Helper()
	definition, _ := asl.Parse(&source.File{Name: "map", Data: []byte(mapOfTasks)})
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Start(value.Must(`{"items":[1,2]}`), engine.StartOptions{})
	for range 20 {
		if err := e.AnswerMapRun(0, engine.Outcome{Output: value.Must(`[]`)}); !errors.Is(err, engine.ErrNoMapRun) {
			t.Fatalf("before the Map Run: %v", err)
		}
		for _, event := range e.Step() {
			if event.Type == engine.MapRunStarted {
				return e
			}
		}
	}
	t.Fatal("there is no Map Run")
	return nil
}

// A Map Run that is answered as a whole runs no executions; it takes its time, and gives its result to the fields after
// the work, or its error to the catchers.
func TestAnswerMapRun(t *testing.T) {
	for _, c := range []struct {
		outcome engine.Outcome
		types   []engine.EventType
		output  string
	}{
		{engine.Outcome{Output: value.Must(`["a","b"]`), After: time.Minute},
			[]engine.EventType{engine.MapRunSucceeded, engine.MapSucceeded}, `{"items":[1,2],"results":["a","b"]}`},
		{engine.Outcome{Error: "States.ExceedToleratedFailureThreshold", Cause: "many", After: time.Minute},
			[]engine.EventType{engine.MapRunFailed, engine.MapFailed, engine.ErrorCaught},
			`{"Error":"States.ExceedToleratedFailureThreshold","Cause":"many"}`},
	} {
		e := begunMapRun(t)
		snapshot, due := e.Snapshot(), e.Now().Add(time.Minute)
		if err := e.AnswerMapRun(0, c.outcome); err != nil {
			t.Fatal(err)
		}
		if e.Status() != engine.AwaitingTime || len(e.Requests()) > 0 {
			t.Fatalf("it is %v", e.Status())
		}
		if err := e.AnswerMapRun(0, c.outcome); !errors.Is(err, engine.ErrNoMapRun) {
			t.Errorf("a second answer: %v", err)
		}
		if err := e.AdvanceTo(due.Add(time.Hour)); err != nil { // the timer stops it
			t.Fatal(err)
		}
		var types []engine.EventType
		for !e.Status().Done() {
			for _, event := range e.Step() {
				if !event.At().Equal(due) {
					t.Errorf("%v at %v, want %v", event.Type, event.At(), due)
				}
				types = append(types, event.Type)
			}
		}
		if len(types) < len(c.types) || !slices.Equal(types[:len(c.types)], c.types) {
			t.Errorf("the events are %v, want first %v", types, c.types)
		}
		if e.Output() == nil || value.Compact(e.Output()) != c.output {
			t.Errorf("the output is %v, want %s", e.Output(), c.output)
		}
		again := snapshot.Restore() // the executions still can run
		again.Step()
		if len(again.Threads()) != 3 {
			t.Errorf("%d threads", len(again.Threads()))
		}
	}
}
