package runlog

import (
	"slices"

	"asldb/engine"
	"asldb/engine/asl"
)

// Mark is the tally of one state of the definition up to an event, of all threads together.
type Mark struct {
	// Visits counts the entries; Failures the errors that came up in it; Retries and Catches the
	// retriers and catchers that matched.
	Visits, Failures, Retries, Catches int
	// Active counts the threads that are in it now.
	Active int
	// Failed is set when its last visit ended with an error that nothing in it caught.
	Failed bool
}

// record is a state's mark with its rarer details.
type record struct {
	Mark
	taken  []int                   // how often each of asl.State.Edges was taken; the last ones may be missing
	caught []*engine.Visit         // whose way out has been counted already
	inside *InsideList             // of the newest visit
	index  map[engine.ThreadID]int // of those that run
}

// Inside is one branch of a Parallel state, or one iteration of a Map state.
type Inside struct {
	State  InsideState
	Thread engine.ThreadID
	// Time is when it came to this state, in nanoseconds since 1970.
	Time int64
}

// InsideState is the state of a branch or an iteration.
type InsideState uint8

// The states of a branch or an iteration.
const (
	NotStarted InsideState = iota
	Running
	Succeeded
	Failed
	Aborted
)

// Marks are the marks of the states of a definition.
type Marks map[*asl.State]*record

// Of returns the mark of a state.
func (m Marks) Of(state *asl.State) Mark {
	if mark := m[state]; mark != nil {
		return mark.Mark
	}
	return Mark{}
}

// Taken returns how often one of [asl.State.Edges], given by its place there, was taken.
func (m Marks) Taken(state *asl.State, edge int) int {
	if mark := m[state]; mark != nil && edge < len(mark.taken) {
		return mark.taken[edge]
	}
	return 0
}

// Inside returns the branches or iterations of a container's newest visit.
func (m Marks) Inside(state *asl.State) *InsideList {
	if mark := m[state]; mark != nil {
		return mark.inside
	}
	return nil
}

// add takes in an event.
func (m Marks) add(event *engine.Event) {
	if event.Type.EndsExecution() && event.Type != engine.ExecutionSucceeded {
		for _, mark := range m {
			mark.Active = 0 // nothing runs any more
			for thread, index := range mark.index {
				mark.inside.set(index, Inside{Aborted, thread, event.Time})
			}
			clear(mark.index)
		}
		return
	}
	if event.Visit == nil {
		return
	}
	m.addInside(event)
	switch event.Type {
	case engine.StateEntered, engine.StateExited, engine.StateFailed, engine.RetryScheduled, engine.ErrorCaught,
		engine.BranchAborted, engine.IterationAborted:
	default:
		if !event.RaisesError() {
			return
		}
	}
	state := event.Visit.State
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok { // of an aborted thread
		if detail.Visit == nil {
			return
		}
		state = detail.Visit.State
	}
	mark := m[state]
	if mark == nil {
		mark = &record{}
		m[state] = mark
	}
	switch event.Type {
	case engine.StateEntered:
		mark.Visits++
		mark.Active++
		mark.Failed = false
	case engine.StateExited:
		mark.Active--
		mark.leave(event)
	case engine.StateFailed:
		mark.Active--
		mark.Failed = true
	case engine.RetryScheduled:
		mark.Retries++
	case engine.ErrorCaught:
		mark.Catches++
		mark.caught = append(mark.caught, event.Visit)
		if detail, ok := event.Detail.(*engine.CatchDetail); ok {
			mark.take(state, asl.EdgeCatch, detail.Catcher)
		}
	case engine.BranchAborted, engine.IterationAborted:
		mark.Active--
	default:
		mark.Failures++
	}
}

// leave counts the transition with which a visit ends. One that a catcher made was counted when it matched.
func (m *record) leave(event *engine.Event) {
	for i, visit := range m.caught {
		if visit == event.Visit {
			m.caught = slices.Delete(m.caught, i, i+1)
			return
		}
	}
	detail, ok := event.Detail.(*engine.ExitDetail)
	state := event.Visit.State
	switch {
	case !ok || detail.Next == "":
	case detail.Rule >= 0:
		m.take(state, asl.EdgeChoice, detail.Rule)
	case state.Type == asl.Choice:
		m.take(state, asl.EdgeDefault, 0)
	default:
		m.take(state, asl.EdgeNext, 0)
	}
}

func (m *record) take(state *asl.State, kind asl.EdgeKind, index int) {
	at, ok := state.EdgeTo(kind, index)
	if !ok {
		return
	}
	for len(m.taken) <= at {
		m.taken = append(m.taken, 0)
	}
	m.taken[at]++
}

// addInside notes the beginnings and ends of a container's branches or iterations.
func (m Marks) addInside(event *engine.Event) {
	state := NotStarted
	switch event.Type {
	case engine.BranchStarted, engine.IterationStarted:
		state = Running
	case engine.BranchSucceeded, engine.IterationSucceeded:
		state = Succeeded
	case engine.BranchFailed, engine.IterationFailed:
		state = Failed
	case engine.BranchAborted, engine.IterationAborted:
		state = Aborted
	case engine.ParallelStarted, engine.MapStarted:
		if mark := m[event.Visit.State]; mark != nil { // the list is of an earlier visit or attempt
			mark.inside, mark.index = &InsideList{owner: new(byte)}, make(map[engine.ThreadID]int)
		}
		return
	default:
		return
	}
	mark := m[event.Visit.State]
	if mark == nil || mark.inside == nil {
		return
	}
	index, known := mark.index[event.Thread]
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok && state == Running {
		index, known = detail.Index, true
		mark.index[detail.Thread] = index
	}
	if !known {
		return
	}
	mark.inside.set(index, Inside{state, event.Thread, event.Time})
	if state != Running {
		delete(mark.index, event.Thread)
	}
}
