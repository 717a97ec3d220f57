package debug

import (
	"iter"

	"asldb.dev/asldb/engine"
)

// Log holds the events of a run in their order.
type Log struct {
	chunked[engine.Event]
	// ends says of each event whether it is the last one of a step: between the others nobody can stand.
	ends chunked[bool]
}

// append adds the events of one step.
func (l *Log) append(events []engine.Event) {
	l.chunked.append(events)
	for i := range events {
		l.ends.append([]bool{i == len(events)-1})
	}
}

// LogOf returns a log of events, each of which is taken for a step of its own.
func LogOf(events []engine.Event) *Log {
	l := &Log{}
	for i := range events {
		l.append(events[i : i+1])
	}
	return l
}

// upTo returns a log of the first n events that can grow on its own.
func (l *Log) upTo(n int) Log { return Log{chunked: l.prefix(n), ends: l.ends.prefix(n)} }

// standAt returns the first place at or after n events at which a session can stand.
func (l *Log) standAt(n int) int {
	for n = max(n, 0); n > 0 && n < l.length && !*l.ends.at(n - 1); n++ {
	}
	return min(n, l.length)
}

// standBefore returns the last place before n events at which a session can stand.
func (l *Log) standBefore(n int) int {
	for n--; n > 0 && !*l.ends.at(n - 1); n-- {
	}
	return max(n, 0)
}

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

// upTo returns a list of the first n answers that can grow on its own.
func (l *Answers) upTo(n int) Answers { return Answers{l.prefix(n)} }

// Len returns the number of answers.
func (l *Answers) Len() int { return l.length }

// At returns answer i, counted from 0. It must not be changed.
func (l *Answers) At(i int) *Answer { return l.at(i) }
