package sourcetest

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/outcome"
)

// Task asks a source for a task and returns the outcome. ok is false where the source has none; a fault is returned as
// the error.
func Task(source outcome.Source, request *engine.TaskRequest) (given engine.Outcome, ok bool, err error) {
	reply := source.Ask(outcome.Task{Request: request})
	switch reply.Kind() {
	case outcome.KindGiven:
		return reply.Outcome(), true, nil
	case outcome.KindNone:
		return engine.Outcome{}, false, nil
	case outcome.KindFault:
		return engine.Outcome{}, false, reply.Err()
	case outcome.KindContent, outcome.KindRefusal, outcome.KindLater:
	}
	return engine.Outcome{}, false, fmt.Errorf("the reply is %s", reply.Kind())
}

// Object asks a source for an object and returns its content. ok is false where the source has none; a fault is returned as
// the error, and so is a refusal.
func Object(source outcome.Source, request *engine.ObjectRequest) (body []byte, ok bool, err error) {
	reply := source.Ask(outcome.Object{Request: request})
	switch reply.Kind() {
	case outcome.KindContent:
		return reply.Body(), true, nil
	case outcome.KindNone:
		return nil, false, nil
	case outcome.KindRefusal:
		return nil, false, reply.Refused()
	case outcome.KindFault:
		return nil, false, reply.Err()
	case outcome.KindGiven, outcome.KindLater:
	}
	return nil, false, fmt.Errorf("the reply is %s", reply.Kind())
}
