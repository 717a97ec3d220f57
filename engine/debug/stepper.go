package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
)

// stepper carries out the command of a session, one step of the engine at a time.
type stepper struct {
	s           *Session
	goal        goal
	interrupted bool
	passed      int // the events since the poll of the session was looked at
	budget      int // of the call of advance, and its cost so far
	cost        int
}

// longStep is the cost of a step in which an evaluation took long.
const longStep = 2048

// begin takes the place from which a command starts: the place of the newest event.
func (p *stepper) begin(command Command) {
	s := p.s
	g := goal{command: command, began: s.log.Len()}
	if command.Kind == RunUntil {
		if requests := s.Requests(); len(requests) > 0 {
			g.asked = requests[len(requests)-1].ID
		}
	}
	if last := s.lastEvent(); last != nil {
		g.visit = last.Visit
		if g.visit != nil && last.Thread != g.visit.Thread {
			// The event is a branch's or an iteration's own: the place is inside the state that it names.
			g.visit = &engine.Visit{State: g.visit.State, Thread: last.Thread, Parent: g.visit}
		}
	}
	if command.From != nil {
		g.visit = command.From
	}
	p.goal, p.interrupted = g, false
}

// advance does a step, or several of the engine where nothing comes between them, and returns their cost: about the budget at
// most. The session's stop reports whether to continue.
func (p *stepper) advance(budget int) int {
	s := p.s
	if p.interrupted {
		p.interrupted = false
		s.stop = Stop{Reason: StoppedByInterrupt}
		return 0
	}
	p.budget, p.cost = budget, 1
	p.step()
	if s.poll.Err() != nil {
		s.stop, _ = s.interruptedStop()
		return p.cost
	}
	switch {
	case s.stop.Reason == StoppedAtEnd && p.goal.command.Kind == RunTo:
		s.stop.Missed = p.goal.command.Target
	case s.stop.Reason == StillRunning && p.goal.exhausted(s.log.Len()):
		s.stop = Stop{Reason: StoppedByLimit}
	}
	return p.cost
}

// step does steps of the engine, or gives it the input for which it waits. The session's stop reports whether to
// continue.
func (p *stepper) step() {
	s := p.s
	if s.asker.pending && s.atEnd() && !s.ReadOnly() {
		if fault := s.asker.all(s.asker.first); fault != nil {
			s.stop = s.asker.stopFor(fault)
			return
		}
	}
	if s.atEnd() && !s.ReadOnly() && !s.growth.Driven() && s.execution.Runnable() {
		for p.stepEngine(); p.goesOn(); p.cost++ {
			p.stepEngine()
		}
		return
	}
	if s.atEnd() && s.growth != nil {
		p.cost += s.growth.Grow(stepsOnDemand)
	}
	if stop := p.aside(); stop.Reason != StillRunning {
		s.stop = stop
	}
}

// goesOn reports whether another step of the engine follows at once.
func (p *stepper) goesOn() bool {
	s := p.s
	return s.stop.Reason == StillRunning && p.cost < p.budget && !p.interrupted && s.poll.Err() == nil &&
		s.execution.Runnable() && !p.goal.exhausted(s.log.Len())
}

// stepsOnDemand is the number of steps that a recording is executed on by where a command has come to the end of what is known.
const stepsOnDemand = 256

// aside continues without a step of the engine: it walks over known events, or gives the engine the input for which it
// waits.
func (p *stepper) aside() Stop {
	s := p.s
	if !s.atEnd() {
		return p.walk()
	}
	if s.growth.Driven() && !s.Status().Done() {
		return p.there()
	}
	if s.ReadOnly() && !s.Status().Done() {
		return Stop{Reason: StoppedAtRecordingEnd}
	}
	if s.logOnly {
		return Stop{Reason: StoppedAtEnd}
	}
	switch status := s.execution.Status(); {
	case status.Done():
		return Stop{Reason: StoppedAtEnd}
	case s.clockwork.abortDue(status):
		return s.clockwork.abort()
	case status == engine.AwaitingAnswer && len(s.Calls().Open()) > 0:
		return Stop{Reason: StoppedForCall}
	case p.goal.command.Kind == RunUntil && status != engine.Runnable:
		return s.clockwork.passUntil(status)
	case status == engine.AwaitingTime:
		return s.clockwork.pass()
	}
	return s.asker.again()
}

// stepEngine does one step of the engine. Where the run continues it leaves the session's stop alone: a long run does
// nothing more often than this.
func (p *stepper) stepEngine() {
	s, r := p.s, p.s.run
	if p.goal.command.Kind == StepThread {
		if err := p.keepThread(); err != nil {
			s.stop = Stop{Reason: StoppedBySource, Err: err}
			return
		}
	}
	events := r.execution.StepInto(r.log.Tail())
	if err := r.execution.Interrupted(); err != nil {
		s.stop = Stop{Reason: StoppedByInterrupt, Err: err, Undone: true}
		return
	}
	r.steps++
	first := r.log.Len()
	reason, hit, long := StillRunning, (*breakpoint.Breakpoint)(nil), false
	if len(events) > 0 {
		if long = tookLong(r.execution); long {
			p.cost += longStep - 1
		}
		if r.options.Sink == nil {
			r.take(events, r.steps)
		} else {
			s.happened(events)
		}
		if p.passes() {
			p.pass(len(events))
		} else {
			reason, hit = p.examine(first)
		}
	}
	s.asker.first, s.asker.pending = first, false
	var fault error
	if r.execution.Asks() || r.machine.HasMapRuns() {
		fault = s.asker.all(first)
	}
	if len(events) > 0 && !r.options.Forget && r.checkpoints.due(r.position, long) {
		r.checkpoints.offer(r.execution, r.latest(), long)
	}
	if fault != nil {
		s.stop = s.asker.stopFor(fault)
		return
	}
	if reason != StoppedByBreakpoint && r.execution.Done() {
		reason = StoppedAtEnd
	}
	if reason != StillRunning {
		s.stop = Stop{Reason: reason, Breakpoint: hit}
	}
}

// walk goes over the next step of the known events.
func (p *stepper) walk() Stop {
	s := p.s
	first := s.position
	if command := p.goal.command; command.Kind == RunUntil && s.log.Head(first).Time > command.Until.UnixNano() {
		return Stop{Reason: StoppedAtTime}
	}
	s.position = s.log.PositionAt(first + 1)
	reason, hit := p.examine(first)
	return Stop{Reason: p.orEnd(reason), Breakpoint: hit}
}

// orEnd is the reason to stop after a step: the end is one, unless there is another to report.
func (p *stepper) orEnd(reason Reason) Reason {
	if s := p.s; reason != StoppedByBreakpoint && s.atEnd() && s.done() {
		return StoppedAtEnd
	}
	return reason
}

// examine looks whether the session stops at one of the events from first up to the position. All of them have happened
// by then, so breakpoints count each, and the first that stops comes before the command's own end. hit is nil
// where another reason is given.
func (p *stepper) examine(first int) (reason Reason, hit *breakpoint.Breakpoint) {
	s := p.s
	reason = StillRunning
	if p.passes() {
		p.pass(s.position - first)
		return reason, nil
	}
	for i := first; i < s.position; i++ {
		_ = s.poll.Step(1)
		if len(s.points.All()) > 0 {
			if b := s.points.Hit(i); b != nil && reason != StoppedByBreakpoint {
				reason, hit = StoppedByBreakpoint, b
			}
		}
		if reason == StillRunning {
			reason = p.goal.reached(&s.log, i)
		}
	}
	return reason, hit
}

// passes reports whether no event stops the session: the command has no place to reach, and there are no breakpoints.
func (p *stepper) passes() bool {
	kind := p.goal.command.Kind
	return (kind == Continue || kind == RunUntil) && len(p.s.points.All()) == 0
}

// polledEvery is the number of events that a session passes from one look at the interruption to the next.
const polledEvery = 64

// pass notes that so many events were passed.
func (p *stepper) pass(events int) {
	if p.passed += events; p.passed >= polledEvery {
		_ = p.s.poll.Step(p.passed)
		p.passed = 0
	}
}

// keepThread gives the focus back to the thread that a StepThread is about as soon as it can run. While it
// is blocked the others have to run: it waits for them, or for time, which only passes when all wait.
func (p *stepper) keepThread() error {
	s := p.s
	if c := &p.goal.command; s.execution.Focused() != c.Thread && s.execution.CanRun(c.Thread) {
		return s.Interventions().Focus(c.Thread)
	}
	return nil
}

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
	// StoppedForCall: nothing can happen before the outcome of a call comes: see [outcome.Later] and [Session.Calls].
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
