package runlog

import (
	"time"

	"asldb/engine"
	"asldb/internal/chunked"
)

// Inputs holds the inputs of a run in their order. The zero Inputs is empty.
type Inputs struct{ list chunked.List[stored] }

// stored is an input in few bytes. Most are moves of the virtual clock by its own mode, which need only the time, and
// outcomes of tasks; the others are stored whole.
type stored struct {
	step, after int64
	time        int64 // of a move of the clock, in nanoseconds since 1970
	outcome     *storedOutcome
	input       *Input
}

type storedOutcome struct {
	request int64
	outcome engine.Outcome
	origin  string
}

// Add adds an input at the end.
func (l *Inputs) Add(in *Input) {
	s := stored{step: in.Step, after: in.After}
	switch {
	case in.Kind == InputTime && in.Origin == OriginClock:
		s.time = in.Time.UnixNano()
	case in.Kind == InputOutcome:
		s.outcome = &storedOutcome{in.Request, in.Outcome, in.Origin}
	default:
		whole := *in
		s.input = &whole
	}
	l.list.Push(s)
}

// InputsOf returns the inputs of a slice.
func InputsOf(inputs []Input) Inputs {
	var l Inputs
	for i := range inputs {
		l.Add(&inputs[i])
	}
	return l
}

// StepOf returns the Step of input i, counted from 0.
func (l *Inputs) StepOf(i int) int64 { return l.list.At(i).step }

// Prefix returns a list of the first n inputs that grows on its own.
func (l *Inputs) Prefix(n int) Inputs { return Inputs{l.list.Prefix(n)} }

// Forget drops all inputs but the newest, of which it keeps at least a thousand.
func (l *Inputs) Forget() { l.list.Forget() }

// Whole reports whether no input was dropped by [Inputs.Forget].
func (l *Inputs) Whole() bool { return l.list.Whole() }

// Len returns the number of inputs.
func (l *Inputs) Len() int { return l.list.Len() }

// At returns input i, counted from 0. It must not be changed.
func (l *Inputs) At(i int) *Input {
	s := l.list.At(i)
	switch given := s.outcome; {
	case s.input != nil:
		return s.input
	case given != nil:
		return &Input{
			Kind: InputOutcome, Step: s.step, After: s.after, Request: given.request, Outcome: given.outcome, Origin: given.origin,
		}
	}
	return &Input{Kind: InputTime, Step: s.step, After: s.after, Time: time.Unix(0, s.time).UTC(), Origin: OriginClock}
}
