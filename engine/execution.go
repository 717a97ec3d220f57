package engine

import (
	"cmp"
	"math"
	"slices"
	"time"

	"asldb/engine/interrupt"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// StartOptions are the options of an execution.
type StartOptions struct {
	// Start is the virtual time of the start. The zero time means 1 January 2000, UTC.
	Start time.Time
	// Seed is the seed of every random choice: jitter, random intrinsic functions, task tokens.
	Seed int64
	// Tokens begins the task tokens, which no other execution then has; empty: the seed does.
	Tokens string
	// Context is merged over the default context object; nil leaves it as it is.
	Context value.Value
	// Quiet leaves the events out: Step returns none.
	Quiet bool
	// Limits are the quotas to keep to; the zero Limits are none.
	Limits Limits
	// Express is set of an Express execution, for which the service keeps no history: the events have no ids of one.
	Express bool
	// Interrupt is looked at now and then while expressions are evaluated. Where it gives an error the step is not done:
	// see [Execution.Interrupted]. It may be nil.
	Interrupt interrupt.Check
}

// Execution is one run of a machine. It is advanced by Step, Answer and AdvanceTo, and must not be used
// by two goroutines at once.
type Execution struct {
	evaluator
	clock
	scheduler
	requests
	journal

	undo *itemsBefore // used again for each step that evaluates items; nil before the first

	status    Status
	redriving bool // the next step says that the execution was redriven
	expired   bool // the machine's TimeoutSeconds are over
	output    value.Value
	failure   *Failure
}

// journal counts the events of an execution and holds the events of the newest step.
type journal struct {
	seq     int64
	history int // the events in the history that Step Functions would have
	events  []Event
	// evaluations are the evaluations of events, see Execution.Evaluations.
	evaluations []*Evaluation
	visits      slab[Visit]
	slabs       *slabs // nil until one is needed
}

// details returns the slabs of the values that not every execution has.
func (j *journal) details() *slabs {
	if j.slabs == nil {
		j.slabs = &slabs{}
	}
	return j.slabs
}

// defaultStart is the virtual time of an execution that is given none.
var defaultStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Start begins an execution of the machine. Nothing has happened until the first Step.
func (m *Machine) Start(input value.Value, options StartOptions) *Execution {
	if options.Start.IsZero() {
		options.Start = defaultStart
	}
	options.Start = time.Unix(0, nanosecondsOf(options.Start)).UTC()
	e := &Execution{}
	e.machine, e.options, e.input = m, options, input
	e.random.Seed(uint64(options.Seed), 0x9e3779b97f4a7c15)
	e.drawn = e.random
	e.now = options.Start.UnixNano()
	e.join()
	counters := make([]int32, m.asking+len(m.top.states))
	e.invocations = counters[:m.asking:m.asking]
	root := &e.root
	root.scope, root.state, root.raw, root.rule, root.variables = m.top, m.top.start, input, -1, outermost
	root.visits = counters[m.asking:]
	e.first[0] = root
	e.threads, e.focus = e.first[:], root
	if bound := m.Timeout(options.Express); bound > 0 {
		e.timers.Push(timer{at: Later(e.now, bound), kind: TimerExecutionTimeout})
	}
	return e
}

// join connects the parts of the execution with each other.
func (e *Execution) join() {
	e.evaluator.clock = &e.clock
	e.arm()
}

// Machine returns the machine that runs.
func (e *Execution) Machine() *Machine { return e.machine }

// Output returns the output of an execution that has succeeded, nil before.
func (e *Execution) Output() value.Value { return e.output }

// Failure returns the error of an execution that has failed, timed out or been aborted; nil otherwise.
func (e *Execution) Failure() *Failure { return e.failure }

// Status returns what a running execution needs, or how a finished one ended.
func (e *Execution) Status() Status {
	switch {
	case e.status.Done():
		return e.status
	case e.expired || e.seq == 0 || e.next() != nil:
		return Runnable
	case e.redriving:
		return Runnable
	case len(e.asked) > 0 || len(e.wanted) > 0:
		return AwaitingAnswer
	}
	return AwaitingTime
}

// Runnable reports whether the status is [Runnable].
func (e *Execution) Runnable() bool {
	return !e.status.Done() && (e.focusRuns() || e.Status() == Runnable)
}

// Done reports whether the execution is over.
func (e *Execution) Done() bool { return e.status.Done() }

// Step does the next step of the focused thread and returns its events in order. The slice is
// valid until the next call. It is empty when the execution is over, when it waits for an answer or for
// time, and after a stage that had nothing to do: [Execution.Status] tells which; and when an evaluation was interrupted:
// see [Execution.Interrupted].
func (e *Execution) Step() []Event {
	e.clear()
	return e.step()
}

// StepInto is Step for a caller that keeps the events: it appends them to buffer, which is empty, and the execution keeps no
// reference to it. The result has another array where the capacity of buffer is not enough.
func (e *Execution) StepInto(buffer []Event) []Event {
	own := e.events
	e.clear()
	e.events = buffer
	events := e.step()
	e.events = own
	return events
}

func (e *Execution) step() []Event {
	e.poll.Reset()
	if e.status.Done() {
		return nil
	}
	if e.seq == 0 {
		e.emit(nil, &Event{Type: ExecutionStarted, After: e.input})
		return e.events
	}
	if e.redriving {
		e.redriving = false
		e.emit(nil, &Event{Type: ExecutionRedriven, Detail: &RedriveDetail{Count: e.redrive.Count}})
		return e.events
	}
	if e.expired {
		e.finish(TimedOut, &Failure{Name: ErrorTimeout, Cause: ""})
		return e.events
	}
	focus := e.focus
	t := focus
	if !e.focusRuns() {
		if t = e.pick(); t == nil {
			return nil
		}
	}
	e.current = t
	if extent := e.extentOf(t); extent == evaluatesNothing {
		e.advance(t)
	} else if e.attempt(t, focus, extent); e.poll.Err() != nil {
		return nil
	}
	if bound := e.options.Limits.History; bound > 0 && !e.options.Express && !e.status.Done() {
		e.keepHistory(t, bound)
	}
	return e.events
}

func (e *Execution) advance(t *thread) {
	if t.overdue {
		e.endApart(t, &Failure{Name: ErrorTimeout, Origin: t.visit}, t.history)
		return
	}
	switch t.phase {
	case phaseEnter:
		e.enter(t)
	case phaseStage:
		process{e, t}.run()
	case phaseTaskSubmitted:
		task{e, t}.submitted()
	case phaseTaskAnswered:
		task{e, t}.answered()
	case phaseTaskHeartbeat:
		task{e, t}.heartbeat()
	case phaseTaskTimeout, phaseHeartbeatTimeout:
		task{e, t}.timedOut()
	case phaseWaitOver:
		e.emit(t, &Event{Type: WaitEnded, Stage: StageWait})
		t.phase = phaseStage
	case phaseRetry:
		e.emit(t, &Event{Type: RetryStarted})
		t.data, t.at, t.work, t.phase = t.effective, t.state.flow().work, nil, phaseStage
		t.assigned, t.limits, t.closing, t.redriven = nil, limits{}, false, nil
	case phaseMapBounds:
		distributed{e, t}.evaluateBounds()
	case phaseMapRun:
		distributed{e, t}.start()
	case phaseMapRunOver:
		distributed{e, t}.over()
	case phaseReadItems:
		distributed{e, t}.readItems()
	case phaseObjectCame:
		distributed{e, t}.objectCame()
	case phaseSelectItem:
		distributed{e, t}.selectForBatch()
	case phaseBatch:
		distributed{e, t}.batch()
	case phaseSpawn:
		container{e, t}.spawn()
	case phaseChildrenDone:
		container{e, t}.childrenDone()
	case phaseContainerFail:
		container{e, t}.fail()
	case phaseError:
		recovery{e, t}.handle()
	}
}

// emit writes an event of thread t, or of the whole execution where t is nil. In a quiet execution it
// only counts.
func (e *Execution) emit(t *thread, event *Event) {
	e.seq++
	if t != nil {
		event.Thread = t.id
		event.Visit = cmp.Or(event.Visit, t.visit)
	}
	if count := historyEvents(t, event); count > 0 {
		history := e.historyOf(t)
		if id := *history + 1; id <= math.MaxUint16 && e.numbered() {
			event.HistoryID = uint16(id)
		}
		*history += count
	}
	if e.options.Quiet {
		return
	}
	if e.random != e.drawn || e.poll.Spent() >= SlowSteps {
		if evaluation := e.evaluation(); evaluation != nil {
			evaluation.Event = e.seq
			e.evaluations = append(e.evaluations, evaluation)
		}
	}
	n := len(e.events)
	if n == cap(e.events) {
		e.events = slices.Grow(e.events, 1)
	}
	e.events = e.events[:n+1]
	// One by one the members cost less than the whole while garbage is collected.
	to := &e.events[n]
	to.Seq, to.Time, to.Visit = e.seq, e.now, event.Visit
	to.Before, to.After, to.Detail = event.Before, event.After, event.Detail
	to.Thread, to.Type, to.Stage, to.HistoryID = event.Thread, event.Type, event.Stage, event.HistoryID
}

// plainHistory has the events of Step Functions' history for each type of event of a thread that was not redriven, -1 where they
// depend on the event.
var plainHistory = func() (counts [len(eventTraits)]int8) {
	for t := range counts {
		counts[t] = int8(eventTraits[t].History)
	}
	for _, t := range []EventType{
		StageFailed, ErrorCaught, StateFailed, BranchAborted, IterationAborted, BranchFailed, IterationFailed,
	} {
		counts[t] = -1
	}
	return counts
}()

// historyEvents returns how many events of Step Functions' history an event of thread t has.
func historyEvents(t *thread, event *Event) int {
	if count := plainHistory[event.Type]; count >= 0 && (t == nil || t.redriven == nil) {
		return int(count)
	}
	count := eventTraits[event.Type].History
	if endsAtOnce(t, event) {
		return 0
	}
	switch event.Type {
	case StateEntered, ParallelStarted, MapStarted:
		if t.goesOn() {
			return 0
		}
	case StageFailed:
		if failure := event.Failure(); failure != nil && failure.Name == ErrorQueryEvaluation {
			count++ // EvaluationFailed
		}
	case ErrorCaught, StateFailed:
		if t.closing && t.catching == 0 || event.Failure().inCatcher() {
			count++ // the failure of a Parallel or Map state, which a retry leaves out
		}
	case BranchAborted, IterationAborted:
		if t.phase != phaseEnter && abortedWork(t.visit) {
			count++
		}
	case BranchFailed, IterationFailed:
		if event.AbortsWork() {
			count++
		}
	default:
	}
	return count
}

// endsAtOnce reports whether an event of thread t is one of those that Step Functions' history leaves out after a States.Runtime
// in a branch or iteration: ExecutionFailed follows at once.
func endsAtOnce(t *thread, event *Event) bool {
	switch event.Type {
	case BranchFailed, IterationFailed:
		return !event.Visit.State.Distributed() && event.Failure().Name == ErrorRuntime
	case BranchAborted, IterationAborted:
		for p := t.parent; p != nil; p = p.parent {
			if p.failure != nil && p.failure.fromBelow(p.id) {
				return true
			}
		}
	case StateFailed:
		return event.Failure().fromBelow(t.id)
	default:
	}
	return false
}

// fromBelow reports whether the failure is a States.Runtime that came up in a branch or iteration below a thread.
func (f *Failure) fromBelow(thread ThreadID) bool {
	return f.Name == ErrorRuntime && f.Origin != nil && f.Origin.Thread != thread
}

// numbered reports whether the events have ids of Step Functions' history.
func (e *Execution) numbered() bool {
	return e.machine.dialect.Does(rules.NumbersHistory) && !e.options.Express
}

// clear begins a new list of events.
func (j *journal) clear() {
	j.events = j.events[:0]
	if len(j.evaluations) > 0 {
		j.evaluations = nil
	}
}

// historyOf returns the count of history events that thread t adds to: the iterations of a distributed
// Map have their own histories.
func (j *journal) historyOf(t *thread) *int {
	for ; t != nil; t = t.parent {
		if t.apart {
			return &t.history
		}
	}
	return &j.history
}

// enter begins a visit of t.state with the data t.raw.
func (e *Execution) enter(t *thread) {
	state := e.machine.entered(t.state)
	t.state = state
	if t.visit != nil {
		t.redriven = nil // it was for the first state
	}
	t.visits[state.index]++
	t.visit = e.visits.next()
	*t.visit = Visit{
		State: state.def, Thread: t.id, Index: t.index, Number: int(t.visits[state.index]), Entered: e.seq + 1,
		child: t.child,
	}
	if e.machine.dialect.Does(rules.NumbersHistory) {
		t.visit.HistoryID = int64(*e.historyOf(t)) + 1
		if t.goesOn() {
			t.visit.HistoryID = t.redriven.HistoryID
		}
	}
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
	t.stages, t.at, t.phase = state.flow().stages, 0, phaseStage
	e.emit(t, &Event{Type: StateEntered, Stage: StageInput, After: t.raw})
}

// leave ends the visit with t.data as its output, and goes to t.next or ends the thread.
func (e *Execution) leave(t *thread) {
	if failure := e.tooLarge(t, t.state.def.Name, t.data); failure != nil {
		failure.terminal = e.machine.dialect.Does(rules.EndsForTooMuchData)
		e.stageFailed(t, StageOutput, t.data, failure)
		return
	}
	if t.assigned != nil {
		t.variables = &frame{outer: t.variables.outer, values: t.assigned}
	}
	e.emit(t, &Event{
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
		e.emit(nil, &Event{Type: ExecutionSucceeded, After: t.data})
		return
	}
	e.kill(t)
	parent := t.parent
	event := Event{Type: BranchSucceeded, Visit: parent.visit, After: t.data}
	if parent.work.items != nil {
		event.Type = IterationSucceeded
	}
	if !e.options.Quiet {
		event.Detail = e.threadDetail(t)
	}
	e.emit(t, &event)
	parent.work.results.set(t.index, t.data)
	e.noteEnd(t, nil)
	container{e, parent}.childEnded()
}

// finish ends the whole execution with an error.
func (e *Execution) finish(status Status, failure *Failure) {
	e.status, e.failure = status, failure
	e.threads, e.focus, e.queue, e.timers, e.asked, e.wanted, e.pool = nil, nil, nil, nil, nil, nil, nil
	event := Event{Type: ExecutionFailed, Detail: failure, Visit: failure.Origin}
	switch status {
	case TimedOut:
		event.Type = ExecutionTimedOut
	case Aborted:
		event.Type = ExecutionAborted
	default:
	}
	e.emit(nil, &event)
}

// Abort ends the execution from outside, as StopExecution does. It returns the events of that; none
// when the execution is over already.
func (e *Execution) Abort(name, cause string) []Event {
	e.clear()
	if e.status.Done() {
		return nil
	}
	e.finish(Aborted, &Failure{Name: name, Cause: cause})
	return e.events
}

// kill takes a thread out of the running.
func (e *Execution) kill(t *thread) {
	e.drop(t)
	e.forgetTask(t)
	e.forgetObject(t)
}
