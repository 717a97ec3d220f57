package explore

import (
	"hash/maphash"
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
)

// seed is that of the signatures, which are compared within one process only.
var seed = maphash.MakeSeed()

// look sets what a Run is from the events of its execution.
func (d *driver) look(r *Run, e *engine.Execution) {
	r.Status, r.Error, r.Cause, r.Event = e.Status(), "", "", -1
	if f := e.Failure(); f != nil {
		r.Error, r.Cause = f.Name, f.Cause
	}
	r.Events, r.Virtual, r.done, r.spares = len(d.events), taken(d.events), true, d.spares
	if len(d.hits) > 0 {
		r.Reached, r.Event = true, d.eventOf(&d.hits[0], r.Changes)
	}
	f := follower{driver: d, run: r, first: -1}
	f.signature.SetSeed(seed)
	f.follow()
	f.word(byte(r.Status), 0)
	f.signature.WriteString(r.Error)
	r.signature = f.signature.Sum64()
}

// eventOf returns the index of the event in which a change showed: for a fault the failure of its task.
func (d *driver) eventOf(h *hit, changes []*Change) int {
	if !changes[h.change].isFault() {
		return h.event
	}
	for i := h.event; i < len(d.events); i++ {
		if e := &d.events[i]; e.Visit == h.visit && e.Type.Traits().Raises {
			return i
		}
	}
	return h.event
}

// follower goes over the events of a run once: it takes its signature, and follows the fault of the first change
// upwards through the states around its task.
type follower struct {
	*driver
	run       *Run
	signature maphash.Hash
	affected  []*engine.Visit
	first     int // the number of hits that were taken into affected
}

func (f *follower) word(kind byte, n int) {
	f.signature.WriteByte(kind)
	f.signature.WriteByte(byte(n))
	f.signature.WriteByte(byte(n >> 8))
}

func (f *follower) follow() {
	for i := range f.hits {
		if h := &f.hits[i]; h.change == 0 && h.visit != nil && f.run.Changes[0].isFault() && !slices.Contains(f.affected, h.visit) {
			f.affected = append(f.affected, h.visit)
		}
	}
	faulty := len(f.affected) > 0
	for i := range f.events {
		e := &f.events[i]
		if e.HistoryID > 0 {
			f.run.History = max(f.run.History, int(e.HistoryID))
		}
		f.sign(e)
		if faulty {
			f.step(e)
		}
	}
}

// sign adds to the signature what tells the ways of runs apart: states, rules, errors, retriers and catchers.
func (f *follower) sign(e *engine.Event) {
	switch e.Type {
	case engine.StateEntered:
		f.run.States++
		f.word(byte(e.Type), e.Visit.State.Index)
		if e.Visit.Parent != nil {
			f.signature.WriteString(e.Visit.State.Name)
			f.word(byte(e.Type), e.Visit.Index)
		}
	case engine.StateExited:
		if d, ok := e.Detail.(*engine.ExitDetail); ok && e.Visit.State.Type == asl.Choice {
			f.word(byte(e.Type), d.Rule)
		}
	case engine.RetryScheduled:
		if d, ok := e.Detail.(*engine.RetryDetail); ok {
			f.word(byte(e.Type), d.Retrier)
		}
	case engine.ErrorCaught:
		if d, ok := e.Detail.(*engine.CatchDetail); ok {
			f.word(byte(e.Type), d.Catcher)
		}
	case engine.TaskScheduled:
		if !slices.Contains(f.run.tasks, e.Visit.State) {
			f.run.tasks = append(f.run.tasks, e.Visit.State)
		}
	case engine.MapSucceeded:
		f.word(byte(e.Type), 0)
	case engine.BranchAborted, engine.IterationAborted:
		f.run.Aborted++
	default:
		if e.Type.Traits().Raises {
			f.word(byte(e.Type), 0)
			if failure := e.Failure(); failure != nil {
				f.signature.WriteString(failure.Name)
				f.signature.WriteString(failure.Field)
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
	return !r.Status.Done() && r.Events >= maxEvents || r.Base.setting.options.Limits.History > 0 && r.History >= r.Base.setting.options.Limits.History-1 && r.Status == engine.Failed
}

// Stuck reports whether the run waits for a result that nothing gives.
func (r *Run) Stuck() bool { return !r.Status.Done() && r.Events < maxEvents }
