package engine

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"asldb/engine/interrupt"
	"asldb/engine/path"
	"asldb/engine/value"
)

// StartOptions are what an execution starts with besides its input.
type StartOptions struct {
	// Start is the virtual time of the start. The zero time stands for 1 January 2000, UTC.
	Start time.Time
	// Seed is what every random choice (jitter, random intrinsic functions, task tokens) is drawn from.
	Seed int64
	// Context is merged over the default context object; nil leaves it as it is.
	Context value.Value
	// Quiet leaves the events out: Step returns none.
	Quiet bool
	// Limits are the quotas to keep to; the zero Limits are none.
	Limits Limits
	// Interrupt is looked at now and then while expressions are evaluated. Where it gives an error the step is not done:
	// see [Execution.Interrupted]. It may be nil.
	Interrupt interrupt.Check
}

// Execution is one run of a machine. It is advanced by Step, Answer and AdvanceTo, and must not be used
// by two goroutines at once.
type Execution struct {
	machine *Machine
	options StartOptions
	input   value.Value
	random  rand.PCG
	drawn   rand.PCG // random as it was at the event before: see evaluation
	poll    interrupt.Poll

	status  Status
	expired bool // the machine's TimeoutSeconds are over
	output  value.Value
	failure *Failure

	now     int64
	seq     int64
	history int // events that Step Functions' history would have by now
	events  []Event

	threads     []*thread // in the order of their ids, dead ones until they are swept
	deadThreads int
	lastThread  ThreadID
	focus       *thread
	current     *thread // whose step is being done: what a variable's name refers to
	queue       queue
	timers      timers
	timerOrder  int64
	// sweepTimersAt is the number of timers at which the dead ones are dropped.
	sweepTimersAt int

	requests    int64
	asked       []*TaskRequest
	objects     int64 // requests for objects
	wanted      []*ObjectRequest
	mapRuns     int64
	invocations []int32 // by the number of the state

	roots    path.Roots    // used again for each evaluation
	base     *contextParts // of the context object; nil until something reads it
	single   *single       // of a state alone, see StartSingle; else nil
	visits   []Visit       // what is left of a block of visits: one allocation serves many
	visitsIn int           // how many visits the last block had
}

// defaultStart is the virtual time of an execution that is given none.
var defaultStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Start begins an execution of the machine. Nothing has happened until the first Step.
func (m *Machine) Start(input value.Value, options StartOptions) *Execution {
	if options.Start.IsZero() {
		options.Start = defaultStart
	}
	options.Start = time.Unix(0, nanosecondsOf(options.Start)).UTC()
	e := &Execution{
		machine: m, options: options, input: input, now: options.Start.UnixNano(),
		random:      *rand.NewPCG(uint64(options.Seed), 0x9e3779b97f4a7c15),
		invocations: make([]int32, m.states),
	}
	e.roots.Variables = e.lookupVariable
	e.drawn = e.random
	e.arm()
	root := &thread{scope: m.top, state: m.top.start, raw: input, visits: make([]int32, len(m.top.states)), rule: -1}
	root.variables = &frame{values: noVariables}
	e.threads = []*thread{root}
	e.focus = root
	if bound := m.definition.TimeoutSeconds; bound > 0 {
		e.timers.push(timer{at: later(e.now, seconds(float64(bound))), kind: TimerExecutionTimeout})
	}
	return e
}

func (e *Execution) lookupVariable(name string) value.Value {
	if e.current == nil {
		return nil
	}
	return e.current.variables.lookup(name)
}

// Machine returns the machine that runs.
func (e *Execution) Machine() *Machine { return e.machine }

// Now returns the virtual time, in UTC.
func (e *Execution) Now() time.Time { return time.Unix(0, e.now).UTC() }

// Output returns the output of an execution that has succeeded, nil before.
func (e *Execution) Output() value.Value { return e.output }

// Failure returns the error of an execution that has failed, timed out or been aborted; nil otherwise.
func (e *Execution) Failure() *Failure { return e.failure }

// Status says what the execution needs in order to go on.
func (e *Execution) Status() Status {
	switch {
	case e.status.Done():
		return e.status
	case e.expired || e.seq == 0 || e.next() != nil:
		return Runnable
	case len(e.asked) > 0 || len(e.wanted) > 0:
		return AwaitingAnswer
	}
	return AwaitingTime
}

// next returns the thread that runs next, without changing anything that matters: the focused one until
// it blocks, then the runnable one with the lowest id. It returns nil when every thread is blocked.
func (e *Execution) next() *thread {
	if f := e.focus; f != nil && !f.dead && f.block == notBlocked {
		return f
	}
	for len(e.queue) > 0 {
		if t := e.queue[0]; !t.dead && t.block == notBlocked {
			return t
		}
		e.queue.pop()
	}
	return nil
}

// pick makes the thread that runs next the focused one. A focused thread that is blocked keeps the
// focus while there is no other: answered before the next step, it goes on.
func (e *Execution) pick() *thread {
	t := e.next()
	if t != nil && t != e.focus {
		e.queue.pop()
		e.focus = t
	}
	return t
}

// ErrNoThread says that there is no live thread of that number.
var ErrNoThread = errors.New("there is no such thread")

// Focus makes a live thread the one that runs next, if it can run. While it is blocked another takes the
// focus at the next step.
func (e *Execution) Focus(id ThreadID) error {
	t := e.thread(id)
	if t == nil {
		return ErrNoThread
	}
	if e.focus != nil && e.focus != t && !e.focus.dead && e.focus.block == notBlocked {
		e.queue.push(e.focus)
	}
	e.focus = t
	return nil
}

func (e *Execution) thread(id ThreadID) *thread {
	at, found := slices.BinarySearchFunc(e.threads, id, func(t *thread, id ThreadID) int { return int(t.id) - int(id) })
	if !found || e.threads[at].dead {
		return nil
	}
	return e.threads[at]
}

// Step does the next thing of the focused thread and returns what happened, in order. The slice is
// valid until the next call. It is empty when the execution is over, when it waits for an answer or for
// time, and after a stage that had nothing to do: [Execution.Status] tells which; and when an evaluation was interrupted:
// see [Execution.Interrupted].
func (e *Execution) Step() []Event {
	e.events = e.events[:0]
	e.poll.Reset()
	if e.status.Done() {
		return nil
	}
	if e.seq == 0 {
		e.emit(nil, Event{Type: ExecutionStarted, After: e.input})
		return e.events
	}
	if e.expired {
		e.finish(TimedOut, &Failure{Name: ErrorTimeout, Cause: ""})
		return e.events
	}
	focus := e.focus
	t := e.pick()
	if t == nil {
		return nil
	}
	e.current = t
	if what := e.extentOf(t); what == evaluatesNothing {
		e.advance(t)
	} else if e.attempt(t, focus, what); e.poll.Err() != nil {
		return nil
	}
	if bound := e.options.Limits.History; bound > 0 && !e.status.Done() {
		e.keepHistory(t, bound)
	}
	return e.events
}

func (e *Execution) advance(t *thread) {
	switch t.phase {
	case phaseEnter:
		e.enter(t)
	case phaseStage:
		e.runStage(t)
	case phaseTaskSubmitted:
		e.taskSubmitted(t)
	case phaseTaskAnswered:
		e.taskAnswered(t)
	case phaseTaskHeartbeat:
		e.taskHeartbeat(t)
	case phaseTaskTimeout, phaseHeartbeatTimeout:
		e.taskTimedOut(t)
	case phaseWaitOver:
		e.emit(t, Event{Type: WaitEnded, Stage: StageWait})
		t.phase = phaseStage
	case phaseRetry:
		e.emit(t, Event{Type: RetryStarted})
		t.data, t.at, t.work, t.phase = t.effective, t.state.work, nil, phaseStage
		t.assigned, t.limits = nil, limits{}
	case phaseMapBounds:
		e.mapBounds(t)
	case phaseMapRun:
		e.startMapRun(t)
	case phaseMapRunOver:
		e.mapRunOver(t)
	case phaseReadItems:
		e.readItems(t)
	case phaseObjectCame:
		e.objectCame(t)
	case phaseSelectItem:
		e.selectForBatch(t)
	case phaseBatch:
		e.batch(t)
	case phaseSpawn:
		e.spawn(t)
	case phaseChildrenDone:
		e.childrenDone(t)
	case phaseContainerFail:
		e.containerFailed(t)
	case phaseError:
		e.handleError(t)
	}
}

// emit writes an event of thread t, or of the whole execution where t is nil. In a quiet execution it
// only counts.
func (e *Execution) emit(t *thread, event Event) {
	e.seq++
	history := e.historyOf(t)
	id := *history + 1
	*history += eventTraits[event.Type].History
	if e.options.Quiet {
		return
	}
	if *history >= id && id <= math.MaxUint16 {
		event.HistoryID = uint16(id)
	}
	event.Seq, event.Time = e.seq, e.now
	if e.random != e.drawn || e.poll.Spent() >= SlowSteps {
		event.Evaluation = e.evaluation()
	}
	if t != nil {
		event.Thread = t.id
		if event.Visit == nil {
			event.Visit = t.visit
		}
	}
	e.events = append(e.events, event)
}

// historyOf returns the count of history events that thread t adds to: the iterations of a distributed
// Map have histories of their own.
func (e *Execution) historyOf(t *thread) *int {
	for ; t != nil; t = t.parent {
		if t.apart {
			return &t.history
		}
	}
	return &e.history
}

// enter begins a visit of t.state with the data t.raw.
func (e *Execution) enter(t *thread) {
	state := t.state
	t.visits[state.index]++
	t.visit = e.newVisit(Visit{
		State: state.def, Thread: t.id, Index: t.index, Number: int(t.visits[state.index]), Entered: e.seq + 1,
		HistoryID: int64(*e.historyOf(t)) + 1, child: t.child,
	})
	if t.parent != nil {
		t.visit.Parent = t.parent.visit
	}
	t.effective, t.data, t.payload, t.result = t.raw, t.raw, t.raw, nil
	t.assigned, t.failure, t.request, t.work = nil, nil, nil, nil
	t.next, t.exit, t.rule, t.catching = state.next, state.exit, -1, 0
	t.retries, t.retried, t.closing = nil, 0, false
	t.limits = limits{}
	t.entered = e.now
	if e.single != nil {
		e.single.begin(t)
	}
	t.stages, t.at, t.phase = state.stages, 0, phaseStage
	e.emit(t, Event{Type: StateEntered, Stage: StageInput, After: t.raw})
}

// maxVisitBlock is how many visits are allocated at a time, once an execution has shown that it is long.
const maxVisitBlock = 32

func (e *Execution) newVisit(v Visit) *Visit {
	if len(e.visits) == 0 {
		e.visitsIn = min(maxVisitBlock, 2*e.visitsIn+1)
		e.visits = make([]Visit, e.visitsIn)
	}
	visit := &e.visits[0]
	e.visits = e.visits[1:]
	*visit = v
	return visit
}

// leave ends the visit with t.data as its output, and goes to t.next or ends the thread.
func (e *Execution) leave(t *thread) {
	if failure := e.tooLarge(t, t.state.def.Name, t.data); failure != nil {
		failure.terminal = true
		e.stageFailed(t, StageOutput, t.data, failure)
		return
	}
	if t.assigned != nil {
		t.variables = &frame{outer: t.variables.outer, values: t.assigned}
	}
	e.emit(t, Event{
		Type: StateExited, Stage: StageOutput,
		Before: t.raw, After: t.data, Detail: t.exit,
	})
	if t.next != nil && e.single == nil {
		t.raw, t.state, t.phase = t.data, t.next, phaseEnter
		return
	}
	e.endThread(t)
}

// endThread ends a thread that came to the end of its scope with t.data.
func (e *Execution) endThread(t *thread) {
	if t.parent == nil {
		e.status, e.output = Succeeded, t.data
		e.emit(nil, Event{Type: ExecutionSucceeded, After: t.data})
		return
	}
	e.kill(t)
	parent := t.parent
	event := Event{Type: BranchSucceeded, Visit: parent.visit, After: t.data}
	if parent.work.items != nil {
		event.Type = IterationSucceeded
	}
	if !e.options.Quiet {
		event.Detail = &ThreadDetail{Thread: t.id, Index: t.index}
	}
	e.emit(t, event)
	parent.work.results[t.index] = t.data
	e.noteEnd(t, nil)
	e.childEnded(parent)
}

// finish ends the whole execution with an error.
func (e *Execution) finish(status Status, failure *Failure) {
	e.status, e.failure = status, failure
	e.threads, e.focus, e.queue, e.timers, e.asked, e.wanted = nil, nil, nil, nil, nil, nil
	event := Event{Type: ExecutionFailed, Detail: failure, Visit: failure.Origin}
	switch status {
	case TimedOut:
		event.Type = ExecutionTimedOut
	case Aborted:
		event.Type = ExecutionAborted
	}
	e.emit(nil, event)
}

// Abort ends the execution from outside, as StopExecution does. It returns the events of that; none
// when the execution is over already.
func (e *Execution) Abort(name, cause string) []Event {
	e.events = e.events[:0]
	if e.status.Done() {
		return nil
	}
	e.finish(Aborted, &Failure{Name: name, Cause: cause})
	return e.events
}

// kill takes a thread out of the running.
func (e *Execution) kill(t *thread) {
	t.dead = true
	e.forgetRequest(t)
	e.forgetObject(t)
	e.deadThreads++
	if e.deadThreads > 64 && e.deadThreads > len(e.threads)/2 {
		e.threads = slices.DeleteFunc(e.threads, func(t *thread) bool { return t.dead })
		e.deadThreads = 0
	}
}

// resume lets a blocked thread go on at phase. Timers set before are dead from now on.
func (e *Execution) resume(t *thread, next phase) {
	t.block, t.phase = notBlocked, next
	t.turn++
	if t != e.focus {
		e.queue.push(t)
	}
}

// ThreadInfo describes a live thread.
type ThreadInfo struct {
	ID, Parent ThreadID
	// Visit is the state that the thread is in; nil before its first.
	Visit *Visit
	// Index is the number of the branch or iteration, from 0.
	Index int
	// Blocked is what the thread waits for.
	Blocked Block
}

// Block is what a thread waits for.
type Block uint8

// What threads wait for.
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
func (e *Execution) Threads() []ThreadInfo {
	infos := make([]ThreadInfo, 0, len(e.threads))
	for _, t := range e.threads {
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
		}
		infos = append(infos, info)
	}
	return infos
}
