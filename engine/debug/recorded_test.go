package debug

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/outcome"
	"asldb/engine/outcome/sourcetest"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// The recorded outcomes, objects and Map Runs that Verify gives keep to the protocol of sources.
func TestRecordedSourceKeepsToTheProtocol(t *testing.T) {
	state := &asl.State{Name: "A", Type: asl.Task, Scope: &asl.Scope{}}
	visit := &engine.Visit{State: state, Number: 1}
	each := &engine.Visit{State: &asl.State{Name: "M", Type: asl.Map, Scope: &asl.Scope{}}, Number: 1, Entered: 3}
	request := func(id int64, attempt int) *engine.TaskRequest {
		return &engine.TaskRequest{ID: id, Visit: visit, Attempt: attempt, Invocation: attempt}
	}
	events := []engine.Event{
		{Seq: 1, Type: engine.TaskScheduled, Visit: visit, Detail: request(1, 1)},
		{Seq: 2, Type: engine.TaskScheduled, Visit: visit, Detail: request(2, 2)},
		{Seq: 3, Type: engine.StateExited, Visit: visit},
		{Seq: 4, Type: engine.MapRunStarted, Visit: each},
	}
	inputs := []runlog.Input{
		{Kind: runlog.InputOutcome, Request: 1, Outcome: engine.Outcome{Error: "E"}, Origin: runlog.OriginPerson},
		{Kind: runlog.InputOutcome, Request: 2, Outcome: engine.Outcome{Output: value.Int(2)}, Origin: "fixtures"},
		{Kind: runlog.InputMapRun, After: 4, Outcome: engine.Outcome{Output: value.Int(3)},
			Origin: runlog.OriginRecorded},
		{Kind: runlog.InputObject, Request: 1, Body: []byte("[]"), Origin: "fixtures"},
		{Kind: runlog.InputObject, Request: 2, Refused: &engine.ObjectError{Cause: "no"}, Origin: "fixtures"},
	}
	create := func() outcome.Source {
		source := &recordedSource{inputs: inputs}
		source.index(runlog.Of(events))
		return source
	}
	var asks []outcome.Ask
	for round := range int64(2) { // the second time there is nothing left
		asks = append(asks, outcome.Task{Request: request(10*round+1, 1)},
			outcome.Task{Request: request(10*round+2, 2)},
			outcome.MapRun{Visit: each, Attempt: 1}, outcome.MapRun{Visit: each, Attempt: 2})
	}
	for id := range int64(3) {
		asks = append(asks, outcome.Object{Request: &engine.ObjectRequest{ID: id + 1}})
	}
	sourcetest.Test(t, create, asks...)
	given := 0
	for source, i := create(), 0; i < len(asks); i++ {
		if reply := source.Ask(asks[i]); reply.Kind() != outcome.KindNone {
			given++
		}
	}
	if given != len(inputs) {
		t.Errorf("%d of %d inputs are given", given, len(inputs))
	}
	sourcetest.Test(t, func() outcome.Source { return outcome.First(create(), create()) }, asks...)
}
