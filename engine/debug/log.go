package debug

import (
	"iter"

	"asldb.dev/asldb/engine"
)

// Log holds the events of a run in their order.
type Log struct{ chunked[engine.Event] }

// Len returns the number of events.
func (l *Log) Len() int { return l.length }

// At returns event i, counted from 0. It panics when i is out of range, as a slice does. The event must
// not be changed.
func (l *Log) At(i int) *engine.Event { return l.at(i) }

// All iterates over the events in their order.
func (l *Log) All() iter.Seq[*engine.Event] {
	return func(yield func(*engine.Event) bool) {
		for i := range l.length {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// Last returns the newest event, or nil.
func (l *Log) Last() *engine.Event {
	if l.length == 0 {
		return nil
	}
	return l.At(l.length - 1)
}

// Answers holds what a run was told in its order.
type Answers struct{ chunked[Answer] }

// Len returns the number of answers.
func (l *Answers) Len() int { return l.length }

// At returns answer i, counted from 0. It must not be changed.
func (l *Answers) At(i int) *Answer { return l.at(i) }
