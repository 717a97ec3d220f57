package recorder

import (
	"errors"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// LearnHeader notes the secrets of the definition, the input and the context of a run.
func (r *Redactor) LearnHeader(h *Header) {
	if r.redactor != nil {
		r.redactor.header(*h)
	}
}

// Log returns the events of a log without their secrets. It learns the secrets of all events first, so that the events
// before one that brings a secret are without it, too. The visits are the log's.
func (r *Redactor) Log(log *runlog.Log) *runlog.Log {
	if r.redactor == nil {
		return log
	}
	for i := log.First(); i < log.Len(); i++ {
		r.redactor.event(log.At(i))
	}
	failures := map[*engine.Failure]*engine.Failure{nil: nil}
	failure := func(f, cleaned *engine.Failure) *engine.Failure {
		if failures[f] == nil && f != nil {
			cleaned.Err = r.fault(f.Err)
			failures[f] = cleaned
		}
		return failures[f]
	}
	events := make([]engine.Event, 0, log.Len()-log.First())
	for i := log.First(); i < log.Len(); i++ {
		e := log.At(i)
		cleaned := r.redactor.event(e)
		switch d := e.Detail.(type) {
		case *engine.Failure:
			cleaned.Detail = failure(d, cleaned.Detail.(*engine.Failure))
		case *engine.RetryDetail:
			copied := cleaned.Detail.(*engine.RetryDetail)
			copied.Failure = failure(d.Failure, copied.Failure)
		case *engine.CatchDetail:
			copied := cleaned.Detail.(*engine.CatchDetail)
			copied.Failure = failure(d.Failure, copied.Failure)
		}
		events = append(events, cleaned)
	}
	return runlog.Of(events)
}

// fault returns the error behind a failure without secrets: of a path that missed the value at which it stopped, and nothing of
// others, whose texts may quote data.
func (r *Redactor) fault(err error) error {
	var miss *path.MissError
	if !errors.As(err, &miss) {
		return nil
	}
	cleaned := *miss
	switch at := miss.At.(type) {
	case nil:
	case *value.Object, *value.Array:
		cleaned.At = r.redactor.value(at)
	default: // a short one is a secret only by its path, which is the member's here
		if cleaned.At = r.redactor.value(at); len(value.Compact(at)) < minSecret+2 {
			cleaned.At = value.String(Redacted)
		}
	}
	return &cleaned
}

// Scrub returns a value in which the secrets that are known are replaced. Unlike [Redactor.Value] it follows no paths: for a report
// that has values of the run as parts.
func (r *Redactor) Scrub(v value.Value) value.Value {
	if r.redactor == nil {
		return v
	}
	return r.redactor.scrub(v)
}

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
