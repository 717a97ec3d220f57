package debug

import (
	"asldb/engine/interrupt"
)

// SetInterrupt sets what can interrupt an evaluation: of the execution's expressions, and of the debugger's own
// (conditions, watches, searches). A step that is interrupted has not happened, and the session stops with
// StoppedByInterrupt and the reason in Stop.Err; the command can be given again. nil is nothing.
func (s *Session) SetInterrupt(check interrupt.Check) {
	s.poll = interrupt.NewPoll(check)
	s.options.Interrupt = check
	for _, r := range s.runs {
		r.options.Interrupt = check
		r.execution.SetInterrupt(check)
		if r.past != nil {
			r.past.execution.SetInterrupt(check)
		}
	}
}

// interruptedStop is the stop after an evaluation of the debugger's own was interrupted.
func (s *Session) interruptedStop() (stop Stop, interrupted bool) {
	if err := s.poll.Err(); err != nil {
		return Stop{Reason: StoppedByInterrupt, Err: err}, true
	}
	return Stop{}, false
}

// stopFor is the stop for an error of the source. One that says that an evaluation was interrupted is no fault: the
// source is asked again before anything else happens.
func (s *Session) stopFor(fault error) Stop {
	if interrupt.Is(fault) {
		s.unasked = true
		return Stop{Reason: StoppedByInterrupt, Err: fault}
	}
	return Stop{Reason: StoppedBySource, Err: fault}
}

// askAll lets the source answer what has come up since event first.
func (s *Session) askAll(first int) error {
	s.unasked = false
	fault := s.askMapRuns(first)
	if fault == nil {
		fault = s.askSource()
	}
	if fault == nil {
		fault = s.askObjects()
	}
	return fault
}
