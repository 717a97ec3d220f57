package debug

import "asldb/engine/interrupt"

// SetInterrupt sets the check that can interrupt an evaluation: of the execution's expressions, and of the debugger's own
// (conditions, watches, searches). A step that is interrupted has not happened, and the session stops with
// StoppedByInterrupt and the reason in Stop.Err; the command can be given again. nil is nothing.
func (s *Session) SetInterrupt(check interrupt.Check) {
	s.poll = interrupt.NewPoll(check)
	s.options.Interrupt = check
	for _, r := range s.forks.runs {
		r.options.Interrupt = check
		r.execution.SetInterrupt(check)
		if r.rewound != nil {
			r.rewound.execution.SetInterrupt(check)
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
