package engine

import (
	"errors"

	"asldb/engine/value"
)

// phase is the action of a thread at its next step.
type phase uint8

const (
	phaseEnter phase = iota
	phaseStage
	phaseTaskSubmitted
	phaseTaskAnswered // the outcome is due
	phaseTaskHeartbeat
	phaseTaskTimeout
	phaseHeartbeatTimeout
	phaseWaitOver
	phaseRetry
	phaseMapBounds     // the bounds of a Map that has begun
	phaseMapRun        // begin a Map Run
	phaseMapRunOver    // the Map Run was answered as a whole
	phaseReadItems     // ask for the objects that hold the items
	phaseObjectCame    // the object is there
	phaseSelectItem    // run ItemSelector for one item of a batch
	phaseBatch         // make the batches
	phaseSpawn         // begin as many iterations as may run
	phaseChildrenDone  // all branches or iterations are over
	phaseContainerFail // a branch or iteration failed
	phaseError         // look for a retrier and a catcher
)

// blocked is the reason why a thread waits.
type blocked uint8

const (
	notBlocked blocked = iota
	onTimer
	onAnswer
	onChildren
)

// thread is one line of control: the root, a branch or an iteration.
type thread struct {
	id     ThreadID
	turn   int32 // grows when the thread continues: timers set before are dead then
	index  int   // of the branch or iteration
	parent *thread
	scope  *scopePlan
	state  *statePlan
	visit  *Visit
	// visits counts the entries of each state of the scope.
	visits []int32

	phase  phase
	block  blocked
	queued bool // is in the execution's queue
	dead   bool
	// apart is set where the thread has its own history, whose events history counts.
	apart   bool
	keyed   bool // the items of the Map are the members of an object
	closing bool // failure comes from a Parallel or Map state's work
	expired bool // TimeoutSeconds ran out; false for a timeout by hand

	stages []Stage
	at     int // the next of stages

	// The values of this visit.
	raw       value.Value // the state's input
	effective value.Value // after InputPath
	data      value.Value // the input of the next stage
	payload   value.Value // the input of the work
	result    value.Value // the result of the work
	variables *frame
	assigned  *value.Object // the variables after Assign; committed when the state is left
	entered   int64         // virtual time of the entry
	next      *statePlan    // where the state leads
	exit      *ExitDetail   // the same for people
	rule      int           // the Choice rule that matched, or -1
	limits    limits

	history int // the events of a thread that is apart
	// deadline is when an Express execution of a Map Run ends, 0 for others; overdue is set once it is over.
	deadline int64
	overdue  bool
	child    *childExecution // the execution of a distributed Map that the thread belongs to, or nil

	failure  *Failure
	catching int     // 1 + the catcher whose stages run, or 0
	retries  []int64 // of each retrier, how often it has been used
	retried  int     // all retries of this visit

	request *TaskRequest
	outcome *Outcome // that was given and is not due yet; else nil
	beats   int64    // when the last heartbeat was, or the work began
	beatDue int64    // the time of the newest heartbeat timeout of this attempt

	// redriven is where a redrive let the thread begin, until it has left that state; else nil.
	redriven *Resumption

	work *work // of a Parallel or Map state that is running
}

// limits are the bounds of a state's work in force at this visit.
type limits struct {
	timeout, heartbeat float64 // seconds; 0 means none
	concurrency        int
	failureCount       int
	failurePercentage  float64
	distributed        distributedLimits
}

// work is the state of the branches or iterations of a Parallel or Map state.
type work struct {
	items   *value.Array // of a Map
	length  int
	begun   int
	live    int
	failed  int
	results results
	// variables is the frame with which every branch or iteration begins, nil before the first.
	variables *frame

	distributedWork // of a distributed Map
}

// frame holds the variables of one scope; others may be in an outer frame.
type frame struct {
	outer  *frame
	values *value.Object
}

func (f *frame) lookup(name string) value.Value {
	for ; f != nil; f = f.outer {
		if v := f.values.Get(name); v != nil {
			return v
		}
	}
	return nil
}

// declaredConcurrency returns the value of MaxConcurrency or of its path; 0 where there is neither.
func (t *thread) declaredConcurrency() int {
	if field := t.state.def.MaxConcurrency; field != nil && field.Literal != nil {
		return int(literalSeconds(field))
	}
	return t.limits.concurrency
}

// ErrNoMapRun says that a thread is not at the beginning of a Map Run.
var ErrNoMapRun = errors.New("the thread is not at the beginning of a Map Run")

// AnswerMapRun gives the outcome of a whole Map Run, in place of running its executions: its Output is the array of
// their results, or it fails with Error and Cause; After is how long it takes. It is for drivers that
// know the outcome of a Map Run and nothing of its executions. It can be given from the MapRunStarted event of the thread
// on until an execution begins or an object is asked for. The errors are [ErrNoThread], [ErrNoMapRun], and an
// *[OutcomeError].
func (e *Execution) AnswerMapRun(id ThreadID, outcome Outcome) error {
	t := e.thread(id)
	switch {
	case t == nil || e.status.Done():
		return ErrNoThread
	case t.work == nil || t.work.run == nil || t.work.begun > 0 || t.block != notBlocked || !beforeItems(t.phase):
		return ErrNoMapRun
	case outcome.Output != nil && (outcome.Error != "" || outcome.Cause != ""):
		return &OutcomeError{"has both an output and an error"}
	case outcome.Output != nil && outcome.Output.Kind() != value.KindArray && t.state.def.ResultWriter == nil:
		return &OutcomeError{"of a Map Run is an array, not " + value.KindOf(outcome.Output)}
	case outcome.After < 0 || outcome.HeartbeatEvery != 0:
		return &OutcomeError{"has a duration that a Map Run cannot have"}
	}
	e.keepOutcome(t, &outcome)
	t.phase = phaseMapRunOver
	if outcome.After > 0 {
		t.block = onTimer
		e.set(t, Later(e.now, outcome.After), TimerMapRun)
	}
	return nil
}

// NewBounds are bounds of a Map Run that change while it runs; a nil one stays as it is (UpdateMapRun).
type NewBounds struct {
	MaxConcurrency, FailureCount *int
	FailurePercentage            *float64
}

// SetMapBounds changes the bounds of the Map Run of a thread: more executions begin at once, and the next one that fails
// is counted by the new bounds. A MaxConcurrency of 0 is the service's own bound. The error is [ErrNoThread] or
// [ErrNoMapRun].
func (e *Execution) SetMapBounds(id ThreadID, bounds NewBounds) error {
	t := e.thread(id)
	switch {
	case t == nil || e.status.Done():
		return ErrNoThread
	case t.work == nil || t.work.run == nil:
		return ErrNoMapRun
	}
	if n := bounds.MaxConcurrency; n != nil {
		if t.limits.concurrency = *n; *n == 0 || *n > distributedConcurrency {
			t.limits.concurrency = distributedConcurrency
		}
	}
	if n := bounds.FailureCount; n != nil {
		t.limits.failureCount = *n
	}
	if n := bounds.FailurePercentage; n != nil {
		t.limits.failurePercentage = *n
	}
	if t.block == onChildren && (container{e, t}).startable() > 0 {
		e.resume(t, phaseSpawn)
	}
	return nil
}

// beforeItems tells the phases in which a Map Run has begun, and nothing of it.
func beforeItems(p phase) bool {
	switch p {
	case phaseReadItems, phaseSelectItem, phaseBatch, phaseSpawn:
		return true
	default:
		return false
	}
}

// over ends a Map Run as it was answered.
func (d distributed) over() {
	outcome := d.e.takeOutcome(d.thread)
	if outcome.Output == nil {
		d.fail(StageResult, d.payload, &Failure{Name: outcome.Error, Cause: outcome.Cause, Origin: d.visit})
		return
	}
	d.result = outcome.Output
	d.e.emit(d.thread, &Event{Type: MapRunSucceeded, Stage: StageResult, After: d.result})
	d.data, d.work, d.phase = d.result, nil, phaseStage
	d.e.emit(d.thread, &Event{Type: MapSucceeded, Stage: StageResult, Before: d.payload, After: d.result})
}
