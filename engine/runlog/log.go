// Package runlog holds the log of a run: its events and inputs in their order, and the state of the run at any event.
package runlog

import (
	"iter"
	"slices"
	"sort"

	"asldb/engine"
	"asldb/engine/value"
)

// Log holds the events of a run in their order. The zero Log is empty.
type Log struct {
	events List[engine.Event]
	// pages has the events that are not in events; nil where there are none.
	pages *pages
	// inner are the indexes of the events, ascending, that are not the last ones of their step: there is no position
	// after them. Most steps bring one event.
	inner []int

	// evaluations are the evaluations of single events, in the order of the events.
	evaluations []evaluation

	effects effects
	inputs  int   // the number of inputs
	apart   int   // 1 + the number of events after which an input came that no event came together with
	now     int64 // the virtual time after the newest event or input
	// copies is set where the data of an event may be a copy of the data of the event before.
	copies bool
	// started and deadline come from [Start]; a deadline of 0 is none.
	started, deadline int64
}

// Of returns a log of events, each taken for a separate step.
func Of(events []engine.Event) *Log {
	l := &Log{}
	for i := range events {
		l.Append(events[i : i+1])
	}
	return l
}

// Tail returns an empty slice at the end of the log, for the events of the next step. [Log.Append] does not copy events that
// were appended to it.
func (l *Log) Tail() []engine.Event { return l.events.Tail() }

// Append adds the events of one step.
func (l *Log) Append(events []engine.Event) {
	for i := range len(events) - 1 {
		l.inner = append(l.inner, l.events.Len()+i)
	}
	l.events.Append(events)
	if n := len(events); n > 0 {
		l.now = events[n-1].Time
	}
	if l.pages != nil {
		l.pages.turn(l)
	}
}

// evaluation is the evaluation for the event with the number index, counted from 0.
type evaluation struct {
	index int
	*engine.Evaluation
}

// AddEvaluations adds the evaluations of the newest step of an execution (see [engine.Execution.Evaluations]), after its
// events.
func (l *Log) AddEvaluations(evaluations []*engine.Evaluation) {
	for _, e := range evaluations {
		l.evaluations = append(l.evaluations, evaluation{int(e.Event) - 1, e})
	}
}

// Evaluation returns the evaluation for event i, counted from 0, where it drew random numbers or took long; nil otherwise,
// and for events that are read from a recording.
func (l *Log) Evaluation(i int) *engine.Evaluation {
	if at := l.evaluationsUpTo(i); at < len(l.evaluations) && l.evaluations[at].index == i {
		return l.evaluations[at].Evaluation
	}
	return nil
}

// evaluationsUpTo returns the number of evaluations for the first n events.
func (l *Log) evaluationsUpTo(n int) int {
	return sort.Search(len(l.evaluations), func(i int) bool { return l.evaluations[i].index >= n })
}

// Forget drops all events but the newest, at least a thousand stay.
func (l *Log) Forget() {
	l.effects.Forget()
	if l.events.Forget() {
		oldest := l.events.Len() - 2*Size
		l.inner = append([]int(nil), l.inner[sort.SearchInts(l.inner, oldest):]...)
		l.evaluations = append([]evaluation(nil), l.evaluations[l.evaluationsUpTo(oldest):]...)
	}
}

// Whole reports whether no event was dropped by [Log.Forget].
func (l *Log) Whole() bool { return l.pages != nil || l.events.Whole() }

// First returns the index of the first event that was not dropped by [Log.Forget].
func (l *Log) First() int {
	if l.pages != nil {
		return 0
	}
	return l.events.First()
}

// Prefix returns a log of the first n events, and of the inputs that a position there has, that grows on its own.
func (l *Log) Prefix(n int) Log { return l.prefix(n, l.effectsAt(n)) }

// Fork returns a log of the first n events and the first inputs, for a run that continues otherwise from there.
func (l *Log) Fork(n, inputs int) Log {
	p := l.prefix(n, sort.Search(l.effects.Len(), func(i int) bool { return int(l.effects.Get(i, effectInput)) >= inputs }))
	p.inputs = min(l.inputs, inputs)
	return p
}

func (l *Log) prefix(n, effects int) Log {
	shared := sort.SearchInts(l.inner, n)
	p := Log{
		events: l.prefixOfEvents(n), pages: l.pages, inner: l.inner[:shared:shared], effects: l.effects.prefix(effects),
		evaluations: slices.Clip(l.evaluations[:l.evaluationsUpTo(n)]),
		started:     l.started, deadline: l.deadline, now: l.started, copies: l.copies,
	}
	if n > 0 {
		p.now = l.At(n - 1).Time
	}
	if effects > 0 {
		last := p.effects.effect(effects - 1)
		p.inputs, p.now = last.input+1, max(p.now, last.now)
		if last.after == n && !last.immediate {
			p.apart = n + 1
		}
	}
	return p
}

// Copied says that the events are read from a recording: the data that passed from one to another are equal there, not identical.
func (l *Log) Copied() { l.copies = true }

// Copies reports whether data that passed from event to event may be equal without being identical: in a log that is [Log.Copied], and in
// one that makes events again.
func (l *Log) Copies() bool { return l.copies || l.Paged() }

// Same reports whether two values, of the data of events of the log, are one value: they are identical, or equal where the log
// [Log.Copies].
func (l *Log) Same(a, b value.Value) bool {
	return value.Identical(a, b) || l.Copies() && a != nil && b != nil && value.Equal(a, b)
}

// SharedFrom returns a number of events, from event i on, that both logs are known to share because one is a
// prefix of the other, or both have the same one. It is 0 where that is not known: the events may be equal nevertheless.
func (l *Log) SharedFrom(other *Log, i int) int {
	if l.sharesPage(other, i) || l.events.SharesChunk(&other.events, i) {
		return Size
	}
	return 0
}

// isInner reports whether event i is not the last one of its step.
func (l *Log) isInner(i int) bool {
	at := sort.SearchInts(l.inner, i)
	return at < len(l.inner) && l.inner[at] == i
}

// PositionAt returns the first position at or after n: the number of events after a whole step. The events of one
// step happen together.
func (l *Log) PositionAt(n int) int {
	for n = max(n, 0); n > 0 && n < l.Len() && l.isInner(n-1); n++ {
	}
	return min(n, l.Len())
}

// PositionBefore returns the last position before n.
func (l *Log) PositionBefore(n int) int {
	for n--; n > 0 && l.isInner(n-1); n-- {
	}
	return max(n, 0)
}

// Len returns the number of events.
func (l *Log) Len() int { return l.events.Len() }

// At returns event i, counted from 0. It panics when i is out of range, as a slice does. The event must
// not be changed.
func (l *Log) At(i int) *engine.Event {
	if l.pages == nil {
		return l.events.At(i)
	}
	return l.paged(i)
}

// All iterates over the events in their order.
func (l *Log) All() iter.Seq[*engine.Event] {
	return func(yield func(*engine.Event) bool) {
		for i := range l.Len() {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// Last returns the newest event, or nil.
func (l *Log) Last() *engine.Event {
	if l.Len() == 0 {
		return nil
	}
	return l.At(l.Len() - 1)
}

// Ended reports whether the execution has come to its end.
func (l *Log) Ended() bool {
	last := l.Last()
	return last != nil && last.Type.EndsExecution()
}
