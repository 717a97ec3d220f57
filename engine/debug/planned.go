package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
)

// Abort is the end of an execution that somebody stopped: it comes at a virtual time, once every thread waits
// for later things.
type Abort struct {
	At           time.Time
	Error, Cause string
}

// abortDue reports whether the time has come at which the execution is stopped from outside.
func (s *Session) abortDue(status engine.Status) bool {
	planned := s.options.Abort
	return planned != nil && status != engine.Runnable && !s.execution.Now().Before(planned.At)
}

func (s *Session) abortAsPlanned() Stop {
	planned := s.options.Abort
	err := s.give(runlog.Input{Kind: runlog.InputAbort, Error: planned.Error, Cause: planned.Cause, Origin: runlog.OriginRecorded})
	if err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	return Stop{Reason: StoppedAtEnd}
}
