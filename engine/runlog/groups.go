// Folds the log of a run into visits of states, branches and iterations.
//
// A visit of a state is a group with its events in it; the branches and iterations of a Parallel or Map are groups inside of
// the visit that began them. An [Index] is extended as the log grows: an event costs the same in a long run as in a short one.

package runlog

import (
	"slices"

	"asldb/engine"
)

// Kind is the kind of a group.
type Kind uint8

// The kinds of groups.
const (
	// Execution is the whole run; no event is its header.
	Execution Kind = iota
	// Visit is one stay in a state. Its first event, StateEntered, is its header.
	Visit
	// Thread is a branch or an iteration; BranchStarted or IterationStarted is its header.
	Thread
)

// Outcome says how a group ended.
type Outcome uint8

// The outcomes.
const (
	BranchRunning Outcome = iota
	BranchSucceeded
	// Caught: a catcher took over, and the state was left by it.
	Caught
	BranchFailed
	// Aborted: it was stopped from outside: another branch failed, or the execution ended.
	BranchAborted
)

// None means no event and no group.
const None = -1

// Group is one visit, branch or iteration. Events are given by their place in the log, from 0.
type Group struct {
	header, newest, end int32
	first, last         int32 // the first and the last event directly inside of it
	retries             int32
	kind                Kind
	outcome             Outcome
	caught              bool
}

// Header returns the event that represents the group: its own first one.
func (g Group) Header() int { return int(g.header) }

// Newest returns the newest event of the group itself; events of groups inside it do not count.
func (g Group) Newest() int { return int(g.newest) }

// End returns the event that ended the group, or None.
func (g Group) End() int { return int(g.end) }

// Kind is the group's kind.
func (g Group) Kind() Kind { return g.kind }

// Attempts counts how often the state's work was begun, the first time included.
func (g Group) Attempts() int { return int(g.retries) + 1 }

// Counts tallies the branches or iterations of a Parallel or Map visit.
type Counts struct{ Begun, Done, Failed, Aborted int }

// Live returns how many have not ended.
func (c Counts) Live() int { return c.Begun - c.Done - c.Failed - c.Aborted }

// Retry is the delay before another attempt, in nanoseconds since the Unix epoch. Event is the RetryScheduled that
// began it.
type Retry struct {
	From, Due int64
	Event     int
}

// place is where a live thread is.
type place struct{ thread, visit int32 }

// Index is the log, grouped. The zero Index is not usable; see [New].
type Index struct {
	rows    rows
	groups  groups
	places  map[engine.ThreadID]place
	counts  map[int32]*Counts
	retries map[int32][]Retry
	threads List[int32] // the groups of kind Thread, and the execution's first
	failed  []int32     // the headers of the visits that failed, in order

	// standings are the standings of the first standingsOf events.
	standings   map[int]Standing
	standingsOf int

	log        *Log
	mark       engine.Event // the newest event that was read
	generation int
}

// New returns an empty index.
func New() *Index {
	x := &Index{}
	x.Reset()
	return x
}

// Reset forgets the log.
func (x *Index) Reset() {
	*x = Index{
		rows: newRows(), groups: newGroups(), generation: x.generation + 1,
		places: make(map[engine.ThreadID]place), counts: make(map[int32]*Counts), retries: make(map[int32][]Retry),
	}
	x.groups.add(Group{kind: Execution, header: None, newest: None, end: None, first: None, last: None})
	x.threads.Push(0)
	x.places[0] = place{thread: 0, visit: None}
}

// Generation counts how often the index has started over: by [Index.Reset], or since the log had become another one.
func (x *Index) Generation() int { return x.generation }

// Len returns the number of events that have been read.
func (x *Index) Len() int { return x.rows.Len() }

// Extend reads the events appended to the log since the last call. A log that is another one, or was cut, is read
// again.
func (x *Index) Extend(log *Log) {
	if n := x.rows.Len(); n > 0 && (log.Len() < n || !sameEvent(log.At(n-1), &x.mark)) {
		x.Reset()
	}
	x.log = log
	from := x.rows.Len()
	for i := from; i < log.Len(); i++ {
		x.add(i, log.Head(i))
	}
	if x.rows.Len() > from {
		x.mark, x.standings = *log.Last(), nil
	}
}

// sameEvent reports whether the log still has the event that was its newest.
func sameEvent(a, b *engine.Event) bool {
	return a.Seq == b.Seq && a.Visit == b.Visit && a.Type == b.Type && a.Time == b.Time && a.Thread == b.Thread
}

// Log returns the log that was read last.
func (x *Index) Log() *Log { return x.log }

func (x *Index) add(i int, e Head) {
	switch traits := e.Type.Traits(); {
	case traits.Scope == engine.OfExecution:
		x.appendTo(0, i)
		if traits.Ends.Done() {
			outcome := BranchFailed
			if traits.Ends == engine.Succeeded {
				outcome = BranchSucceeded
			}
			x.close(0, i, outcome)
		}
	case e.Type == engine.StateEntered:
		at := x.placeOf(e.Thread)
		at.visit = x.begin(at.thread, i, Visit)
		x.places[e.Thread] = at
	case traits.Scope == engine.OfThread && traits.Opens:
		parent := int32(0)
		if e.State != nil {
			parent = x.holder(x.placeOf(x.log.Head(int(e.Entered) - 1).Thread))
		}
		g := x.begin(parent, i, Thread)
		x.places[e.Thread] = place{thread: g, visit: None}
		x.threads.Push(g)
		x.count(parent).Begun++
	case traits.Scope == engine.OfThread && traits.Ends == engine.Succeeded:
		x.endThread(i, e, BranchSucceeded)
	case traits.Scope == engine.OfThread && traits.Ends == engine.Failed:
		x.endThread(i, e, BranchFailed)
	case traits.Scope == engine.OfThread:
		x.endThread(i, e, BranchAborted)
	default:
		x.addToVisit(i, e)
	}
}

func (x *Index) addToVisit(i int, e Head) {
	g := x.holder(x.placeOf(e.Thread))
	x.appendTo(g, i)
	switch e.Type {
	case engine.RetryScheduled:
		x.groups.change(g, func(group *Group) { group.caught = false })
		x.retries[g] = append(x.retries[g], Retry{From: e.Time, Due: e.Detail, Event: i})
	case engine.RetryStarted:
		x.groups.change(g, func(group *Group) { group.retries++ })
	case engine.ErrorCaught:
		x.groups.change(g, func(group *Group) { group.caught = true })
	case engine.StateExited:
		outcome := BranchSucceeded
		if x.groups.get(g).caught {
			outcome = Caught
		}
		x.close(g, i, outcome)
	case engine.StateFailed:
		x.close(g, i, BranchFailed)
		x.fail(x.groups.get(g))
	default:
	}
}

// fail notes that a group has failed. Most of those that began earlier have ended.
func (x *Index) fail(g Group) {
	if g.kind == Visit {
		at, _ := slices.BinarySearch(x.failed, g.header)
		x.failed = slices.Insert(x.failed, at, g.header)
	}
}

// placeOf returns where a thread is; one that never began is in the execution itself.
func (x *Index) placeOf(id engine.ThreadID) place {
	if at, ok := x.places[id]; ok {
		return at
	}
	return place{thread: 0, visit: None}
}

// holder is the group that an event at a place belongs to.
func (x *Index) holder(at place) int32 {
	if at.visit != None {
		return at.visit
	}
	return at.thread
}

func (x *Index) count(g int32) *Counts {
	c := x.counts[g]
	if c == nil {
		c = &Counts{}
		x.counts[g] = c
	}
	return c
}

func (x *Index) endThread(i int, e Head, outcome Outcome) {
	at := x.placeOf(e.Thread)
	x.appendTo(at.thread, i)
	if at.thread == 0 {
		return
	}
	if at.visit != None && x.groups.get(at.visit).outcome == BranchRunning {
		x.close(at.visit, i, BranchAborted)
	}
	x.close(at.thread, i, outcome)
	c := x.count(x.rows.parent(x.groups.get(at.thread).Header()))
	switch outcome {
	case BranchSucceeded:
		c.Done++
	case BranchFailed:
		c.Failed++
	default:
		c.Aborted++
	}
	delete(x.places, e.Thread)
}

// begin makes a group whose header is event i.
func (x *Index) begin(parent int32, i int, kind Kind) int32 {
	g := int32(x.groups.Len())
	x.groups.add(Group{kind: kind, header: int32(i), newest: int32(i), end: None, first: None, last: None})
	x.link(parent, i, g)
	return g
}

// appendTo appends event i to a group.
func (x *Index) appendTo(g int32, i int) {
	x.link(g, i, None)
	x.groups.setNewest(g, i)
}

// link puts event i at the end of the group parent. Where the event is a header, header is its own group, else None.
func (x *Index) link(parent int32, i int, header int32) {
	last := x.groups.setLast(parent, i)
	x.rows.add(parent, last, header)
	if last != None {
		x.rows.setNext(last, i)
	}
}

func (x *Index) close(g int32, i int, outcome Outcome) {
	x.groups.change(g, func(group *Group) { group.end, group.outcome = int32(i), outcome })
}
