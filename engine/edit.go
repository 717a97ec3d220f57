package engine

import (
	"errors"
	"fmt"

	"asldb/engine/asl"
	"asldb/engine/value"
)

// Edit replaces the data that the next stage of a thread reads.
type Edit struct {
	Thread ThreadID
	// Value takes the data's place; it is not nil.
	Value value.Value
}

// EditError is the reason why the data of a thread cannot be edited now, or an error not be injected.
type EditError struct {
	Thread ThreadID
	// Doing is the activity of a thread that is not between two stages, "waits for the time" for example; empty where Err is
	// set.
	Doing string
	// Err is [ErrDone], [ErrNoThread], a *[SizeError] or another fault of the value; nil where Doing is set.
	Err error
}

// Error implements error.
func (e *EditError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("thread %d cannot be edited: %v", e.Thread, e.Err)
	}
	return fmt.Sprintf("thread %d cannot be edited now: it %s", e.Thread, e.Doing)
}

// Unwrap returns Err.
func (e *EditError) Unwrap() error { return e.Err }

// Editable returns the data that the next stage of a thread reads, and the stage that gave it: StageInput
// is the state's raw input. The error is an *[EditError]: the thread is not between two stages.
func (e *Execution) Editable(id ThreadID) (value.Value, Stage, error) {
	t, err := e.editable(id)
	if err != nil {
		return nil, NoStage, err
	}
	data, stage := t.readsNext()
	return data, stage, nil
}

func (e *Execution) editable(id ThreadID) (*thread, error) {
	if e.status.Done() {
		return nil, &EditError{Thread: id, Err: ErrDone}
	}
	t := e.thread(id)
	if t == nil {
		return nil, &EditError{Thread: id, Err: ErrNoThread}
	}
	switch {
	case e.seq == 0:
		return nil, &EditError{Thread: id, Doing: "has not begun; it begins with the execution's input"}
	case t.block == notBlocked && (t.phase == phaseEnter || t.phase == phaseStage), t.awaitsRetry():
		return t, nil
	}
	return nil, &EditError{Thread: id, Doing: t.doing()}
}

// awaitsRetry reports whether the next attempt of the state's work is due, now or later.
func (t *thread) awaitsRetry() bool {
	return t.phase == phaseRetry || (t.block == onTimer && t.phase == phaseError)
}

// doing describes the activity of a thread that is not between two stages.
func (t *thread) doing() string {
	switch {
	case t.inTask():
		return "is in a task, whose outcome can be given"
	case t.block == onChildren && t.work != nil && t.work.items != nil:
		return "waits for its iterations; they can be edited themselves"
	case t.block == onChildren:
		return "waits for its branches; they can be edited themselves"
	case t.block == onAnswer:
		return "waits for an object that its ItemReader reads"
	case t.awaitsRetry():
		return "waits for its next attempt"
	case t.block == onTimer:
		return "waits for the time"
	case t.phase == phaseError || t.phase == phaseContainerFail:
		return "is about to handle an error"
	case t.phase == phaseEnter:
		return "is between two states"
	}
	return "is in the middle of a stage"
}

// lastStage returns the stage whose data the next one reads.
func (t *thread) lastStage() Stage {
	if t.at > 0 {
		return t.stages[t.at-1]
	}
	if t.catching > 0 {
		return StageResult
	}
	return StageInput
}

func (t *thread) inJSONata() bool { return t.state.def.QueryLanguage == asl.JSONata }

// readsNext returns the data that the next stage reads, and the stage that gave it.
func (t *thread) readsNext() (value.Value, Stage) {
	switch {
	case t.phase == phaseEnter:
		return t.raw, StageInput
	case t.awaitsRetry() && t.inJSONata():
		return t.raw, StageInput
	case t.awaitsRetry():
		return t.effective, StageInputPath
	}
	last := t.lastStage()
	switch last {
	case StageAssign, StageLimits, StageChoices, StageWait: // these change no data
		switch {
		case t.result != nil && last == StageAssign:
			return t.result, StageResult
		case t.inJSONata():
			return t.raw, StageInput
		}
		return t.data, StageInputPath
	}
	return t.data, last
}

// Edit replaces the data that the next stage of a thread reads, and says so with a DataEdited event, which it
// returns. At a state's entry that is the raw input, after InputPath the effective input, after the work
// its result. Before the next attempt of a retry it is the data with which every attempt begins. The error is an
// *[EditError]; with it nothing has changed.
func (e *Execution) Edit(edit Edit) ([]Event, error) {
	e.clear()
	t, err := e.editable(edit.Thread)
	if err != nil {
		return nil, err
	}
	if edit.Value == nil {
		return nil, &EditError{Thread: edit.Thread, Err: errNoValue}
	}
	if failure := e.tooLarge(t, "", edit.Value); failure != nil {
		return nil, &EditError{Thread: edit.Thread, Err: failure.Err}
	}
	before, stage := t.readsNext()
	if _, isArray := edit.Value.(*value.Array); stage == StageItemsPath && !isArray {
		return nil, &EditError{Thread: edit.Thread, Err: errNoItems}
	}
	visit := t.visit
	if t.phase == phaseEnter { // the state that it enters has no visit yet
		if t.raw = edit.Value; visit == nil && t.parent != nil {
			visit = t.parent.visit
		}
	} else {
		t.replace(stage, edit.Value)
	}
	e.emit(t, &Event{Type: DataEdited, Stage: stage, Visit: visit, Before: before, After: edit.Value})
	return e.events, nil
}

var (
	errNoValue = errors.New("there is no value to put in")
	errNoItems = errors.New("the items of a Map state are an array")
)

// replace puts v in the place of the data of a stage, for all stages that read it.
func (t *thread) replace(stage Stage, v value.Value) {
	if !t.awaitsRetry() {
		t.data = v
	}
	switch stage {
	case StageInput:
		t.raw, t.effective, t.payload = v, v, v
	case StageInputPath:
		t.effective, t.payload = v, v
	case StageParameters:
		t.payload = v
	case StageResult, StageResultWriter:
		t.result = v
	}
}

// Injectable returns nil where [Execution.Inject] can let a thread fail now, and its *[EditError] otherwise.
func (e *Execution) Injectable(id ThreadID) error {
	_, _, err := e.injectable(id)
	return err
}

// injectable returns the thread, and the stage that is to fail; NoStage is the task that it is in.
func (e *Execution) injectable(id ThreadID) (*thread, Stage, error) {
	if e.status.Done() {
		return nil, NoStage, &EditError{Thread: id, Err: ErrDone}
	}
	t := e.thread(id)
	if t == nil {
		return nil, NoStage, &EditError{Thread: id, Err: ErrNoThread}
	}
	waits := t.state.def.Type == asl.Wait && t.at > 0 && t.stages[t.at-1] == StageWait &&
		(t.block == onTimer || t.phase == phaseWaitOver)
	switch {
	case t.inTask():
		return t, NoStage, nil
	case waits:
		return t, StageWait, nil
	case t.phase == phaseStage && t.block == notBlocked:
		return t, t.stages[t.at], nil
	}
	return nil, NoStage, &EditError{Thread: id, Doing: t.doing()}
}

// Inject lets a thread fail with an error: the task that it is in, the Wait, or its next stage. Retriers and catchers come next, as after any other error. It returns the event of that. The error is an
// *[EditError]; see [Execution.Injectable].
func (e *Execution) Inject(id ThreadID, name, cause string) ([]Event, error) {
	e.clear()
	t, stage, err := e.injectable(id)
	if err != nil {
		return nil, err
	}
	failure := &Failure{Name: name, Cause: cause, Origin: t.visit}
	if stage == NoStage {
		e.forgetTask(t)
		e.resume(t, phaseError)
		t.outcome = nil
		e.workFailed(t, TaskFailed, failure)
		return e.events, nil
	}
	e.resume(t, phaseError)
	t.failure = failure
	e.emit(t, &Event{Type: StageFailed, Stage: stage, Before: t.data, Detail: failure})
	return e.events, nil
}

// inTask reports whether the thread is in the work of a Task state: asked for, and not over.
func (t *thread) inTask() bool {
	if t.request == nil || t.catching > 0 || t.at == 0 || t.stages[t.at-1] != StageResult {
		return false
	}
	switch t.phase {
	case phaseStage:
		return t.block != notBlocked
	case phaseTaskSubmitted, phaseTaskAnswered, phaseTaskHeartbeat:
		return true
	default:
		return false
	}
}

// Heartbeat lets the task of a request report that it is alive, which restarts its HeartbeatSeconds. It
// returns the TaskHeartbeat event, or [ErrNoRequest] where the task is over.
func (e *Execution) Heartbeat(request int64) ([]Event, error) {
	e.clear()
	t := e.working(request)
	if t == nil {
		return nil, ErrNoRequest
	}
	t.beats = e.now
	task{e, t}.expectHeartbeat()
	e.emit(t, &Event{Type: TaskHeartbeat, Stage: StageResult})
	return e.events, nil
}

// TimeOut ends the task of a request as if its TimeoutSeconds were over now. The error is [ErrNoRequest]:
// the task is over.
func (e *Execution) TimeOut(request int64) error {
	t := e.working(request)
	if t == nil {
		return ErrNoRequest
	}
	e.forgetTask(t)
	t.outcome = nil
	e.resume(t, phaseTaskTimeout)
	return nil
}

// Working returns the request of a task that is not over, answered or not, or nil.
func (e *Execution) Working(request int64) *TaskRequest {
	if asked := e.UnansweredAfter(request - 1); asked != nil && asked.ID == request {
		return asked
	}
	if t := e.working(request); t != nil {
		return t.request
	}
	return nil
}
