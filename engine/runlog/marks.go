package runlog

import (
	"iter"
	"maps"
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

// add takes in event i of the log, its head is enough.
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

// insideBlock is the number of branches or iterations that are stored, and copied, together.
const insideBlock = 256

// InsideList holds the branches or iterations of a container by their number. Lists that were made from each other
// share their common parts. A nil list is empty.
type InsideList struct {
	length, ended int
	blocks        []*ownedBlock
	owner         *byte // of the blocks that this list may change
}

type ownedBlock struct {
	owner *byte
	items [insideBlock]Inside
}

// Len returns the number of branches or iterations. Those that have not begun may be missing at the end.
func (l *InsideList) Len() int {
	if l == nil {
		return 0
	}
	return l.length
}

// Ended returns how many succeeded or failed.
func (l *InsideList) Ended() int {
	if l == nil {
		return 0
	}
	return l.ended
}

// At returns branch or iteration i, counted from 0. One that is not in the list has not started.
func (l *InsideList) At(i int) Inside {
	if l == nil || i < 0 || i >= l.length {
		return Inside{}
	}
	return l.blocks[i/insideBlock].items[i%insideBlock]
}

// All iterates over the branches or iterations in their order.
func (l *InsideList) All() iter.Seq2[int, Inside] {
	return func(yield func(int, Inside) bool) {
		for i := range l.Len() {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// share returns a list with the same contents. From now on neither changes the other.
func (l *InsideList) share() *InsideList {
	if l == nil {
		return nil
	}
	l.owner = new(byte)
	return &InsideList{length: l.length, ended: l.ended, blocks: slices.Clone(l.blocks), owner: new(byte)}
}

func (l *InsideList) set(i int, in Inside) {
	for i >= len(l.blocks)*insideBlock {
		l.blocks = append(l.blocks, &ownedBlock{owner: l.owner})
	}
	block := l.blocks[i/insideBlock]
	if block.owner != l.owner {
		block = &ownedBlock{owner: l.owner, items: block.items}
		l.blocks[i/insideBlock] = block
	}
	l.length = max(l.length, i+1)
	place := &block.items[i%insideBlock]
	l.ended += in.State.ended() - place.State.ended()
	*place = in
}

// ended is 1 for a branch or an iteration that succeeded or failed, else 0.
func (s InsideState) ended() int {
	if s == Succeeded || s == Failed {
		return 1
	}
	return 0
}

const (
	// marksEvery is the number of events from one copy of the marks to the next.
	marksEvery = 8192
	// marksNearby is the number of events between earlier marks and the copy that is made on the way to them: steps
	// back lead to events before.
	marksNearby = 256
)

// markIndex holds the marks of a run as of the newest event that was asked for, and copies of earlier ones: the marks of
// any event are found by going over few events. A run whose marks are not asked for pays nothing for them.
type markIndex struct {
	live   Marks
	known  int     // the number of events in live
	copies []Marks // copies[i] is as of the first (i+1)*marksEvery events
	// nearby is as of the first nearbyAt events, on the way to the marks that were asked for last; nil where there is none.
	nearby   Marks
	nearbyAt int
	// asked are the marks that were asked for last, as of event askedAt.
	asked   Marks
	askedAt int
}

// catchUp takes the events into the marks that are not in them yet.
func (m *markIndex) catchUp(log *Log) {
	if m.live == nil {
		m.live = make(Marks)
	}
	for ; m.known < log.Len(); m.known++ {
		m.live.add(log, m.known)
		if (m.known+1)%marksEvery == 0 {
			m.copies = append(m.copies, m.live.clone())
		}
	}
}

// prefix returns the marks of a run that shares the first n events with this one.
func (m *markIndex) prefix(n int) markIndex {
	whole := min(n/marksEvery, len(m.copies))
	fork := markIndex{copies: slices.Clone(m.copies[:whole]), known: whole * marksEvery}
	if whole > 0 {
		fork.live = fork.copies[whole-1].clone()
	}
	return fork
}

// upTo returns the marks as of event i of the log, counted from 0.
func (m *markIndex) upTo(log *Log, i int) Marks {
	m.catchUp(log)
	switch {
	case i >= log.Len()-1:
		return m.live
	case m.asked != nil && m.askedAt == i:
		return m.asked
	}
	marks, from := Marks(nil), 0
	if whole := min((i+1)/marksEvery, len(m.copies)); whole > 0 {
		marks, from = m.copies[whole-1], whole*marksEvery
	}
	if m.nearby != nil && m.nearbyAt <= i+1 && m.nearbyAt > from {
		marks, from = m.nearby, m.nearbyAt
	}
	marks = marks.clone()
	for at := from; at <= i && at < log.Len(); at++ {
		if at == i-marksNearby {
			m.nearby, m.nearbyAt = marks.clone(), at
		}
		marks.add(log, at)
	}
	m.asked, m.askedAt = marks, i
	return marks
}

// clone returns marks that change on their own. Many states are in a few pieces of memory.
func (m Marks) clone() Marks {
	c, records, counts := make(Marks, len(m)), make([]record, len(m)), 0
	for _, mark := range m {
		counts += len(mark.taken)
	}
	taken := make([]int, 0, counts)
	for state, mark := range m {
		own := &records[len(c)]
		*own = *mark
		first := len(taken)
		taken = append(taken, mark.taken...)
		own.taken = taken[first:len(taken):len(taken)]
		own.caught, own.inside, own.index = slices.Clone(mark.caught), mark.inside.share(), maps.Clone(mark.index)
		c[state] = own
	}
	return c
}
