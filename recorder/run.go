package recorder

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"asldb/engine"
	"asldb/engine/runlog"
)

// Run is one of the runs that a trace holds: a fork with the events that it shares with those before it. A run without
// forks is one.
type Run struct {
	t *Trace
	b int
	// spans are the parts of the inputs of its forks that belong to the run, the last one without a bound; nil: not
	// known yet.
	spans []span
	// Looked is called with the numbers of the events that [Run.Recording] reads, and reports whether to continue; nil:
	// always.
	Looked func(seq int64) bool
}

// span is the beginning of the inputs of a fork.
type span struct{ fork, count int }

// Fork describes a fork of a trace.
type Fork struct {
	// Parent is the number of the fork that it continues, from 0; -1 of the first. After is the number of the
	// last event that it has from there.
	Parent int
	After  int64
	// Last is the number of its last event, and Events how many belong to it alone.
	Last, Events int64
}

// Forks returns the forks in the order in which they began.
func (t *Trace) Forks() []Fork {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	list := make([]Fork, len(t.forks))
	for i := range t.forks {
		b := &t.forks[i]
		list[i] = Fork{Parent: b.parent, After: b.after, Last: b.last, Events: b.events}
	}
	return list
}

// Run returns the run of a fork, counted from 0.
func (t *Trace) Run(fork int) *Run { return &Run{t: t, b: fork} }

// Last returns the run that was recorded last.
func (t *Trace) Last() *Run {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.Run(len(t.forks) - 1)
}

// owner returns the fork that an event of a fork is in.
func (t *Trace) owner(b int, seq int64) int {
	for t.forks[b].parent >= 0 && seq <= t.forks[b].after {
		b = t.forks[b].parent
	}
	return b
}

// eventLine returns the line of an event of a fork.
func (t *Trace) eventLine(b int, seq int64) ([]byte, int64, error) {
	chunks := t.forks[t.owner(b, seq)].chunks
	at := sort.Search(len(chunks), func(i int) bool { return t.chunks[chunks[i]].seq > seq }) - 1
	chunk := -1
	if at >= 0 && seq > 0 {
		chunk = chunks[at]
	}
	return t.findLine(seqStart, seq, chunk)
}

// Len returns the number of the run's last event. Events are numbered from 1 without gaps, unless the trace is damaged.
func (r *Run) Len() int64 {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	return r.last()
}

func (r *Run) last() int64 { return r.t.forks[r.b].last }

// Event returns the event of that number. The error is a *[LineError], or comes from reading the file.
func (r *Run) Event(seq int64) (*engine.Event, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	return r.event(seq)
}

func (r *Run) event(seq int64) (*engine.Event, error) {
	line, number, err := r.t.eventLine(r.b, seq)
	if err != nil {
		return nil, err
	}
	e, err := r.t.read.readEvent(r.b, seq, line)
	if err != nil {
		var inner *LineError
		if !errors.As(err, &inner) {
			err = &LineError{Line: number, Msg: err.Error()}
		}
		return nil, err
	}
	return e, nil
}

// All iterates over the events in their order. Of an event that cannot be read it gives the error, and
// continues; of several in a row that have no line it gives one.
func (r *Run) All() iter.Seq2[*engine.Event, error] {
	return func(yield func(*engine.Event, error) bool) { r.each(1, r.Len(), yield) }
}

// each gives the events from one number to another, as All does, and reports whether more are wanted. It returns the number
// of the event behind those that it gave, which may be greater than last+1 where lines are missing.
func (r *Run) each(first, last int64, yield func(*engine.Event, error) bool) (next int64, more bool) {
	for seq := first; seq <= last; seq = next {
		event, err := r.Event(seq)
		next = seq + 1
		var fault *LineError
		if errors.As(err, &fault) && fault.Missing && fault.Event == seq {
			if next = r.following(seq); next > seq+1 {
				err = &LineError{Missing: true, Event: seq, Msg: fmt.Sprintf("has no events %d to %d: their lines are damaged or missing", seq, next-1)}
			}
		}
		if !yield(event, err) {
			return next, false
		}
	}
	return max(next, last+1), true
}

// following returns the number of the first event after seq that has a line, one more than the last where none has.
func (r *Run) following(seq int64) int64 {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	for _, own := range r.stretches() {
		if own.last <= seq {
			continue
		}
		if next := r.t.eventAfter(own.fork, max(seq, own.after)); next <= own.last {
			return next
		}
		seq = own.last
	}
	return r.last() + 1
}

// eventAfter returns the number of the first event of a fork's own lines that is greater than seq.
func (t *Trace) eventAfter(b int, seq int64) int64 {
	chunks := t.forks[b].chunks
	at := sort.Search(len(chunks), func(i int) bool { return t.chunks[chunks[i]].seq > seq })
	next := int64(math.MaxInt64)
	if at < len(chunks) {
		next = t.chunks[chunks[at]].seq
	}
	if at == 0 {
		return next
	}
	chunk := chunks[at-1]
	l, err := t.chunkLines(chunk)
	if err != nil {
		return next
	}
	for i := range l.len() {
		line := l.at(i)
		if !bytes.HasPrefix(line, []byte(seqStart)) || t.isPassedOver(t.chunks[chunk].line+int64(i)+1) {
			continue
		}
		if n, ok := leadingInt(line[len(seqStart):]); ok && n > seq {
			return min(next, n)
		}
	}
	return next
}

// whole reports whether every event of the run has a line.
func (r *Run) whole() bool {
	for _, own := range r.stretches() {
		if gap := r.t.forks[own.fork].gap; gap > 0 && gap <= own.last {
			return false
		}
	}
	return true
}

// Inputs returns the inputs of the run, in order. Of inputs that cannot be read it returns the error of the first
// beside the others: a *[LineError], or one of reading the file.
func (r *Run) Inputs() ([]runlog.Input, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	var inputs []runlog.Input
	fault := r.eachInput(func(in runlog.Input) { inputs = append(inputs, in) }, func(after int64) {
		inputs = inputs[:sort.Search(len(inputs), func(i int) bool { return inputs[i].After >= after })]
	})
	return inputs, fault
}

// InputList is [Run.Inputs] in less memory.
func (r *Run) InputList() (*runlog.Inputs, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	inputs := &runlog.Inputs{}
	fault := r.eachInput(func(in runlog.Input) { inputs.Add(&in) }, func(after int64) {
		some := inputs.Prefix(sort.Search(inputs.Len(), func(i int) bool { return inputs.At(i).After >= after }))
		inputs = &some
	})
	return inputs, fault
}

// eachInput gives the inputs of the forks that the run is made of. Where a fork begins, those given before that are dropped that came
// after the event, or at it.
func (r *Run) eachInput(add func(runlog.Input), drop func(after int64)) (fault error) {
	for _, b := range r.lineage() {
		if own := &r.t.forks[b]; own.parent >= 0 { // those given before the event at which the fork begins stay
			drop(own.after)
		}
		for _, at := range r.t.forks[b].inputs {
			in, err := r.input(at)
			if err != nil {
				fault = cmp.Or(fault, err)
				continue
			}
			add(in)
		}
	}
	return fault
}

func (r *Run) input(at lineAt) (runlog.Input, error) {
	l, err := r.t.chunkLines(int(at.chunk))
	if err != nil {
		return runlog.Input{}, err
	}
	number := r.t.chunks[at.chunk].line + int64(at.line) + 1
	f, err := r.t.read.fields(l.at(int(at.line)))
	if err != nil {
		return runlog.Input{}, &LineError{Line: number, Msg: "is not JSON: " + err.Error()}
	}
	defer r.t.read.done(f)
	in, err := r.t.read.readInput(f)
	if err == nil {
		err, r.t.read.fault = r.t.read.fault, nil
	}
	if err != nil {
		return in, &LineError{Line: number, Msg: err.Error()}
	}
	return in, nil
}

// lineage returns the forks that the run is made of, the oldest first.
func (r *Run) lineage() []int {
	var list []int
	for b := r.b; b >= 0; b = r.t.forks[b].parent {
		list = append([]int{b}, list...)
	}
	return list
}

// stretch is a part of a run: the events of a fork behind number after, up to number last.
type stretch struct {
	fork        int
	after, last int64
}

// stretches returns the parts of the run in the order of their events. A fork has a part only where a later one does not begin before it.
func (r *Run) stretches() []stretch {
	var list []stretch
	end := r.last()
	for b := r.b; b >= 0; b = r.t.forks[b].parent {
		own := &r.t.forks[b]
		if last := min(own.last, end); last > own.after {
			list = append(list, stretch{b, own.after, last})
		}
		end = min(end, own.after)
	}
	slices.Reverse(list)
	return list
}
