package debug

import (
	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/runlog"
)

// Back goes back as a command went forward, within the known events: nothing is executed that was not executed
// before, and no source is asked. Each kind of command is reversed:
//
//	StepStage  to the event before
//	StepState  to the entry of a state before, in whichever thread
//	StepOver   to the entry of a state before in the same thread, or in one that holds it: a Parallel, a Map or a
//	           chain of retries is one step
//	StepOut    to where the Parallel or Map began its branches or iterations; at the top to the start
//	Continue   to the last event before at which a breakpoint stops, or to the start
//	StepThread to the event before of Command.Thread
//	RunUntil   to the last event before that is not later than Command.Until
//	RunTo      to the last entry before of a state that Command.Target matches, or to the start
//
// The error is that of [Session.Begin].
func (s *Session) Back(command Command) (Stop, error) {
	s.poll.Reset()
	if err := command.check(s.machine); err != nil {
		return s.stop, err
	}
	s.stepper.begin(command)
	before := s.log.PositionBefore(s.position)
	stop, to := Stop{Reason: StoppedByStep}, 0
	switch command.Kind {
	case StepStage:
		to = before
	case Continue:
		if i, hit := s.points.StopBefore(before); hit != nil {
			stop, to = Stop{Reason: StoppedByBreakpoint, Breakpoint: hit}, s.log.PositionAt(i+1)
		}
	default:
		for i := before - 1; i >= 0; i-- {
			if s.stepper.goal.cameFrom(&s.log, i) {
				to = s.log.PositionAt(i + 1)
				break
			}
		}
		if command.Kind == RunTo {
			stop.Reason = StoppedAtTarget
		}
	}
	if interrupted, is := s.interruptedStop(); is {
		s.stop = interrupted // the conditions before are not known: it stays
		return s.stop, nil
	}
	if to == 0 {
		stop = Stop{Reason: StoppedAtStart}
		if command.Kind == RunTo {
			stop.Missed = command.Target
		}
	}
	s.goTo(to)
	s.stop = stop
	return stop, nil
}

// cameFrom reports whether event i of the log is one to which the command goes back.
func (g *goal) cameFrom(log *runlog.Log, i int) bool {
	head := log.Head(i)
	switch g.command.Kind {
	case StepState:
		return head.Type == engine.StateEntered
	case StepOver:
		return head.Type == engine.StateEntered && g.leaves(log.At(i).Visit)
	case StepOut:
		return g.ofContainer(&head) && isContainer(head.Type)
	case StepThread:
		return head.Thread == g.command.Thread
	case RunUntil:
		return head.Time <= g.command.Until.UnixNano()
	case RunTo:
		return head.Type == engine.StateEntered && breakpoint.Matches(g.command.Target, log.At(i).Visit)
	case StepStage, Continue:
	}
	return false
}
