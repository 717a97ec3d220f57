package debug

import (
	"asldb/engine"
	"asldb/engine/breakpoint"
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
			if s.stepper.goal.cameFrom(s.log.At(i)) {
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

// cameFrom reports whether the event is one to which the command goes back.
func (g *goal) cameFrom(event *engine.Event) bool {
	switch g.command.Kind {
	case StepState:
		return event.Type == engine.StateEntered
	case StepOver:
		return event.Type == engine.StateEntered && g.leaves(event.Visit)
	case StepOut:
		return g.visit != nil && g.visit.Parent != nil && event.Visit == g.visit.Parent && isContainer(event.Type)
	case StepThread:
		return event.Thread == g.command.Thread
	case RunUntil:
		return !event.At().After(g.command.Until)
	case RunTo:
		return event.Type == engine.StateEntered && breakpoint.Matches(g.command.Target, event.Visit)
	case StepStage, Continue:
	}
	return false
}
