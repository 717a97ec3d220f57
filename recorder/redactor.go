package recorder

import (
	"asldb/engine"
	"asldb/engine/value"
)

// Redactor keeps secrets out of reports about one run, as a trace keeps them out of itself. A value that a path leads to in any event
// of the run is a secret, and is replaced wherever it comes up. It is for one goroutine.
type Redactor struct{ redactor *redactor }

// NewRedactor returns a redactor for a run. Without redactions it replaces nothing.
func NewRedactor(redactions []*Redaction) *Redactor { return &Redactor{newRedactor(redactions)} }

// Learn notes the secrets of an event. All events of the run are to be learned before the first value is asked for.
func (r *Redactor) Learn(e *engine.Event) {
	if r.redactor != nil {
		r.redactor.event(e)
	}
}

// Value returns a value without secrets; nil for nil.
func (r *Redactor) Value(v value.Value) value.Value {
	if r.redactor == nil {
		return v
	}
	return r.redactor.value(v)
}

// Text returns a text without secrets.
func (r *Redactor) Text(text string) string {
	if r.redactor == nil {
		return text
	}
	return r.redactor.text(text)
}

// Unfound returns the paths that have led to nothing.
func (r *Redactor) Unfound() []string {
	if r.redactor == nil {
		return nil
	}
	return r.redactor.unfound()
}
