package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
)

// clockwork moves the virtual clock of a session while every thread waits.
type clockwork struct {
	s    *Session
	mode Clock
}

// pass moves the clock as its mode says.
func (c *clockwork) pass() Stop {
	s := c.s
	next, ok := s.execution.NextTimer()
	if !ok {
		return Stop{Reason: StoppedAtEnd} // cannot happen: a blocked thread has a timer or a request
	}
	if at := s.options.Abort; at != nil && at.At.Before(next) {
		next = at.At
	}
	if c.mode.Mode != ClockSkip {
		return Stop{Reason: StoppedForTime, Wake: next}
	}
	at, stops := c.stop(next)
	if stops {
		next = at
	}
	if err := s.give(&runlog.Input{Kind: runlog.InputTime, Time: next, Origin: runlog.OriginClock}); err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	if stops {
		return c.reached(at)
	}
	return Stop{Reason: StillRunning}
}

// passUntil carries on a command that lets time pass up to Command.Until: all that is due by then happens,
// whatever the clock's mode is. A question that was open when the command was given does not stop it,
// since letting a task time out is a reason to move the clock; a new one does.
func (c *clockwork) passUntil(status engine.Status) Stop {
	s := c.s
	if status == engine.AwaitingAnswer {
		requests := s.execution.Requests()
		if len(requests) == 0 || requests[len(requests)-1].ID > s.stepper.goal.asked {
			return s.asker.waits()
		}
	}
	until, arrived := s.stepper.goal.command.Until, true
	if next, ok := s.execution.NextTimer(); ok && !next.After(until) {
		until, arrived = next, false
	}
	if planned := s.options.Abort; planned != nil && planned.At.Before(until) {
		until, arrived = planned.At, false
	}
	at, stops := c.stop(until)
	if stops {
		until = at
	}
	if err := s.give(&runlog.Input{Kind: runlog.InputTime, Time: until, Origin: runlog.OriginPerson}); err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	if stops {
		return c.reached(at)
	}
	if arrived {
		return Stop{Reason: StoppedAtTime}
	}
	return Stop{Reason: StillRunning}
}

// stop returns the first time at which a breakpoint stops the clock on its way to an instant. Times at which a
// timer fires are left to the events that it brings; ok is false where there is none before.
func (c *clockwork) stop(to time.Time) (at time.Time, ok bool) {
	s := c.s
	if !s.points.StopsClock() {
		return at, false
	}
	timer, _ := s.NextTimer()
	return s.points.ClockStop(s.Now(), to, timer)
}

// reached is the stop after a breakpoint has stopped the clock.
func (c *clockwork) reached(at time.Time) Stop {
	s := c.s
	return Stop{Reason: StoppedByBreakpoint, Breakpoint: s.points.ClockReached(at)}
}

// abortDue reports whether the time has come at which the execution is stopped from outside.
func (c *clockwork) abortDue(status engine.Status) bool {
	s := c.s
	planned := s.options.Abort
	return planned != nil && status != engine.Runnable && !s.execution.Now().Before(planned.At)
}

func (c *clockwork) abort() Stop {
	s := c.s
	planned := s.options.Abort
	err := s.give(&runlog.Input{Kind: runlog.InputAbort, Error: planned.Error, Cause: planned.Cause, Origin: runlog.OriginRecorded})
	if err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	return Stop{Reason: StoppedAtEnd}
}

// Abort is the end of an execution that is stopped from outside: it comes at a virtual time, once every thread waits for
// something later.
type Abort struct {
	At           time.Time
	Error, Cause string
}
