package recorder

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Lost is in a repaired trace in place of a lost value.
const Lost = "[lost]"

// Repaired is the result of a repair.
type Repaired struct {
	// Events and Inputs are how many were kept, of all forks.
	Events, Inputs int64
	// Losses are what was left out, in sentences; the first hundred, and one with the number of the others.
	Losses []string
	// Broken is set where something is lost that the kept events need, so that they cannot be executed again: it was
	// before the last of them.
	Broken bool
}

// Whole reports whether nothing is lost.
func (r *Repaired) Whole() bool { return len(r.Losses) == 0 }

// Examine finds out what a repair would leave out.
func (t *Trace) Examine() *Repaired { return t.repair(nothing{}) }

// WriteRepaired writes what is left of the trace to a new one, which has no warnings: events, answers and values that are damaged are
// left out, with the events of visits whose entry is lost. The events are renumbered. A lost value of an event that is
// kept is replaced by [Lost]. name names out in messages. The error is a *[TraceError].
func (t *Trace) WriteRepaired(name string, out io.Writer, options TraceOptions) (*Repaired, error) {
	found := t.Examine()
	header := *t.header
	if found.Broken {
		header.Lost = append(slices.Clone(header.Lost), found.Losses...)
	}
	w, err := NewTraceWriter(name, out, &header, options)
	if err != nil {
		return nil, err
	}
	found = t.repair(w)
	return found, w.Close()
}

// Compressed reports whether the trace is compressed.
func (t *Trace) Compressed() bool { return t.unpack != nil }

// nothing is a sink of events that are only counted.
type nothing struct{}

func (nothing) Received(runlog.Input)   {}
func (nothing) Happened([]engine.Event) {}
func (nothing) Rewound(int64)           {}
func (nothing) Sync()                   {}

// maxLosses bounds the losses that are listed.
const maxLosses = 100

// repairing carries what is left of a trace to a sink.
type repairing struct {
	t    *Trace
	sink debug.Sink
	out  *Repaired

	fork    int
	at      int64                   // the number of the newest event, lost ones included
	gaps    []gap                   // the lost events of the run so far, in order
	entries map[int64]*engine.Visit // by the numbers of their entries in the damaged trace
	said    map[string]bool         // losses that are in the list
	unsaid  int
	first   int64             // the first line that is lost; 0: none
	orphans map[int64]*orphan // visits whose entry is lost
	order   []*orphan
	inputs  []lineAt // of the fork, those that were not taken yet
	next    *runlog.Input
	last    int64 // the line of the newest event that was kept
}

// gap is a row of lost events; before is the number of those that are lost before it.
type gap struct{ from, to, before int64 }

// orphan is a visit whose entry is lost.
type orphan struct {
	path   string
	events int
}

func (t *Trace) repair(sink debug.Sink) *Repaired {
	r := &repairing{
		t: t, sink: sink, out: &Repaired{}, entries: make(map[int64]*engine.Visit), said: make(map[string]bool), orphans: make(map[int64]*orphan),
	}
	for _, w := range t.Warnings() {
		r.lose(w.Line, w.Error())
	}
	t.read.lenient = func(err error) {
		r.out.Broken = true
		r.lose(0, "a value is lost, "+value.Compact(value.String(Lost))+" is in its place: "+err.Error())
	}
	defer func() { t.read.lenient = nil }()
	for b := range t.Forks() {
		r.carry(b)
	}
	for _, o := range r.order {
		events := "1 event"
		if o.events > 1 {
			events = fmt.Sprintf("%d events", o.events)
		}
		r.say(fmt.Sprintf("the visit of %q that has lost its entry is left out, with %s", clip(o.path), events))
	}
	if r.unsaid > 0 {
		r.out.Losses = append(r.out.Losses, fmt.Sprintf("%d more losses", r.unsaid))
	}
	r.out.Broken = r.out.Broken || r.first > 0 && r.first < r.last
	return r.out
}

// lose notes a loss in a line; 0 is an unknown one.
func (r *repairing) lose(line int64, text string) {
	r.mark(line)
	r.say(text)
}

// mark notes that something in a line is lost.
func (r *repairing) mark(line int64) {
	if line > 0 && (r.first == 0 || line < r.first) {
		r.first = line
	}
}

func (r *repairing) say(text string) {
	switch {
	case r.said[text]:
	case len(r.out.Losses) == maxLosses:
		r.unsaid++
	default:
		r.said[text] = true
		r.out.Losses = append(r.out.Losses, text)
	}
}

// carry carries a fork to the sink.
func (r *repairing) carry(b int) {
	own := &r.t.forks[b]
	r.fork, r.at, r.inputs, r.next = b, own.after, own.inputs, nil
	if b > 0 {
		r.back(own.after)
		r.sink.Rewound(r.number(own.after))
	}
	run := r.t.Run(b)
	run.each(own.after+1, own.last, func(event *engine.Event, err error) bool {
		if err != nil {
			var fault *LineError
			line := int64(0)
			if errors.As(err, &fault) {
				line = fault.Line
			}
			r.lose(line, err.Error())
			return true
		}
		r.give(event.Seq)
		r.event(event)
		return true
	})
	r.give(own.last + 1)
	r.skip(own.last)
}

// back lets the run go back to an event.
func (r *repairing) back(to int64) {
	for entered := range r.entries {
		if entered > to {
			delete(r.entries, entered)
		}
	}
	for n := len(r.gaps); n > 0 && r.gaps[n-1].to > to; n = len(r.gaps) {
		last := &r.gaps[n-1]
		if last.to = min(last.to, to); last.to < last.from {
			r.gaps = r.gaps[:n-1]
		}
	}
}

// skip notes that the events up to a number are lost.
func (r *repairing) skip(to int64) {
	if to <= r.at {
		return
	}
	if n := len(r.gaps); n > 0 && r.gaps[n-1].to == r.at {
		r.gaps[n-1].to = to
	} else {
		before := int64(0)
		if n > 0 {
			before = r.gaps[n-1].before + r.gaps[n-1].to - r.gaps[n-1].from + 1
		}
		r.gaps = append(r.gaps, gap{r.at + 1, to, before})
	}
	r.at = to
}

// number returns the new number of the newest event that is kept up to an old one.
func (r *repairing) number(old int64) int64 {
	n := old
	for i := len(r.gaps) - 1; i >= 0; i-- {
		if g := &r.gaps[i]; g.from <= old {
			return n - g.before - (min(g.to, old) - g.from + 1)
		}
	}
	return n
}

// give gives the inputs that came before an event.
func (r *repairing) give(before int64) {
	for len(r.inputs) > 0 {
		if r.next == nil {
			in, err := r.read(r.inputs[0])
			if err != nil {
				r.lose(r.t.chunks[r.inputs[0].chunk].line+int64(r.inputs[0].line)+1, err.Error())
				r.inputs = r.inputs[1:]
				continue
			}
			r.next = &in
		}
		if r.next.After >= before {
			return
		}
		in := *r.next
		in.After = r.number(min(max(in.After, 0), r.at))
		r.sink.Received(in)
		r.out.Inputs++
		r.inputs, r.next = r.inputs[1:], nil
	}
}

func (r *repairing) read(at lineAt) (runlog.Input, error) {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	return r.t.Run(r.fork).input(at)
}

// event gives an event, with its new number, where the entry of its visit is kept.
func (r *repairing) event(e *engine.Event) {
	r.skip(e.Seq - 1)
	kept := *e
	kept.Seq = r.number(r.at) + 1
	if lost := r.renumber(&kept, e); lost != nil {
		o := r.orphans[lost.Entered]
		if o == nil {
			o = &orphan{path: lost.Path()}
			r.orphans[lost.Entered] = o
			r.order = append(r.order, o)
		}
		o.events++
		r.mark(r.line(e.Seq))
		r.skip(e.Seq)
		return
	}
	if int64(kept.Thread) > kept.Seq {
		r.lose(r.line(e.Seq), fmt.Sprintf("event %d belongs to a thread whose beginning is lost", e.Seq))
		r.skip(e.Seq)
		return
	}
	r.at = e.Seq
	r.last = max(r.last, r.line(e.Seq))
	r.out.Events++
	r.sink.Happened([]engine.Event{kept})
}

// line returns the number of the line of an event of the fork.
func (r *repairing) line(seq int64) int64 {
	r.t.mutex.Lock()
	defer r.t.mutex.Unlock()
	_, line, _ := r.t.eventLine(r.fork, seq)
	return line
}

// renumber replaces the visits of an event by those with new numbers. It returns the visit whose entry is lost, nil: none is.
func (r *repairing) renumber(kept, e *engine.Event) (lost *engine.Visit) {
	switch {
	case e.Visit == nil:
	case e.Type == engine.StateEntered:
		visit := *e.Visit
		visit.Entered = kept.Seq
		if visit.Parent != nil {
			if visit.Parent = r.entries[e.Visit.Parent.Entered]; visit.Parent == nil {
				return e.Visit.Parent
			}
		}
		if int64(visit.Thread) <= kept.Seq {
			r.entries[e.Seq] = &visit
		}
		kept.Visit = &visit
		if kept.HistoryID == 0 && visit.HistoryID > 0 && visit.HistoryID <= math.MaxUint16 { // version 1 has it for the visit
			kept.HistoryID = uint16(visit.HistoryID)
		}
	default:
		if kept.Visit = r.entries[e.Visit.Entered]; kept.Visit == nil {
			return e.Visit
		}
	}
	kept.Detail = r.detail(kept, e)
	return nil
}

// detail returns the detail of an event with the visits that have new numbers; one that is lost is left out.
func (r *repairing) detail(kept, e *engine.Event) engine.Detail {
	switch d := e.Detail.(type) {
	case *engine.Failure:
		return r.failure(d, kept, e)
	case *engine.RetryDetail:
		retry := *d
		retry.Failure = r.failure(d.Failure, kept, e)
		return &retry
	case *engine.CatchDetail:
		caught := *d
		caught.Failure = r.failure(d.Failure, kept, e)
		return &caught
	case *engine.ThreadDetail:
		thread := *d
		if d.Visit != nil {
			thread.Visit = r.entries[d.Visit.Entered]
		}
		return &thread
	}
	return e.Detail
}

func (r *repairing) failure(d *engine.Failure, kept, e *engine.Event) *engine.Failure {
	if d == nil {
		return nil
	}
	origin := kept.Visit
	if d.Origin != nil && d.Origin != e.Visit {
		if known := r.entries[d.Origin.Entered]; known != nil {
			origin = known
		}
	}
	return engine.RecordedFailure(d.Name, d.Cause, d.Field, origin)
}
