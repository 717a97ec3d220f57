package engine

import (
	"slices"

	"asldb/engine/value"
)

// Snapshot is the exact state of an execution at a moment. It shares every value with the execution, so
// it costs a few pointers for each live thread and pending timer.
type Snapshot struct{ frozen *Execution }

// Snapshot returns the state of the execution, which can continue without changing it.
func (e *Execution) Snapshot() *Snapshot { return &Snapshot{frozen: e.clone()} }

// Restore returns an execution that continues from the snapshot. The snapshot can be restored any number
// of times.
func (s *Snapshot) Restore() *Execution { return s.frozen.clone() }

// Seq returns the number of the last event before the snapshot.
func (s *Snapshot) Seq() int64 { return s.frozen.seq }

func (e *Execution) clone() *Execution {
	c := *e
	c.events, c.evaluations, c.current, c.slabs = nil, nil, nil, nil
	c.visits, c.known, c.undo, c.newest = slab[Visit]{}, nil, nil, nil
	c.spareOutcome = nil
	c.join()
	c.asked = slices.Clone(e.asked)
	c.wanted = slices.Clone(e.wanted)
	c.invocations = slices.Clone(e.invocations)

	c.cloneThreads(e)
	c.queue = make(queue, 0, len(e.queue))
	for _, t := range e.queue { // dropping the dead ones can break the heap's order, so it is built anew
		if twin := c.twin(t.thread); twin != nil {
			twin.queued = false
			c.queue.push(twin)
		}
	}
	c.timers = make(timers, 0, len(e.timers))
	for _, due := range e.timers {
		if due.alive() {
			due.thread, due.turn = c.twin(due.thread), 0
			c.timers.Push(due)
		}
	}
	return &c
}

// cloneThreads gives the execution its own threads in place of e's.
func (c *Execution) cloneThreads(e *Execution) {
	c.pool = nil
	c.root, c.first, c.focus = thread{}, [1]*thread{}, nil
	live, counters := len(e.threads)-e.dead, 0
	for _, t := range e.threads {
		if !t.dead {
			counters += len(t.visits)
		}
	}
	if c.threads, c.dead = c.first[:0], 0; live > 1 {
		c.threads = make([]*thread, 0, live)
	}
	twins := make([]thread, max(live-1, 0))
	visits := make([]int32, 0, counters)
	for _, t := range e.threads { // a parent is before its children
		if t.dead {
			continue
		}
		twin := &c.root
		if len(c.threads) > 0 {
			twin = &twins[len(c.threads)-1]
		}
		*twin = *t
		twin.turn = 0
		from := len(visits)
		visits = append(visits, t.visits...)
		twin.visits = visits[from:len(visits):len(visits)]
		twin.retries = slices.Clone(t.retries)
		if t.outcome != nil {
			outcome := *t.outcome
			twin.outcome = &outcome
		}
		if t.parent != nil {
			twin.parent = c.twin(t.parent)
		}
		if t.work != nil {
			work := *t.work
			work.results = t.work.results.share()
			work.distributedWork = t.work.distributedWork.clone()
			twin.work = &work
		}
		c.threads = append(c.threads, twin)
	}
	c.focus = c.twin(e.focus)
}

// twin returns the clone's copy of a thread, nil where that is over.
func (c *Execution) twin(t *thread) *thread {
	if t == nil || t.dead {
		return nil
	}
	return c.thread(t.id)
}

// Weight says how much a snapshot taken now would hold: the number of live threads and of pending timers, the
// results that are waited for, and the counters of states.
func (e *Execution) Weight() int {
	weight := len(e.threads) - e.dead + len(e.timers)
	counters := len(e.invocations)
	for _, t := range e.threads {
		if t.dead {
			continue
		}
		counters += len(t.visits)
		if t.work != nil {
			weight += t.work.results.length / resultsInWeight
		}
	}
	return weight + counters/countersInWeight
}

// countersInWeight is how many counters weigh as much as a thread.
const countersInWeight = 128

// resultsInWeight is how many results of branches and iterations weigh as much as a thread.
const resultsInWeight = 32

// Seq returns the number of events so far.
func (j *journal) Seq() int64 { return j.seq }

// SetQuiet changes whether events are left out, as [StartOptions] has it. The execution does the same with and without
// them.
func (e *Execution) SetQuiet(quiet bool) { e.options.Quiet = quiet }

// Variables returns the variables that a thread has itself; nil where it has none.
func (e *Execution) Variables(id ThreadID) *value.Object {
	if t := e.thread(id); t != nil && t.variables != nil {
		return t.variables.values
	}
	return nil
}

// resultBlock is how many results are stored, and copied, together.
const resultBlock = 256

// results are the results of the branches or iterations of a state: nil where one is not there yet, or failed and was
// tolerated. Snapshots share the blocks in which nothing has changed since.
type results struct {
	length int
	blocks [][]value.Value // nil where nothing was set yet
	shared []bool          // the blocks that must be copied before they are changed
}

func newResults(length int) results {
	count := (length + resultBlock - 1) / resultBlock
	return results{length: length, blocks: make([][]value.Value, count), shared: make([]bool, count)}
}

func (r *results) set(i int, v value.Value) {
	at := i / resultBlock
	switch {
	case r.blocks[at] == nil:
		r.blocks[at] = make([]value.Value, min(resultBlock, r.length-at*resultBlock))
	case r.shared[at]:
		r.blocks[at], r.shared[at] = slices.Clone(r.blocks[at]), false
	}
	r.blocks[at][i%resultBlock] = v
}

// share returns the same results. From now on neither changes the other.
func (r *results) share() results {
	if slices.Contains(r.shared, false) { // a snapshot's are shared already and only read
		for i := range r.shared {
			r.shared[i] = true
		}
	}
	return results{length: r.length, blocks: slices.Clone(r.blocks), shared: slices.Clone(r.shared)}
}

// array returns the results that are there, in their order. Nothing must be set afterwards.
func (r *results) array() *value.Array {
	there := make([]value.Value, 0, r.length)
	for _, block := range r.blocks {
		for _, v := range block {
			if v != nil {
				there = append(there, v)
			}
		}
	}
	return value.NewArray(there)
}
