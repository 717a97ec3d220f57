package debug

import (
	"time"

	"asldb/engine"
	"asldb/internal/chunked"
)

// Answers holds the inputs of a run in their order.
type Answers struct{ list chunked.List[stored] }

// stored is an answer in few bytes. Most are moves of the virtual clock by its own mode, which need no more than
// the time, and outcomes of tasks; the others are stored whole.
type stored struct {
	step, after int64
	time        int64 // of a move of the clock, in nanoseconds since the epoch
	outcome     *storedOutcome
	answer      *Answer
}

type storedOutcome struct {
	request int64
	outcome engine.Outcome
	origin  string
}

func (l *Answers) add(a *Answer) {
	s := stored{step: a.Step, after: a.After}
	switch {
	case a.Kind == AnswerTime && a.Origin == OriginClock:
		s.time = a.Time.UnixNano()
	case a.Kind == AnswerOutcome:
		s.outcome = &storedOutcome{a.Request, a.Outcome, a.Origin}
	default:
		whole := *a
		s.answer = &whole
	}
	l.list.Push(s)
}

func (l *Answers) addAll(answers []Answer) {
	for i := range answers {
		l.add(&answers[i])
	}
}

// stepOf returns the Step of answer i.
func (l *Answers) stepOf(i int) int64 { return l.list.At(i).step }

// upTo returns a list of the first n answers that can grow on its own.
func (l *Answers) upTo(n int) Answers { return Answers{l.list.Prefix(n)} }

// Len returns the number of answers.
func (l *Answers) Len() int { return l.list.Len() }

// At returns answer i, counted from 0. It must not be changed.
func (l *Answers) At(i int) *Answer {
	s := l.list.At(i)
	switch given := s.outcome; {
	case s.answer != nil:
		return s.answer
	case given != nil:
		return &Answer{
			Kind: AnswerOutcome, Step: s.step, After: s.after, Request: given.request, Outcome: given.outcome, Origin: given.origin,
		}
	}
	return &Answer{
		Kind: AnswerTime, Step: s.step, After: s.after, Time: time.Unix(0, s.time).UTC(), Origin: OriginClock,
	}
}
