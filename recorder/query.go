package recorder

import (
	"cmp"
	"fmt"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/expr"
	"asldb/engine/value"
)

// Query is a condition over events: an expression of package expr: $ is the data after the event (where there is none,
// the data before it), and the bare names come from [breakpoint.Fields].
type Query struct{ condition *expr.Expression }

// ParseQuery reads a condition; an empty text is met by every event. The error is an *[expr.SyntaxError].
func ParseQuery(text string) (*Query, error) {
	if text == "" {
		return &Query{}, nil
	}
	condition, err := expr.Compile(text)
	if err != nil {
		return nil, err
	}
	return &Query{condition}, nil
}

// MatchError says that a condition cannot be evaluated with an event.
type MatchError struct {
	Event int64
	Err   error
}

// Error implements error.
func (e *MatchError) Error() string { return fmt.Sprintf("event %d: %v", e.Event, e.Err) }

// Unwrap returns Err.
func (e *MatchError) Unwrap() error { return e.Err }

// Matches reports whether an event meets the condition. The error is about an evaluation with
// this event: a name that the event lacks is null, but a function may refuse its argument.
func (q *Query) Matches(e *engine.Event) (bool, error) {
	if q.condition == nil {
		return true, nil
	}
	data := cmp.Or(e.After, e.Before)
	return q.condition.Truth(&expr.Env{Data: data, Fields: queryFields(e)})
}

// fieldNames are the bare names that an event may lack: in a query they are null then.
var fieldNames = [...]string{"state", "path", "visit", "error", "cause"}

func queryFields(e *engine.Event) map[string]value.Value {
	fields := breakpoint.Fields(e)
	for _, name := range fieldNames {
		if _, ok := fields[name]; !ok {
			fields[name] = nil
		}
	}
	return fields
}
