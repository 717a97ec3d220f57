package engine

import (
	"errors"
	"slices"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// scheduler has the threads of an execution and chooses the one that runs.
type scheduler struct {
	root       thread
	first      [1]*thread // the list of an execution that has no other
	threads    []*thread  // in the order of their ids, dead ones until they are swept
	dead       int        // the number of dead ones
	lastThread ThreadID
	focus      *thread
	queue      queue
	pool       *pool // nil before the first branch or iteration. No snapshot has it.
}

// pool has the threads to begin with.
type pool struct {
	spare  []*thread // that are over and will be used again
	fresh  []thread  // of a block that were not used yet
	counts []int32   // the rest of a block of counters
}

// maxThreadBlock is how many threads are allocated together at most.
const maxThreadBlock = 32

// newThread returns a thread for a scope; more is how many are needed soon, this one included. A thread that is used again has
// another turn than before, so that its old timers stay dead.
func (s *scheduler) newThread(scope *scopePlan, more int) *thread {
	p := s.threadPool()
	var t *thread
	if n := len(p.spare); n > 0 {
		t = p.spare[n-1]
		p.spare = p.spare[:n-1]
	} else {
		if len(p.fresh) == 0 {
			p.fresh = make([]thread, min(more, maxThreadBlock))
		}
		t = &p.fresh[0]
		p.fresh = p.fresh[1:]
	}
	visits := t.visits
	if cap(visits) < len(scope.states) {
		visits = p.counters(len(scope.states), more)
	}
	visits = visits[:len(scope.states)]
	clear(visits)
	*t = thread{scope: scope, state: scope.start, visits: visits, rule: -1, turn: t.turn + 1}
	return t
}

// threadPool returns the pool, which it makes where there is none.
func (s *scheduler) threadPool() *pool {
	if s.pool == nil {
		s.pool = &pool{}
	}
	return s.pool
}

// counters returns n counters; more is how often as many are needed soon.
func (p *pool) counters(n, more int) []int32 {
	if len(p.counts) < n {
		p.counts = make([]int32, n*min(more, maxThreadBlock))
	}
	counters := p.counts[:n:n]
	p.counts = p.counts[n:]
	return counters
}

// focusRuns reports whether the focused thread can run: then it runs next.
func (s *scheduler) focusRuns() bool {
	f := s.focus
	return f != nil && !f.dead && f.block == notBlocked
}

// next returns the thread that runs next, without changing anything that matters: the focused one until
// it blocks, then the runnable one with the lowest id. It returns nil when every thread is blocked.
func (s *scheduler) next() *thread {
	if s.focusRuns() {
		return s.focus
	}
	for len(s.queue) > 0 {
		if t := s.queue[0]; !t.dead && t.block == notBlocked {
			return t.thread
		}
		s.queue.pop()
	}
	return nil
}

// pick makes the thread that runs next the focused one. A focused thread that is blocked keeps the
// focus while there is no other: answered before the next step, it continues.
func (s *scheduler) pick() *thread {
	t := s.next()
	if t != nil && t != s.focus {
		s.queue.pop()
		s.focus = t
	}
	return t
}

// ErrNoThread says that there is no live thread of that number.
var ErrNoThread = errors.New("there is no such thread")

// Focus makes a live thread the one that runs next, if it can run. While it is blocked another takes the
// focus at the next step.
func (s *scheduler) Focus(id ThreadID) error {
	t := s.thread(id)
	if t == nil {
		return ErrNoThread
	}
	if s.focus != nil && s.focus != t && !s.focus.dead && s.focus.block == notBlocked {
		s.queue.push(s.focus)
	}
	s.focus = t
	return nil
}

func (s *scheduler) thread(id ThreadID) *thread {
	if f := s.focus; f != nil && f.id == id && !f.dead { // it is asked for most
		return f
	}
	at, found := slices.BinarySearchFunc(s.threads, id, func(t *thread, id ThreadID) int { return int(t.id) - int(id) })
	if !found || s.threads[at].dead {
		return nil
	}
	return s.threads[at]
}

// resume lets a blocked thread continue at phase. Timers set before are dead from now on.
func (s *scheduler) resume(t *thread, next phase) {
	t.turn++
	s.proceed(t, next)
}

// proceed lets a blocked thread continue at phase. Its timers stay alive.
func (s *scheduler) proceed(t *thread, next phase) {
	t.block, t.phase = notBlocked, next
	if t != s.focus {
		s.queue.push(t)
	}
}

// begin adds a new thread, which can run.
func (s *scheduler) begin(t *thread) {
	s.lastThread++
	t.id = s.lastThread
	s.threads = append(s.threads, t)
	s.queue.push(t)
}

// drop takes a thread that is over out of the running.
func (s *scheduler) drop(t *thread) {
	t.dead = true
	s.dead++
	if s.dead > 64 && s.dead > len(s.threads)/2 {
		p := s.threadPool()
		s.threads = slices.DeleteFunc(s.threads, func(t *thread) bool {
			if t.dead && t != s.focus && !t.queued {
				p.spare = append(p.spare, t)
			}
			return t.dead
		})
		s.dead = 0
	}
}

// working returns the thread that is in the task of a request, or nil.
func (s *scheduler) working(request int64) *thread {
	for _, t := range s.threads {
		if !t.dead && t.request != nil && t.request.ID == request && t.inTask() {
			return t
		}
	}
	return nil
}

// ThreadInfo describes a live thread.
type ThreadInfo struct {
	ID, Parent ThreadID
	// Visit is the state that the thread is in; nil before its first.
	Visit *Visit
	// Index is the number of the branch or iteration, from 0.
	Index int
	// Blocked is the reason why the thread waits.
	Blocked Block
}

// Block is the reason why a thread waits.
type Block uint8

// The reasons why threads wait.
const (
	// NotBlocked: it can run.
	NotBlocked Block = iota
	// OnTime: a timer.
	OnTime
	// OnAnswer: the outcome of a task, or an object.
	OnAnswer
	// OnBranches and OnIterations: the threads of its Parallel or Map state.
	OnBranches
	OnIterations
)

// String returns the block in words: "time", "an answer", "branches", "iterations"; "" for NotBlocked.
func (b Block) String() string {
	switch b {
	case NotBlocked:
		return ""
	case OnTime:
		return "time"
	case OnAnswer:
		return "an answer"
	case OnBranches:
		return "branches"
	case OnIterations:
		return "iterations"
	}
	return "Block(" + strconv.Itoa(int(b)) + ")"
}

// Threads returns the live threads by id.
func (s *scheduler) Threads() []ThreadInfo {
	infos := make([]ThreadInfo, 0, len(s.threads))
	for _, t := range s.threads {
		if t.dead {
			continue
		}
		info := ThreadInfo{ID: t.id, Visit: t.visit, Index: t.index}
		if t.parent != nil {
			info.Parent = t.parent.id
		}
		switch t.block {
		case onTimer:
			info.Blocked = OnTime
		case onAnswer:
			info.Blocked = OnAnswer
		case onChildren:
			info.Blocked = OnBranches
			if t.work != nil && t.work.items != nil {
				info.Blocked = OnIterations
			}
		case notBlocked:
		}
		infos = append(infos, info)
	}
	return infos
}

// CanRun reports whether a live thread could do a step now: it waits for nothing.
func (s *scheduler) CanRun(id ThreadID) bool {
	t := s.thread(id)
	return t != nil && t.block == notBlocked
}

// Focused returns the thread that has the focus: the one that runs next unless it is blocked. It is 0, the
// root, once the execution is over.
func (s *scheduler) Focused() ThreadID {
	if s.focus == nil {
		return 0
	}
	return s.focus.id
}

// VariablesOf returns a look-up of the variables that the thread of that number sees now. It returns
// nil for names without a variable.
func (s *scheduler) VariablesOf(id ThreadID) func(name string) value.Value {
	t := s.thread(id)
	if t == nil {
		return nil
	}
	return t.variables.lookup
}

// MapBounds are the bounds of a Map state in force, as its fields or their paths say.
type MapBounds struct {
	// MaxConcurrency is 0 where it is not declared.
	MaxConcurrency int
	// FailureCount and FailurePercentage are nil where they are not declared.
	FailureCount      *int
	FailurePercentage *float64
}

// MapBoundsOf returns the bounds of the Map state that a thread is in; the zero MapBounds where it is in
// none, or has not evaluated them yet.
func (s *scheduler) MapBoundsOf(id ThreadID) MapBounds {
	t := s.thread(id)
	if t == nil || t.visit == nil || t.state.def.Type != asl.Map {
		return MapBounds{}
	}
	def := t.state.def
	bounds := MapBounds{MaxConcurrency: t.declaredConcurrency()}
	if field := def.ToleratedFailureCount; field != nil {
		count := t.limits.failureCount
		if field.Literal != nil {
			count = int(literalSeconds(field))
		}
		bounds.FailureCount = &count
	}
	if field := def.ToleratedFailurePercentage; field != nil {
		percentage := t.limits.failurePercentage
		if field.Literal != nil {
			percentage = literalSeconds(field)
		}
		bounds.FailurePercentage = &percentage
	}
	return bounds
}

// queue holds the runnable threads, the lowest id first.
type queue Heap[runnable, *runnable]

type runnable struct{ *thread }

// Before orders threads by their ids.
func (a *runnable) Before(b *runnable) bool { return a.id < b.id }

func (q *queue) push(t *thread) {
	if !t.queued {
		t.queued = true
		(*Heap[runnable, *runnable])(q).Push(runnable{t})
	}
}

func (q *queue) pop() *thread {
	first := (*Heap[runnable, *runnable])(q).Pop()
	first.queued = false
	return first.thread
}
