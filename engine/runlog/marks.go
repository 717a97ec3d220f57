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
	caught []int64                 // the visits, by their entries, whose way out has been counted already
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

// add takes in event i of the log, of which its head is enough.
func (m Marks) add(log *Log, i int) {
	head := log.Head(i)
	if head.Type.EndsExecution() && head.Type != engine.ExecutionSucceeded {
		for _, mark := range m {
			mark.Active = 0 // nothing runs any more
			for thread, index := range mark.index {
				mark.inside.set(index, Inside{Aborted, thread, head.Time})
			}
			clear(mark.index)
		}
		return
	}
	if head.State == nil {
		return
	}
	m.addInside(&head)
	state := head.State
	switch head.Type {
	case engine.StateEntered, engine.StateExited, engine.StateFailed, engine.RetryScheduled, engine.ErrorCaught:
	case engine.BranchAborted, engine.IterationAborted:
		if head.Detail == 0 {
			return
		}
		aborted := log.Head(int(head.Detail) - 1)
		state = aborted.State
	default:
		if !head.Type.Traits().Raises {
			return
		}
	}
	mark := m[state]
	if mark == nil {
		mark = &record{}
		m[state] = mark
	}
	switch head.Type {
	case engine.StateEntered:
		mark.Visits++
		mark.Active++
		mark.Failed = false
	case engine.StateExited:
		mark.Active--
		if at := slices.Index(mark.caught, head.Entered); at >= 0 { // a catcher's transition was counted when it matched
			mark.caught = slices.Delete(mark.caught, at, at+1)
			break
		}
		mark.take(&head)
	case engine.StateFailed:
		mark.Active--
		mark.Failed = true
	case engine.RetryScheduled:
		mark.Retries++
	case engine.ErrorCaught:
		mark.Catches++
		mark.caught = append(mark.caught, head.Entered)
		mark.take(&head)
	case engine.BranchAborted, engine.IterationAborted:
		mark.Active--
	default:
		mark.Failures++
	}
}

// take counts the transition of an event.
func (m *record) take(head *Head) {
	if head.Detail == 0 {
		return
	}
	for len(m.taken) < int(head.Detail) {
		m.taken = append(m.taken, 0)
	}
	m.taken[head.Detail-1]++
}

// addInside notes the beginnings and ends of a container's branches or iterations.
func (m Marks) addInside(head *Head) {
	state := NotStarted
	switch head.Type {
	case engine.BranchStarted, engine.IterationStarted:
		state = Running
	case engine.BranchSucceeded, engine.IterationSucceeded:
		state = Succeeded
	case engine.BranchFailed, engine.IterationFailed:
		state = Failed
	case engine.BranchAborted, engine.IterationAborted:
		state = Aborted
	case engine.ParallelStarted, engine.MapStarted:
		if mark := m[head.State]; mark != nil { // the list is of an earlier visit or attempt
			mark.inside, mark.index = &InsideList{owner: new(byte)}, make(map[engine.ThreadID]int)
		}
		return
	default:
		return
	}
	mark := m[head.State]
	if mark == nil || mark.inside == nil {
		return
	}
	index, known := mark.index[head.Thread]
	if state == Running {
		index, known = int(head.Detail), true
		mark.index[head.Thread] = index
	}
	if !known {
		return
	}
	mark.inside.set(index, Inside{state, head.Thread, head.Time})
	if state != Running {
		delete(mark.index, head.Thread)
	}
}
