package sourcetest

import (
	"fmt"

	"asldb/engine"
	"asldb/engine/outcome"
)

// Task asks a source for a task and returns the outcome. ok is false where the source has none; a fault is returned as
// the error.
func Task(source outcome.Source, request *engine.TaskRequest) (given engine.Outcome, ok bool, err error) {
	switch reply := source.Ask(outcome.Task{Request: request}).(type) {
	case outcome.Given:
		return reply.Outcome, true, nil
	case outcome.None:
		return engine.Outcome{}, false, nil
	case outcome.Fault:
		return engine.Outcome{}, false, reply.Err
	default:
		return engine.Outcome{}, false, fmt.Errorf("the reply is %T", reply)
	}
}

// Object asks a source for an object and returns its content. ok is false where the source has none; a fault is returned as
// the error, and so is a refusal.
func Object(source outcome.Source, request *engine.ObjectRequest) (body []byte, ok bool, err error) {
	switch reply := source.Ask(outcome.Object{Request: request}).(type) {
	case outcome.Content:
		return reply.Body, true, nil
	case outcome.None:
		return nil, false, nil
	case outcome.Refusal:
		return nil, false, reply.Error
	case outcome.Fault:
		return nil, false, reply.Err
	default:
		return nil, false, fmt.Errorf("the reply is %T", reply)
	}
}
