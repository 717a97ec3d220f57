package explore

import (
	"hash/maphash"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
)

// seed is the seed of the signatures, which are compared within one process only.
var seed = maphash.MakeSeed()

// summarize sets what a Run is from the events of its execution.
func (d *driver) summarize(r *Run, e *engine.Execution) {
	r.Status, r.Error, r.Cause, r.Event = e.Status(), "", "", -1
	if f := e.Failure(); f != nil {
		r.Error, r.Cause = f.Name, f.Cause
	}
	r.Events, r.done = d.length(), true
	if len(d.hits) > 0 {
		r.Reached, r.Event = true, d.eventOf(&d.hits[0], r.Changes)
	}
	f := d.followed(r)
	if d.met != nil {
		f.onto(r.Base, d.met)
	}
	f.conclude()
}

// follower returns one of the newest run, before its first event.
func (d *driver) follower(r *Run) *follower {
	clear(d.noted)
	return &follower{driver: d, run: r, totals: totals{way: way{scale: 1}}}
}

// followed goes over the events of a run.
func (d *driver) followed(r *Run) *follower {
	f := d.follower(r)
	if d.begun != nil {
		f.totals, r.raised = d.begun.totals, r.Base.Run.raised
	}
	f.follow()
	return f
}

// onto adds the rest of a base, from a mark on.
func (f *follower) onto(b *Base, m *mark) {
	t, r := b.setting.trail, f.run
	f.way, r.raised = f.way.behind(m.way, t.end.way), r.raised || b.Run.raised
	f.states += t.end.states - m.states
	f.aborted += t.end.aborted - m.aborted
	f.history = max(f.history, int(f.events[len(f.events)-1].HistoryID)+t.id-m.id)
	r.Events += t.events - m.event - 1
	r.Status, r.Error, r.Cause = b.Run.Status, b.Run.Error, b.Run.Cause
	f.virtual += t.end.virtual - m.virtual
}

// conclude sets what a run is.
func (f *follower) conclude() {
	r := f.run
	r.States, r.Aborted, r.History, r.Virtual = f.states, f.aborted, f.history, f.virtual
	w := f.way
	w.add(uint64(r.Status))
	w.text(r.Error)
	r.signature = w.sum
}

// eventOf returns the index of the event in which a change showed: for a fault the failure of its task.
func (d *driver) eventOf(h *hit, changes []*Change) int {
	if !changes[h.change].isFault() {
		return h.event
	}
	for i := h.event - d.from; i < len(d.events); i++ {
		if e := &d.events[i]; e.Visit == h.visit && e.Type.Traits().Raises {
			return d.from + i
		}
	}
	return h.event
}

// follower goes over the events of a run once: it takes its signature, and follows the fault of the first change
// upwards through the states around its task.
type follower struct {
	*driver
	totals
	run      *Run
	affected []*engine.Visit
	marks    []mark // of a base, whose totals are set
}

func (f *follower) word(e *engine.Event, n int) { f.way.add(uint64(e.Type)<<32 | uint64(uint32(n))) }

func (f *follower) follow() {
	for i := range f.hits {
		h := &f.hits[i]
		if h.change == 0 && h.visit != nil && f.run.Changes[0].isFault() && !slices.Contains(f.affected, h.visit) {
			f.affected = append(f.affected, h.visit)
		}
	}
	faulty := len(f.affected) > 0
	for i := range f.events {
		e := &f.events[i]
		f.history = max(f.history, int(e.HistoryID))
		f.virtual = e.At().Sub(f.run.Base.setting.options.Start)
		f.sign(e)
		if len(f.marks) > 0 && f.marks[0].event == i {
			f.marks[0].totals, f.marks = f.totals, f.marks[1:]
		}
		if faulty {
			f.step(e)
		}
	}
}

// sign adds to the signature what tells the ways of runs apart: states, rules, errors, retriers and catchers.
func (f *follower) sign(e *engine.Event) {
	switch e.Type {
	case engine.StateEntered:
		f.states++
		f.word(e, e.Visit.State.Index)
		if s := e.Visit.State; (s.Type == asl.Choice || s.Type == asl.Map) && f.first(s) {
			f.run.deciding = append(f.run.deciding, s)
		}
		if e.Visit.Parent != nil {
			f.way.text(e.Visit.State.Name)
			f.word(e, e.Visit.Index)
		}
	case engine.StateExited:
		if d, ok := e.Detail.(*engine.ExitDetail); ok && e.Visit.State.Type == asl.Choice {
			f.word(e, d.Rule)
		}
	case engine.RetryScheduled:
		if d, ok := e.Detail.(*engine.RetryDetail); ok {
			f.word(e, d.Retrier)
		}
	case engine.ErrorCaught:
		if d, ok := e.Detail.(*engine.CatchDetail); ok {
			f.word(e, d.Catcher)
		}
	case engine.TaskScheduled:
		if f.first(e.Visit.State) {
			f.run.tasks = append(f.run.tasks, e.Visit.State)
		}
	case engine.MapSucceeded:
		f.word(e, 0)
	case engine.BranchAborted, engine.IterationAborted:
		f.aborted++
	default:
		if e.Type.Traits().Raises {
			f.word(e, 0)
			if failure := e.Failure(); failure != nil {
				f.way.text(failure.Name)
				f.way.text(failure.Field)
				f.run.raised = f.run.raised || slices.Contains(own, failure.Name)
			}
		}
	}
}

// step notes what an event says about the fault.
func (f *follower) step(e *engine.Event) {
	if e.Visit == nil || !slices.Contains(f.affected, e.Visit) {
		return
	}
	switch e.Type {
	case engine.RetryScheduled:
		if d, ok := e.Detail.(*engine.RetryDetail); ok {
			f.note(Step{Kind: Retried, State: e.Visit.State, Index: d.Retrier})
		}
	case engine.ErrorCaught:
		if d, ok := e.Detail.(*engine.CatchDetail); ok {
			f.note(Step{Kind: Caught, State: e.Visit.State, Index: d.Catcher, Next: d.Next})
		}
	case engine.MapSucceeded:
		f.note(Step{Kind: Tolerated, State: e.Visit.State})
	case engine.StateFailed:
		switch parent := e.Visit.Parent; {
		case parent == nil:
			f.note(Step{Kind: Unhandled, State: e.Visit.State})
		case !slices.Contains(f.affected, parent):
			f.affected = append(f.affected, parent)
		}
	default:
	}
}

// first reports whether a state is met for the first time in the events of the run.
func (f *follower) first(s *asl.State) bool {
	n := len(f.noted)
	f.noted[s] = true
	return len(f.noted) > n
}

// note adds a step, or counts it where it was done before.
func (f *follower) note(s Step) {
	for i := range f.run.Handling {
		have := &f.run.Handling[i]
		if have.Kind == s.Kind && have.State == s.State && have.Index == s.Index && have.Next == s.Next {
			have.Count++
			return
		}
	}
	s.Count = 1
	f.run.Handling = append(f.run.Handling, s)
}

// Endless reports whether the run was ended because it had too many events.
func (r *Run) Endless() bool {
	if !r.Status.Done() {
		return r.Events >= maxEvents
	}
	limit := r.Base.setting.options.Limits.History
	return limit > 0 && r.History >= limit-1 && r.Status == engine.Failed
}

// Stuck reports whether the run waits for a result that nothing gives.
func (r *Run) Stuck() bool { return !r.Status.Done() && r.Events < maxEvents }
