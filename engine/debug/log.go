package debug

import (
	"iter"
	"sort"
	"time"

	"asldb/engine"
)

// Log holds the events of a run in their order.
type Log struct {
	chunked[engine.Event]
	// inner are the places of the events, in order, that are not the last ones of their step: behind them nobody can
	// stand. Most steps bring one event.
	inner []int
}

// append adds the events of one step.
func (l *Log) append(events []engine.Event) {
	for i := range len(events) - 1 {
		l.inner = append(l.inner, l.length+i)
	}
	l.chunked.append(events)
}

// forget drops what is older than the newest events.
func (l *Log) forget() {
	if l.chunked.forget() {
		l.inner = append([]int(nil), l.inner[sort.SearchInts(l.inner, l.length-2*chunk):]...)
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
func (l *Log) upTo(n int) Log {
	shared := sort.SearchInts(l.inner, n)
	return Log{chunked: l.prefix(n), inner: l.inner[:shared:shared]}
}

// isInner reports whether event i is not the last one of its step.
func (l *Log) isInner(i int) bool {
	at := sort.SearchInts(l.inner, i)
	return at < len(l.inner) && l.inner[at] == i
}

// standAt returns the first place at or after n events at which a session can stand.
func (l *Log) standAt(n int) int {
	for n = max(n, 0); n > 0 && n < l.length && l.isInner(n-1); n++ {
	}
	return min(n, l.length)
}

// standBefore returns the last place before n events at which a session can stand.
func (l *Log) standBefore(n int) int {
	for n--; n > 0 && l.isInner(n-1); n-- {
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
type Answers struct{ chunked[told] }

// told is an answer as it is kept. Most are moves of the virtual clock by its own mode, which need no more than
// when, and outcomes of tasks; of the others there is all.
type told struct {
	step, after int64
	time        int64 // of a move of the clock, in nanoseconds since the epoch
	outcome     *outcomeTold
	answer      *Answer
}

type outcomeTold struct {
	request int64
	outcome engine.Outcome
	origin  string
}

func (l *Answers) add(a *Answer) {
	kept := told{step: a.Step, after: a.After}
	switch {
	case a.Kind == AnswerTime && a.Origin == OriginClock:
		kept.time = a.Time.UnixNano()
	case a.Kind == AnswerOutcome:
		kept.outcome = &outcomeTold{a.Request, a.Outcome, a.Origin}
	default:
		whole := *a
		kept.answer = &whole
	}
	l.push(kept)
}

func (l *Answers) addAll(answers []Answer) {
	for i := range answers {
		l.add(&answers[i])
	}
}

// stepOf returns the Step of answer i.
func (l *Answers) stepOf(i int) int64 { return l.at(i).step }

// upTo returns a list of the first n answers that can grow on its own.
func (l *Answers) upTo(n int) Answers { return Answers{l.prefix(n)} }

// Len returns the number of answers.
func (l *Answers) Len() int { return l.length }

// At returns answer i, counted from 0. It must not be changed.
func (l *Answers) At(i int) *Answer {
	kept := l.at(i)
	switch given := kept.outcome; {
	case kept.answer != nil:
		return kept.answer
	case given != nil:
		return &Answer{
			Kind: AnswerOutcome, Step: kept.step, After: kept.after, Request: given.request, Outcome: given.outcome, Origin: given.origin,
		}
	}
	return &Answer{
		Kind: AnswerTime, Step: kept.step, After: kept.after, Time: time.Unix(0, kept.time).UTC(), Origin: OriginClock,
	}
}
