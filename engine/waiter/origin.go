package waiter

import (
	"time"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Format is that of the [asl.Origin] of a waiter's definition; its arguments are the waiter's name and the time that
// it may wait.
const Format = "smithy-waiter"

const (
	nameArgument    = "waiter"
	maxWaitArgument = "maxWait"
)

// origin is the source from which a definition can be made again.
func origin(w *Waiter, maxWait time.Duration) *asl.Origin {
	return &asl.Origin{Format: Format, Arguments: value.ObjectOf(
		value.Member{Key: nameArgument, Value: value.String(w.Name)},
		value.Member{Key: maxWaitArgument, Value: value.String(maxWait.String())},
	)}
}

// Again makes the definition of a waiter again from its origin and the text of its model; nil where that cannot be
// done.
func Again(text *source.File, made *asl.Origin) *asl.StateMachine {
	m, _ := Read(text)
	if m == nil || made.Arguments == nil {
		return nil
	}
	name, _ := made.Arguments.Get(nameArgument).(value.String)
	wait, _ := made.Arguments.Get(maxWaitArgument).(value.String)
	maxWait, err := time.ParseDuration(string(wait))
	w := m.Lookup(string(name))
	if err != nil || w == nil {
		return nil
	}
	definition, err := m.Program(w, maxWait)
	if err != nil {
		return nil
	}
	return definition
}
