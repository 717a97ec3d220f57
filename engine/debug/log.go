package debug

import (
	"iter"

	"asldb.dev/asldb/engine"
)

// chunk is how many events lie together: growing the log never copies what is there.
const chunk = 1024

// Log holds the events of a run in their order.
type Log struct {
	chunks [][]engine.Event
	length int
}

// Len returns the number of events.
func (l *Log) Len() int { return l.length }

// At returns event i, counted from 0. It panics when i is out of range, as a slice does. The event must
// not be changed.
func (l *Log) At(i int) *engine.Event { return &l.chunks[i/chunk][i%chunk] }

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

func (l *Log) append(events []engine.Event) {
	for len(events) > 0 {
		if l.length%chunk == 0 && l.length/chunk == len(l.chunks) {
			// The first chunk grows as a small run needs it; the others are made whole.
			size := chunk
			if l.length == 0 {
				size = 8
			}
			l.chunks = append(l.chunks, make([]engine.Event, 0, size))
		}
		last := &l.chunks[len(l.chunks)-1]
		n := min(len(events), chunk-len(*last))
		*last = append(*last, events[:n]...)
		l.length += n
		events = events[n:]
	}
}
