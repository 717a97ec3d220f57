package engine

import (
	"time"

	"asldb/engine/value"
)

// TaskRequest is the request for the outcome of one attempt of a Task state.
// It is written once.
type TaskRequest struct {
	// ID numbers the requests of an execution from 1.
	ID     int64
	Thread ThreadID
	// TimeoutSet reports whether the definition sets Timeout; otherwise it is the language's default.
	TimeoutSet bool
	Visit      *Visit
	// Resource is the state's Resource; Parameters the payload.
	Resource   string
	Parameters value.Value
	// Attempt counts the attempts of this visit, from 1. Invocation counts the requests of this state
	// over the whole execution (retries, loops, branches and iterations included), from 1.
	Attempt    int
	Invocation int
	// Timeout and Heartbeat are the bounds in force; 0 means none.
	Timeout, Heartbeat time.Duration
	// Credentials is the value of the Credentials field, nil where the state has none.
	Credentials value.Value
	// Integration is the kind of the task by its Resource.
	Integration Integration
	// Token is the task token, where the execution has a prefix for them: see [StartOptions].
	Token string
}

// Outcome is a driver's answer to a TaskRequest: an output, or an error.
type Outcome struct {
	// Output is the raw result; nil where the task fails.
	Output value.Value
	// Error and Cause are the Error Name and its explanation where Output is nil. Both may be empty: the holder of a task
	// token, or the worker of an activity, need not give them.
	Error, Cause string
	// Submitted is, of a task that waits for a job or for a task token, the service's answer to the beginning of the
	// job or to the message. Nil means {} where the task succeeds, and for a failure to begin at all where it fails.
	Submitted value.Value
	// After is how long the task takes on the virtual clock.
	After time.Duration
	// HeartbeatEvery is the time between the task's heartbeats; 0 means that it sends none.
	HeartbeatEvery time.Duration
}

// TimerKind is the purpose of a timer.
type TimerKind uint8

// The kinds of timers.
const (
	TimerWait TimerKind = iota + 1
	TimerRetry
	TimerTask   // a task's outcome is due
	TimerMapRun // a Map Run that was answered as a whole ends
	TimerTaskHeartbeat
	TimerTaskTimeout
	TimerHeartbeatTimeout
	TimerChildTimeout // the five minutes of an Express execution of a Map Run are over
	TimerExecutionTimeout
)

var timerKindNames = [...]string{
	TimerWait: "Wait", TimerRetry: "retry", TimerTask: "task result", TimerMapRun: "Map Run result", TimerTaskHeartbeat: "heartbeat",
	TimerTaskTimeout: "TimeoutSeconds", TimerHeartbeatTimeout: "HeartbeatSeconds", TimerChildTimeout: "five minutes of an Express execution",
	TimerExecutionTimeout: "machine TimeoutSeconds",
}

// String returns the kind in words.
func (k TimerKind) String() string {
	if int(k) < len(timerKindNames) && timerKindNames[k] != "" {
		return timerKindNames[k]
	}
	return "timer"
}

// Timer is a pending timer of an execution.
type Timer struct {
	At   time.Time
	Kind TimerKind
	// Visit is the visit that waits; nil for the machine's own timeout.
	Visit *Visit
}

// Status is what an execution needs to continue, or its end.
type Status uint8

// The statuses of an execution.
const (
	// Runnable: Step does the next thing.
	Runnable Status = iota
	// AwaitingAnswer: every thread is blocked, and at least one waits for a task's outcome, or an
	// ItemReader's object, that is not given yet.
	AwaitingAnswer
	// AwaitingTime: every thread is blocked on a timer; the time must be moved on.
	AwaitingTime
	// Succeeded, Failed, TimedOut and Aborted: it is over.
	Succeeded
	Failed
	TimedOut
	Aborted
)

// Done reports whether the execution is over.
func (s Status) Done() bool { return s >= Succeeded }

var statusNames = [...]string{
	Runnable: "RUNNING", AwaitingAnswer: "AWAITING_ANSWER", AwaitingTime: "AWAITING_TIME",
	Succeeded: "SUCCEEDED", Failed: "FAILED", TimedOut: "TIMED_OUT", Aborted: "ABORTED",
}

// String returns the status as Step Functions names it (RUNNING, SUCCEEDED, FAILED, TIMED_OUT,
// ABORTED), or the reason why it waits.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "UNKNOWN"
}

// Submits reports whether a task with this outcome begins a job or sends a message first, and so has a TaskSubmitted
// event.
func (r *TaskRequest) Submits(outcome *Outcome) bool {
	return outcome.Submitted != nil || (r.Integration.Pattern != RequestResponse && outcome.Output != nil)
}
