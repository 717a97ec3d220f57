package engine

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
)

// EventType is the type of an event.
type EventType uint8

// The events of an execution. The events of one visit of a state are between its StateEntered and its
// StateExited or StateFailed.
const (
	// ExecutionStarted: After is the execution's input.
	ExecutionStarted EventType = iota + 1
	// ExecutionSucceeded: After is the output.
	ExecutionSucceeded
	// ExecutionFailed: the Detail is a *Failure.
	ExecutionFailed
	// ExecutionTimedOut: the machine's TimeoutSeconds are over; the Detail is a *Failure.
	ExecutionTimedOut
	// ExecutionAborted: the driver stopped the execution; the Detail is a *Failure.
	ExecutionAborted
	// StateEntered: After is the state's raw input.
	StateEntered
	// StageCompleted: one stage of data processing ran; Before and After are the data that it read and
	// gave. Of Assign they are the variables of the scope, and the Detail is an *AssignDetail.
	StageCompleted
	// StageFailed: a stage failed; Before is the data that it read, the Detail a *Failure.
	StageFailed
	// TaskScheduled: a task was asked for; After is its payload, the Detail a *TaskRequest.
	TaskScheduled
	// TaskSubmitted: a job was begun, or a message with a task token sent, and the task now waits for
	// its end; After is the service's answer to that.
	TaskSubmitted
	// TaskHeartbeat: the task reported that it is alive.
	TaskHeartbeat
	// TaskSucceeded: Before is the payload, After the raw result.
	TaskSucceeded
	// TaskFailed: the Detail is a *Failure.
	TaskFailed
	// TaskTimedOut: TimeoutSeconds or HeartbeatSeconds are over; the Detail is a *Failure.
	TaskTimedOut
	// WaitStarted: the Detail is a *WaitDetail.
	WaitStarted
	// WaitEnded: the time has come.
	WaitEnded
	// ParallelStarted and MapStarted: the Detail is a *StartDetail; Before is the state's payload
	// (a Map's items).
	ParallelStarted
	MapStarted
	// MapRunStarted: a distributed Map began to start executions, or was redriven; the Detail is a *MapRunDetail.
	MapRunStarted
	// MapRunSucceeded: After is the array of the executions' results, whatever becomes of it.
	MapRunSucceeded
	// MapRunFailed: Before is the data that the failed stage read; the Detail is a *Failure. MapFailed follows,
	// or the end of the execution.
	MapRunFailed
	// ObjectRequested: an ItemReader needs an object; the Detail is an *ObjectRequest.
	ObjectRequested
	// ParallelSucceeded and MapSucceeded: After is the array of results.
	ParallelSucceeded
	MapSucceeded
	// ParallelFailed and MapFailed: the Detail is a *Failure, whose Origin says where it began.
	ParallelFailed
	MapFailed
	// BranchStarted and IterationStarted: a thread began; After is its input, the Detail a *ThreadDetail.
	BranchStarted
	IterationStarted
	// BranchSucceeded and IterationSucceeded: After is its output.
	BranchSucceeded
	IterationSucceeded
	// BranchFailed and IterationFailed: the Detail is a *Failure.
	BranchFailed
	IterationFailed
	// BranchAborted and IterationAborted: another one failed, and this one was stopped for it; the
	// Detail is a *ThreadDetail.
	BranchAborted
	IterationAborted
	// RetryScheduled: a retrier matched; the Detail is a *RetryDetail.
	RetryScheduled
	// RetryStarted: the delay is over and the state's work begins again.
	RetryStarted
	// ErrorCaught: a catcher matched; After is the Error Output, the Detail a *CatchDetail.
	ErrorCaught
	// StateExited: After is the state's output, the Detail an *ExitDetail.
	StateExited
	// StateFailed: the state ended with an error that nothing in it caught; the Detail is a *Failure.
	StateFailed
	// DataEdited: the driver replaced the data that the thread's next stage reads; Before and After are that
	// data, Stage is the one that had given it. Step Functions' history has no such event.
	DataEdited
	// ExecutionRedriven: an execution that had not succeeded continues; the Detail is a *RedriveDetail.
	ExecutionRedriven

	// eventTypeCount is the number behind the last type. It isn't an EventType, so that no switch has to have it.
	eventTypeCount = iota + 1
)

// ThreadID numbers the threads of an execution in the order in which they began. The root is 0.
type ThreadID int32

// Event is one thing that happened in an execution. Events are values, and the data in them never changes.
type Event struct {
	// Seq numbers the events of an execution from 1.
	Seq int64
	// Time is the virtual time, in nanoseconds since the Unix epoch.
	Time int64
	// Visit is the visit of a state that the event belongs to; nil for events of the whole execution.
	Visit *Visit
	// Before and After are the data before and after, nil where the type has none.
	Before, After value.Value
	// Detail is the data that only this type of event has, or nil.
	Detail Detail
	Thread ThreadID
	Type   EventType
	// Stage is the stage that the event belongs to, or NoStage.
	Stage Stage
	// HistoryID is the id of the event, or of the first one in its place, in the history that Step Functions would
	// have of the execution: of a child execution of a distributed Map, in its own. It is 0 where the history has no such event,
	// where it is greater than any that the service has, in the dialect spec, and in an Express execution.
	HistoryID uint16
}

// HistoryEvents returns how many events of Step Functions' history the event has, 0 where it has no HistoryID: the
// first has that id, the others follow.
func (e *Event) HistoryEvents() int {
	if e.HistoryID == 0 {
		return 0
	}
	count := max(eventTraits[e.Type].History, 1)
	if (e.Type == IterationAborted || e.Type == IterationFailed) && e.AbortsWork() {
		count++
	}
	return count
}

// AbortsWork reports whether a branch or iteration ended by the event in a state whose end has its own event in Step
// Functions' history, TaskStateAborted for example: it was aborted in a state whose work takes time, or it failed with
// its task. Recorded of branches (floci-io/floci, AslExecutorBranchHistoryEventsTest; localstack) and of an iteration that timed out.
func (e *Event) AbortsWork() bool {
	switch detail := e.Detail.(type) {
	case *ThreadDetail:
		return (e.Type == BranchAborted || e.Type == IterationAborted) && abortedWork(detail.Visit)
	case *Failure:
		return (e.Type == BranchFailed || e.Type == IterationFailed) && e.Visit != nil && !e.Visit.State.Distributed() && detail.ofTask(e.Thread)
	default:
		return false
	}
}

// inCatcher reports whether the failure is the failure of an expression in a catcher of a Parallel or Map state, which
// then fails once more (floci-io/floci, AslExecutorBranchHistoryEventsTest).
func (f *Failure) inCatcher() bool {
	return f != nil && f.Name == ErrorQueryEvaluation && strings.HasPrefix(f.Field, "Catch[") && f.Origin != nil &&
		(f.Origin.State.Type == asl.Parallel || f.Origin.State.Type == asl.Map)
}

// FailsAgain reports whether the event is about an expression that failed in a catcher of a Parallel or Map state: in
// Step Functions' history the state then fails a second time.
func (e *Event) FailsAgain() bool { return e.Type == StageFailed && e.Failure().inCatcher() }

// ofTask reports whether the failure is from a task of a thread, not from a stage before or after it.
func (f *Failure) ofTask(thread ThreadID) bool {
	return f.Origin != nil && f.Origin.Thread == thread && f.Origin.State.Type == asl.Task && f.Name != ErrorRuntime &&
		(f.Field == "" || f.Name == ErrorTimeout || f.Name == ErrorHeartbeatTimeout)
}

func abortedWork(visit *Visit) bool {
	return visit != nil && workTakesTime(visit.State)
}

// workTakesTime reports whether a state of the type waits for something outside of it.
func workTakesTime(state *asl.State) bool {
	switch state.Type {
	case asl.Task, asl.Wait, asl.Parallel, asl.Map:
		return true
	default:
		return false
	}
}

// HistoryThread names the history that has the event: 0 for the execution's, else the thread of the iteration of a
// distributed Map whose execution has its own history.
func (e *Event) HistoryThread() ThreadID {
	if e.Visit == nil || eventTraits[e.Type].Scope == OfExecution {
		return 0
	}
	if eventTraits[e.Type].Scope == OfThread && e.Visit.State.Distributed() {
		return e.Thread
	}
	for v := e.Visit; v.Parent != nil; v = v.Parent {
		if v.Parent.State.Distributed() {
			return v.Thread
		}
	}
	return 0
}

// StageName returns the name of the event's stage as its state has it: in JSONata Arguments, Items and
// Output, where JSONPath has Parameters, ItemsPath and OutputPath. It is empty where there is no stage.
func (e *Event) StageName() string {
	if f := e.queryField(); f != nil {
		return f.Name
	}
	return e.Stage.String()
}

// InspectionName returns the key under which Step Functions' TestState shows the stage's result, or "".
func (e *Event) InspectionName() string {
	if e.Visit == nil {
		return e.Stage.Inspection()
	}
	return InspectionKey(e.Visit.State, e.Stage)
}

// InspectionKey returns the key under which Step Functions' TestState shows the result of a stage of a state, or "".
func InspectionKey(state *asl.State, stage Stage) string {
	if f := queryField(state, stage); f != nil {
		return f.Inspection
	}
	return stage.Inspection()
}

// queryField returns the field of the event's stage where it belongs to JSONata alone, else nil.
func (e *Event) queryField() *asl.Field {
	if e.Visit == nil {
		return nil
	}
	return queryField(e.Visit.State, e.Stage)
}

func queryField(state *asl.State, stage Stage) *asl.Field {
	if state.QueryLanguage != asl.JSONata {
		return nil
	}
	if fields := asl.FieldsAt(state.Type, asl.JSONata, stage); len(fields) > 0 && fields[0].Language == asl.JSONata {
		return fields[0]
	}
	return nil
}

// At returns the event's virtual time, in UTC.
func (e *Event) At() time.Time { return time.Unix(0, e.Time).UTC() }

// Failure returns the error that the event carries, or nil.
func (e *Event) Failure() *Failure {
	failure, _ := e.Detail.(*Failure)
	return failure
}

// Failure is an error with where it began.
type Failure struct {
	// Name is the Error Name, "States.Timeout" for example; Cause is for people. Either may be empty.
	Name, Cause string
	// Err is the Go error behind a fault that the engine itself found (a path that missed, say), or nil.
	Err error
	// Origin is the visit in which the error came up.
	Origin *Visit
	// Field is the name of the field that caused it, with its place inside the state
	// ("Parameters/city.$"), or empty.
	Field string

	heartbeat bool     // States.HeartbeatTimeout names it too
	other     *Failure // it under another name, which ErrorEquals may have, too: of a Parallel state the branch's
	nulls     bool     // the Error Output has null for a name or a Cause that is empty: see ErrorOutput
	terminal  bool     // it is never caught, whatever its name
	preface   int      // the length of the sentence before the reason in Cause: see Reason
}

// Reason returns the Cause without the sentence that Step Functions puts before it, which says the
// state and the event.
func (f *Failure) Reason() string { return f.Cause[f.preface:] }

// WithTexts returns the failure with another Name and Cause, in which parts were replaced.
func (f *Failure) WithTexts(name, cause string) *Failure {
	out := *f
	out.Name, out.Cause = name, cause
	if !strings.HasPrefix(cause, f.Cause[:f.preface]) {
		out.preface = 0
	}
	return &out
}

// Place returns the place in the definition of the field that caused the error, or the name of the state in which it
// came up where no field is known. ok is false for an error that came up in no state.
func (f *Failure) Place() (place asl.Place, ok bool) {
	if f.Origin == nil || f.Origin.State == nil {
		return asl.Place{}, false
	}
	var miss *path.MissError
	if f.Field != "" && errors.As(f.Err, &miss) && miss.Path != nil {
		return f.Origin.State.PlaceOf(f.Field, miss.Path.String()), true
	}
	return f.Origin.State.Place(f.Field), true
}

// WaitDetail says until when a Wait state waits.
type WaitDetail struct{ Until time.Time }

// StartDetail describes the work of a Parallel or Map state.
type StartDetail struct {
	// Length is the number of branches or items; 0 where an ItemReader has yet to read them.
	Length int
	// Done is how many of them a redrive does not run again.
	Done int
	// MaxConcurrency is how many may run at a time; 0 means all.
	MaxConcurrency int
}

// MapRunDetail describes the Map Run of a distributed Map.
type MapRunDetail struct {
	// Arn is its name: "arn:aws:states:…:mapRun:<state machine>/<label>:<uuid>".
	Arn string
	// Redriven counts the redrives of the Map Run; 0 where it begins.
	Redriven int
}

// ThreadDetail describes a branch or an iteration.
type ThreadDetail struct {
	Thread ThreadID
	// Index is the number of the branch or of the iteration, from 0.
	Index int
	// Visit is, of a thread that was aborted, the state that it was in; nil between two states.
	Visit *Visit
}

// AssignDetail has the variables that an Assign set, with their values.
type AssignDetail struct{ Assigned *value.Object }

// RetryDetail says which retrier matched and how its delay came about.
type RetryDetail struct {
	Failure *Failure
	// Retrier is its place in Retry, from 0; Attempt counts its retries from 1.
	Retrier int
	Attempt int64
	// Delay is the delay taken; Backoff the delay of IntervalSeconds, BackoffRate and MaxDelaySeconds
	// before jitter.
	Delay, Backoff time.Duration
	Due            time.Time
}

// CatchDetail says which catcher matched.
type CatchDetail struct {
	Failure *Failure
	Catcher int // its place in Catch, from 0
	Next    string
}

// ExitDetail says where a state leads.
type ExitDetail struct {
	// Next is the name of the next state, empty at the end of the scope.
	Next string
	// Rule is the number of the Choice rule that matched, from 0; -1 for Default and for other states.
	Rule int
}

// Error implements error: "States.Runtime: the cause".
func (f *Failure) Error() string {
	if f.Cause == "" {
		return f.Name
	}
	return f.Name + ": " + f.Cause
}

// Visit is one stay of a thread in a state. It is written once, at entry.
type Visit struct {
	State  *asl.State
	Thread ThreadID
	// Parent is the visit of the Parallel or Map state that the thread belongs to; nil in the root thread.
	Parent *Visit
	// Index is the number of the branch or iteration that the thread is, from 0; 0 in the root thread.
	Index int
	// Number counts the thread's visits of this state, from 1.
	Number int
	// Entered is the sequence number of its StateEntered event; HistoryID the id of that event in Step
	// Functions' history, which causes quote.
	Entered, HistoryID int64

	child *childExecution // the execution of a distributed Map that the visit is in, or nil
}

// Path returns the state path: where in the machine the visit is, for example
// "Order/Branches[1]/Charge" or "Each/Iterations[4]/Validate".
func (v *Visit) Path() string { return string(v.appendPath(nil)) }

// Holds reports whether a visit is the same one or is inside this one.
func (v *Visit) Holds(w *Visit) bool {
	for w != nil && w != v {
		w = w.Parent
	}
	return w != nil
}

// SamePlace reports whether two visits have the same state path. It allocates nothing.
func (v *Visit) SamePlace(w *Visit) bool {
	for v != w {
		if v == nil || w == nil || v.Index != w.Index || v.State.Name != w.State.Name || (v.Parent == nil) != (w.Parent == nil) {
			return false
		}
		v, w = v.Parent, w.Parent
		if v != nil && (v.State.Type == asl.Map) != (w.State.Type == asl.Map) {
			return false
		}
	}
	return true
}

// ThreadPath returns the path of a branch or iteration of the visit, by its number from 0, which may have no state yet:
// "Each/Iterations[4]".
func (v *Visit) ThreadPath(index int) string { return string(v.appendThread(nil, index)) }

func (v *Visit) appendPath(dst []byte) []byte {
	if v.Parent != nil {
		dst = append(v.Parent.appendThread(dst, v.Index), '/')
	}
	return append(dst, v.State.Name...)
}

func (v *Visit) appendThread(dst []byte, index int) []byte {
	dst = v.appendPath(dst)
	if v.State.Type == asl.Map {
		dst = append(dst, "/Iterations["...)
	} else {
		dst = append(dst, "/Branches["...)
	}
	return append(strconv.AppendInt(dst, int64(index), 10), ']')
}

// Within reports whether a visit is the other one, or in the container that it is.
func (v *Visit) Within(around *Visit) bool {
	for ; v != nil && v != around; v = v.Parent {
	}
	return v == around
}
