package waiter

import (
	"time"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Format is that of the [asl.Origin] of a waiter's definition; its arguments are the waiter's name, its operation, the time that
// it may wait, and the other files of the model, where its operation refers to shapes in them.
const Format = "smithy-waiter"

const (
	nameArgument      = "waiter"
	operationArgument = "operation"
	maxWaitArgument   = "maxWait"
	filesArgument     = "files"
)

// origin is the source from which a definition can be made again.
func (m *Model) origin(w *Waiter, maxWait time.Duration) *asl.Origin {
	arguments := []value.Member{
		{Key: nameArgument, Value: value.String(w.Name)},
		{Key: operationArgument, Value: value.String(w.Operation)},
		{Key: maxWaitArgument, Value: value.String(maxWait.String())},
	}
	var others []value.Member
	for _, f := range m.shapes.Needs(w.Operation) {
		if f != w.File {
			others = append(others, value.Member{Key: f.Name, Value: value.String(f.Data)})
		}
	}
	if len(others) > 0 {
		arguments = append(arguments, value.Member{Key: filesArgument, Value: value.ObjectOf(others...)})
	}
	return &asl.Origin{Format: Format, Arguments: value.ObjectOf(arguments...)}
}

// Again makes the definition of a waiter again from its origin and the text of its model; nil where that cannot be
// done.
func Again(text *source.File, made *asl.Origin) *asl.StateMachine {
	if made.Arguments == nil {
		return nil
	}
	argument := func(name string) string {
		text, _ := made.Arguments.Get(name).(value.String)
		return string(text)
	}
	files := []*source.File{text}
	if others, ok := made.Arguments.Get(filesArgument).(*value.Object); ok {
		for name, held := range others.All() {
			data, _ := held.(value.String)
			files = append(files, &source.File{Name: name, Data: []byte(data)})
		}
	}
	m, _ := Read(files...)
	maxWait, err := time.ParseDuration(argument(maxWaitArgument))
	if m == nil || err != nil {
		return nil
	}
	for _, w := range m.Waiters {
		operation := argument(operationArgument)
		if w.Name != argument(nameArgument) || operation != "" && w.Operation != operation { // the first traces have no operation
			continue
		}
		if definition, err := m.Program(w, maxWait); err == nil {
			return definition
		}
	}
	return nil
}
