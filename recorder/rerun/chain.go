package rerun

import (
	"errors"
	"fmt"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
)

// Then returns a source that asks the recording first and, for what that does not tell, next, which may be nil.
// It has the objects of next: no history has any.
func Then(recorded *Source, next debug.Source) debug.Source {
	return &chain{recorded: recorded, next: next}
}

type chain struct {
	recorded *Source
	next     debug.Source
	byNext   bool // the newest outcome is that of next
}

// NotRecordedError says why a task has no outcome: neither the recording has one nor what was given besides.
type NotRecordedError struct {
	Missing *fixtures.MissingError
	Why     string // of the recording
}

// Error implements error.
func (e *NotRecordedError) Error() string {
	return fmt.Sprintf("%v\nin the recording: %s", e.Missing, e.Why)
}

// Unwrap returns Missing.
func (e *NotRecordedError) Unwrap() error { return e.Missing }

// Outcome implements debug.Source.
func (c *chain) Outcome(request *engine.TaskRequest) (engine.Outcome, bool, error) {
	c.byNext = false
	outcome, ok, err := c.recorded.Outcome(request)
	if ok || err != nil || c.next == nil {
		return outcome, ok, err
	}
	c.byNext = true
	outcome, ok, err = c.next.Outcome(request)
	var missing *fixtures.MissingError
	if errors.As(err, &missing) {
		return outcome, ok, &NotRecordedError{Missing: missing, Why: c.recorded.Missing(request)}
	}
	return outcome, ok, err
}

// Reset implements debug.Source.
func (c *chain) Reset() {
	c.recorded.Reset()
	if c.next != nil {
		c.next.Reset()
	}
}

// Origin implements debug.Originator.
func (c *chain) Origin() string {
	switch origin, ok := c.next.(debug.Originator); {
	case !c.byNext:
		return c.recorded.Origin()
	case ok:
		return origin.Origin()
	}
	return debug.OriginSource
}

// Refused says why the fixtures behind the recording have no result.
func (c *chain) Refused(request *engine.TaskRequest) error {
	return fixtures.RefusedBy(c.next, request)
}

// Unused lists what the fixtures behind the recording did not give.
func (c *chain) Unused() []fixtures.Unused { return fixtures.UnusedOf(c.next) }

// Object implements debug.Objects.
func (c *chain) Object(request *engine.ObjectRequest) (body []byte, ok bool, err error) {
	if objects, has := c.next.(debug.Objects); has {
		return objects.Object(request)
	}
	return nil, false, nil
}
