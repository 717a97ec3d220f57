package runlog

import (
	"math"
	"slices"
	"sort"
	"time"

	"asldb/engine"
	"asldb/engine/value"
)

// Inputs holds the inputs of a run in their order. The zero Inputs is empty.
type Inputs struct {
	read    *inputPages // the first paged inputs are read when they are asked for; nil: there are none
	paged   int
	list    List[stored] // those behind them
	origins []string     // of outcomes
	failed  *failedOutcome
}

// stored is an input in few bytes. Most are moves of the virtual clock by its own mode, which need only the time, and
// outcomes of tasks; the others are stored whole.
type stored struct {
	step, after int64
	// number is the time of a move of the clock, in nanoseconds since 1970, or the number of a request.
	number int64
	// data is nil for a move of the clock, the output of an outcome that has nothing else, a *failedOutcome, an
	// *engine.Outcome, or an *Input.
	data   any
	origin uint8 // the place of the outcome's origin in origins
}

// failedOutcome is an outcome that is nothing but an error. Equal ones in a row are stored once.
type failedOutcome struct{ name, cause string }

// Add adds an input at the end.
func (l *Inputs) Add(in *Input) {
	s := stored{step: in.Step, after: in.After}
	origin, known := 0, false
	if in.Kind == InputOutcome {
		origin, known = l.origin(in.Origin)
	}
	switch {
	case in.Kind == InputTime && in.Origin == OriginClock:
		s.number = in.Time.UnixNano()
	case known:
		s.number, s.origin, s.data = in.Request, uint8(origin), l.outcome(&in.Outcome)
	default:
		whole := *in
		s.data = &whole
	}
	l.list.Push(s)
}

// origin returns the place of an origin in the list, to which it adds it. ok is false where the list is full.
func (l *Inputs) origin(name string) (place int, ok bool) {
	for i, known := range l.origins {
		if known == name {
			return i, true
		}
	}
	if len(l.origins) > math.MaxUint8 {
		return 0, false
	}
	l.origins = append(l.origins, name)
	return len(l.origins) - 1, true
}

// outcome returns an outcome as it is stored.
func (l *Inputs) outcome(o *engine.Outcome) any {
	switch {
	case o.Submitted != nil || o.After != 0 || o.HeartbeatEvery != 0:
	case o.Output == nil:
		if l.failed == nil || l.failed.name != o.Error || l.failed.cause != o.Cause {
			l.failed = &failedOutcome{o.Error, o.Cause}
		}
		return l.failed
	case o.Error == "" && o.Cause == "":
		return o.Output
	}
	whole := *o
	return &whole
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
func (l *Inputs) StepOf(i int) int64 {
	if i < l.paged {
		return l.read.input(i).Step
	}
	return l.list.At(i - l.paged).step
}

// AfterOf returns the After of input i, counted from 0.
func (l *Inputs) AfterOf(i int) int64 {
	if i < l.paged {
		return l.read.input(i).After
	}
	return l.list.At(i - l.paged).after
}

// FirstAfter returns the first input whose After is n or more, [Inputs.Len] where there is none. It is found with few reads where it
// is near to input hint.
func (l *Inputs) FirstAfter(n int64, hint int) int {
	before := func(i int) bool { return l.AfterOf(i) < n }
	low, high, step := 0, min(max(hint, 0), l.Len()), 1
	if high < l.Len() && before(high) {
		for low = high + 1; low+step <= l.Len() && before(low+step-1); step *= 2 {
			low += step
		}
		high = min(low+step-1, l.Len())
	} else {
		for ; high >= step && !before(high-step); step *= 2 {
			high -= step
		}
		low = max(high-step, 0)
	}
	return low + sort.Search(high-low, func(i int) bool { return !before(low + i) })
}

// Automatic reports whether input i is [Input.Automatic].
func (l *Inputs) Automatic(i int) bool {
	if i < l.paged {
		return l.read.input(i).Automatic()
	}
	switch data := l.list.At(i - l.paged).data.(type) {
	case nil: // a move of the clock
		return false
	case *Input:
		return data.Automatic()
	}
	return l.origins[l.list.At(i-l.paged).origin] != OriginPerson
}

// Prefix returns a list of the first n inputs that grows on its own.
func (l *Inputs) Prefix(n int) Inputs {
	paged := min(n, l.paged)
	return Inputs{read: l.read, paged: paged, list: l.list.Prefix(n - paged), origins: slices.Clip(l.origins)}
}

// Forget drops all inputs but the newest, at least a thousand stay.
func (l *Inputs) Forget() { l.list.Forget() }

// Whole reports whether no input was dropped by [Inputs.Forget].
func (l *Inputs) Whole() bool { return l.list.Whole() }

// Len returns the number of inputs.
func (l *Inputs) Len() int { return l.paged + l.list.Len() }

// At returns input i, counted from 0. It must not be changed.
func (l *Inputs) At(i int) *Input {
	if i < l.paged {
		return l.read.input(i)
	}
	s := l.list.At(i - l.paged)
	in := Input{Kind: InputOutcome, Step: s.step, After: s.after}
	switch data := s.data.(type) {
	case nil:
		in.Kind, in.Time, in.Origin = InputTime, time.Unix(0, s.number).UTC(), OriginClock
		return &in
	case *Input:
		return data
	case *failedOutcome:
		in.Outcome = engine.Outcome{Error: data.name, Cause: data.cause}
	case *engine.Outcome:
		in.Outcome = *data
	case value.Value:
		in.Outcome = engine.Outcome{Output: data}
	}
	in.Request, in.Origin = s.number, l.origins[s.origin]
	return &in
}

const (
	// pageSize is the number of inputs that are read together, and keptPages how many pages are held.
	pageSize  = 256
	keptPages = 8
)

// inputPages holds some of the inputs of a recording, the newest read last.
type inputPages struct {
	read  func(from, n int) ([]Input, error)
	held  []inputPage
	fault error // the first one of reading
}

type inputPage struct {
	from   int
	inputs []Input
}

// ReadInputs returns the inputs of a recording that has count of them. They are read when they are needed, and only some are held
// in memory. One that cannot be read is of no kind and so cannot be given: see [Inputs.Fault].
func ReadInputs(count int, read func(from, n int) ([]Input, error)) Inputs {
	return Inputs{read: &inputPages{read: read}, paged: count}
}

// Fault returns the error of the first input that could not be read, nil where there was none.
func (l *Inputs) Fault() error {
	if l.read == nil {
		return nil
	}
	return l.read.fault
}

// Lengthen says that a recording whose inputs are read has count of them now.
func (l *Inputs) Lengthen(count int) {
	if l.read == nil || count <= l.paged {
		return
	}
	l.read.held = slices.DeleteFunc(l.read.held, func(p inputPage) bool { return p.from+pageSize > l.paged }) // it was not full
	l.paged = count
}

// input returns input i.
func (p *inputPages) input(i int) *Input {
	from := i - i%pageSize
	for k := len(p.held) - 1; k >= 0; k-- {
		if held := p.held[k]; held.from == from && i-from < len(held.inputs) {
			if k < len(p.held)-1 {
				p.held = append(slices.Delete(p.held, k, k+1), held)
			}
			return &held.inputs[i-from]
		}
	}
	inputs, err := p.read(from, pageSize)
	if err != nil && p.fault == nil {
		p.fault = err
	}
	if i-from >= len(inputs) {
		return &Input{Step: -1}
	}
	if len(p.held) == keptPages {
		p.held = slices.Delete(p.held, 0, 1)
	}
	p.held = append(p.held, inputPage{from, inputs})
	return &inputs[i-from]
}
