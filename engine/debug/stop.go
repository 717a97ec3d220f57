package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/outcome"
)

// Reason is the reason why a session has stopped.
type Reason uint8

// The reasons to stop.
const (
	// StoppedAtStart: nothing has run yet.
	StoppedAtStart Reason = iota
	// StoppedByStep: the step is done.
	StoppedByStep
	// StoppedByBreakpoint: Stop.Breakpoint was hit.
	StoppedByBreakpoint
	// StoppedAtTarget: the state that RunTo named was entered.
	StoppedAtTarget
	// StoppedForAnswer: a task needs an outcome that the source does not have, see [Session.Requests], or an ItemReader
	// an object, see [Session.ObjectRequests].
	StoppedForAnswer
	// StoppedForTime: the clock is by hand or paced, and every thread waits for a timer.
	StoppedForTime
	// StoppedByInterrupt: it was stopped by [Session.Interrupt]. Where that was in the middle of an evaluation,
	// Stop.Err says so.
	StoppedByInterrupt
	// StoppedAtEnd: the execution is over.
	StoppedAtEnd
	// StoppedBySource: the source of outcomes gave an error, Stop.Err.
	StoppedBySource
	// StoppedByLimit: the command has brought Command.Events events and has not come to its end.
	StoppedByLimit
	// StoppedAtTime: the time that RunUntil named has come, and all that was due by then has happened.
	StoppedAtTime
	// StoppedAtRecordingEnd: the session is a replay, and nothing more was recorded of an execution that is not over.
	StoppedAtRecordingEnd
	// StoppedForCall: nothing can go on before the outcome of a call comes: see [outcome.Later] and [Session.Calls].
	StoppedForCall
	// StillRunning: the budget of Advance is used up; call it again.
	StillRunning
)

// Stop is the place where a session has stopped, with the reason.
type Stop struct {
	Reason     Reason
	Breakpoint *breakpoint.Breakpoint // of StoppedByBreakpoint
	Err        error                  // of StoppedBySource, and perhaps of StoppedByInterrupt
	// Undone: of StoppedByInterrupt, that the step in which the evaluation was interrupted has not happened.
	Undone bool
	// Object is the oldest request for an object, of StoppedForAnswer where no task waits.
	Object *engine.ObjectRequest
	// Wake is the time of the next timer, of StoppedForTime.
	Wake time.Time
	// Missed is the target of RunTo when the execution ended before it came there, of StoppedAtEnd.
	Missed string
}

// MissingObject returns the error about Object, which the source does not have; nil where there is no request.
func (s *Stop) MissingObject() error {
	if s.Object == nil {
		return nil
	}
	return &outcome.MissingObjectError{Request: s.Object}
}
