package engine

import "slices"

// Snapshot is the exact state of an execution at a moment. It shares every value with the execution, so
// it costs a few pointers for each live thread and pending timer.
type Snapshot struct{ frozen *Execution }

// Snapshot returns the state of the execution, which can go on without changing it.
func (e *Execution) Snapshot() *Snapshot { return &Snapshot{frozen: e.clone()} }

// Restore returns an execution that goes on from the snapshot. The snapshot can be restored any number
// of times.
func (s *Snapshot) Restore() *Execution { return s.frozen.clone() }

// Seq returns the number of the last event before the snapshot.
func (s *Snapshot) Seq() int64 { return s.frozen.seq }

func (e *Execution) clone() *Execution {
	c := *e
	c.events, c.evaluations, c.visits, c.current = nil, nil, nil, nil
	c.join()
	c.asked = slices.Clone(e.asked)
	c.wanted = slices.Clone(e.wanted)
	c.invocations = slices.Clone(e.invocations)

	twins := make(map[*thread]*thread, len(e.threads))
	c.threads = make([]*thread, 0, len(e.threads))
	for _, t := range e.threads { // a parent stands before its children
		if t.dead {
			continue
		}
		twin := *t
		twin.visits = slices.Clone(t.visits)
		twin.retries = slices.Clone(t.retries)
		if t.parent != nil {
			twin.parent = twins[t.parent]
		}
		if t.work != nil {
			work := *t.work
			work.results = slices.Clone(t.work.results)
			work.distributedWork = t.work.distributedWork.clone()
			twin.work = &work
		}
		twins[t] = &twin
		c.threads = append(c.threads, &twin)
	}
	c.dead = 0
	c.focus = twins[e.focus]
	c.queue = make(queue, 0, len(e.queue))
	for _, t := range e.queue { // dropping the dead ones can break the heap's order, so it is built anew
		if twin := twins[t]; twin != nil {
			twin.queued = false
			c.queue.push(twin)
		}
	}
	c.timers = make(timers, 0, len(e.timers))
	for _, due := range e.timers {
		if due.alive() {
			due.thread = twins[due.thread]
			c.timers.Push(due)
		}
	}
	return &c
}

// Weight says how much a snapshot taken now would hold: the number of live threads and of pending timers, and the
// results that are waited for.
func (e *Execution) Weight() int {
	weight := len(e.threads) - e.dead + len(e.timers)
	for _, t := range e.threads {
		if !t.dead && t.work != nil {
			weight += len(t.work.results) / resultsInWeight
		}
	}
	return weight
}

// resultsInWeight is how many results of branches and iterations weigh as much as a thread.
const resultsInWeight = 32

// Seq returns the number of events so far.
func (j *journal) Seq() int64 { return j.seq }

// SetQuiet changes whether events are left out, as [StartOptions] has it. The execution does the same with and without them.
func (e *Execution) SetQuiet(quiet bool) { e.options.Quiet = quiet }
