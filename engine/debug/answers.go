package debug

import (
	"time"

	"asldb/engine"
	"asldb/internal/chunked"
)

// Answers holds what a run was told in its order.
type Answers struct{ list chunked.List[told] }

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
	l.list.Push(kept)
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
	kept := l.list.At(i)
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
