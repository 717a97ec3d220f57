package debug

import (
	"asldb/engine"
	"asldb/engine/runlog"
)

// passUntil carries on a command that lets time pass up to Command.Until: what is due by then happens,
// whatever the clock's mode is. A question that stood open when the command was given does not stop it,
// since letting a task time out is a reason to move the clock; a new one does.
func (s *Session) passUntil(status engine.Status) Stop {
	if status == engine.AwaitingAnswer {
		requests := s.execution.Requests()
		if len(requests) == 0 || requests[len(requests)-1].ID > s.goal.asked {
			return Stop{Reason: StoppedForAnswer}
		}
	}
	until, arrived := s.goal.command.Until, true
	if next, ok := s.execution.NextTimer(); ok && !next.After(until) {
		until, arrived = next, false
	}
	if planned := s.options.Abort; planned != nil && planned.At.Before(until) {
		until, arrived = planned.At, false
	}
	at, stops := s.clockStop(until)
	if stops {
		until = at
	}
	if err := s.give(runlog.Input{Kind: runlog.InputTime, Time: until, Origin: runlog.OriginPerson}); err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	if stops {
		return s.clockReached(at)
	}
	if arrived {
		return Stop{Reason: StoppedAtTime}
	}
	return Stop{Reason: StillRunning}
}

// newestRequest is the number of the newest request that is open.
func (s *Session) newestRequest() int64 {
	if requests := s.Requests(); len(requests) > 0 {
		return requests[len(requests)-1].ID
	}
	return 0
}
