// Package debug is the debug session: what stands between an execution and every face (the screen, the
// headless runner). It knows breakpoints, step modes and the virtual clock's modes; it does not know
// how anything is drawn or stored.
package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// ClockMode is how the virtual clock goes on when every thread waits for a timer.
type ClockMode uint8

// The modes of the virtual clock.
const (
	// ClockSkip jumps to the next timer.
	ClockSkip ClockMode = iota
	// ClockPaced follows real time, Factor times as fast. The face moves it: see [Session.AdvanceTime].
	ClockPaced
	// ClockByHand stops until the person moves it.
	ClockByHand
)

// Clock is a mode with the factor of ClockPaced (1 is real time).
type Clock struct {
	Mode   ClockMode
	Factor float64
}

// Options are what a session is made from.
type Options struct {
	Input value.Value
	// Start is the virtual time at which the execution starts, Seed what its random choices are drawn
	// from. Context is merged over the default context object; it may be nil.
	Start   time.Time
	Seed    int64
	Context value.Value
	Source  outcome.Source // nil: the session stops for every task
	Clock   Clock
	// Limits are the service's quotas to keep to; the zero Limits are none.
	Limits engine.Limits
	// Sink is told every answer and every event as it comes; nil tells nobody.
	Sink Sink
	// Abort stops the execution from outside at a virtual time; nil: nobody does.
	Abort *Abort
	// Forget keeps no more of the log and the inputs than their newest parts, so that a run takes no more memory the
	// longer it is. It is for a session that is carried straight to its end: it cannot go back, nor be asked for older events,
	// has no breakpoints, and its source is not asked for Map Runs.
	Forget bool
	// Interrupt can interrupt evaluations: see [Session.SetInterrupt], which changes it. It may be nil.
	Interrupt interrupt.Check
}

// CommandKind is a way to go forward.
type CommandKind uint8

// The ways to go forward.
const (
	// StepStage goes to the next event.
	StepStage CommandKind = iota + 1
	// StepState goes to the entry of the next state, in whichever thread.
	StepState
	// StepOver goes to the next state of the same thread: a Parallel, a Map or a chain of retries is one step.
	StepOver
	// StepOut leaves the branch or iteration: to the moment at which its Parallel or Map goes on.
	// At the top it goes to the end.
	StepOut
	// Continue goes on to a breakpoint, a question, or the end.
	Continue
	// RunTo goes to the entry of a state that Command.Target matches.
	RunTo
	// StepThread goes to the next event of Command.Thread. The other threads run only while it is blocked.
	StepThread
	// RunUntil lets time pass up to Command.Until, whatever the clock's mode is; several timers may fire on the way.
	RunUntil
)

// Command is one order to go forward. Every command also stops at a breakpoint, at a question and at the end.
type Command struct {
	Kind   CommandKind
	Target string          // of RunTo: a state's name, path or pattern
	Thread engine.ThreadID // of StepThread
	Until  time.Time       // of RunUntil
	// Events bounds the events that the command may bring, so that an execution without end does not fill
	// the memory while nobody looks; 0 for no bound. Those that are known already do not count.
	Events int
}

// Session drives one execution. It must not be used by two goroutines at once.
type Session struct {
	*run           // the fork that the session is in
	runs    []*run // all of them
	told    *run   // the one that the sink has been told of
	dropped int    // the number of forks that were dropped
	// first is the run that every session begins with; most have no other.
	first run

	clock    Clock
	readOnly bool // a replay: nothing is executed beyond the recording

	points  *breakpoint.Tracker
	watches *breakpoint.Watches
	// previousStop is the index of the event that PreviousStop returns.
	previousStop int

	goal        goal
	stop        Stop
	interrupted bool
	poll        interrupt.Poll // of the debugger's own expressions
	// unasked: the source was interrupted before it had answered what the newest step brought, which began at asking.
	unasked bool
	asking  int
	cost    int // of the newest step, of a budget
}

// New returns a session that stands before the first event.
func New(machine *engine.Machine, options Options) *Session {
	s := &Session{clock: options.Clock}
	s.begin(machine, options, "")
	return s
}

func (s *Session) begin(machine *engine.Machine, options Options, cause string) {
	if options.Interrupt != nil {
		s.poll = interrupt.NewPoll(options.Interrupt)
	}
	s.restart(machine, options, cause)
	s.unasked = false
	s.goal, s.stop, s.interrupted, s.previousStop = goal{}, Stop{Reason: StoppedAtStart}, false, -1
}

// Restart goes back to before the first event and executes anew from there: tasks are asked for again. Breakpoints stay, with
// their hits counted anew; so do the input, the seed and the clock's mode. The source begins its sequences
// again. What happened before is kept as a fork. Of a replay it goes to the start.
func (s *Session) Restart() {
	if s.readOnly {
		s.GoTo(0)
		return
	}
	s.RestartWith(s.options)
}

// RestartWith restarts with other options: another input, seed, start time, source, or other limits.
func (s *Session) RestartWith(options Options) {
	if s.readOnly {
		s.GoTo(0)
		return
	}
	if options.Source != nil {
		options.Source.Seek(nil)
	}
	if options.Interrupt == nil {
		options.Interrupt = s.options.Interrupt
	}
	s.begin(s.machine, options, "restart")
	s.recount(0, 0)
}

// Begin gives a command, which Advance then carries out. From an earlier position it walks over what is known, as if it
// happened now, and executes only at its end. The error is a *[breakpoint.SpecError]: the target of
// RunTo matches no state; [engine.ErrNoThread]: that of StepThread does not live; or [engine.ErrBackwards]:
// the time of RunUntil is over.
func (s *Session) Begin(command Command) error {
	s.poll.Reset()
	if err := s.checkTarget(command); err != nil {
		return err
	}
	if command.Kind == StepThread && !s.threadIsLive(command.Thread) {
		return engine.ErrNoThread
	}
	if command.Kind == RunUntil && command.Until.Before(s.Now()) {
		return engine.ErrBackwards
	}
	s.goal = s.newGoal(command)
	s.previousStop = s.position - 1
	s.stop = Stop{Reason: StillRunning}
	s.interrupted = false
	return nil
}

func (s *Session) checkTarget(command Command) error {
	if command.Kind != RunTo {
		return nil
	}
	return breakpoint.CheckTarget(command.Target, s.machine.Definition())
}

// Do gives a command and carries it out to the stop. With a paced clock it also stops for time.
func (s *Session) Do(command Command) (Stop, error) {
	if err := s.Begin(command); err != nil {
		return s.stop, err
	}
	const much = 1 << 20
	for {
		if stop := s.Advance(much); stop.Reason != StillRunning {
			return stop, nil
		}
	}
}

// Interrupt makes the next Advance stop at once.
func (s *Session) Interrupt() { s.interrupted = true }

// longStep is what a step costs of a budget in which an evaluation took long.
const longStep = 2048

// Advance carries the command on by at most budget steps of the engine and says why it stands still;
// StillRunning asks for another call. A step that took long counts for some thousand.
func (s *Session) Advance(budget int) Stop {
	s.poll.Reset()
	switch s.stop.Reason {
	case StoppedForTime, StoppedForAnswer, StoppedForCall:
		s.stop.Reason = StillRunning // what was missing may have come
	}
	for s.stop.Reason == StillRunning && budget > 0 {
		if s.interrupted {
			s.interrupted = false
			s.stop = Stop{Reason: StoppedByInterrupt}
			break
		}
		s.cost = 1
		s.step()
		if stop, interrupted := s.interruptedStop(); interrupted {
			s.stop = stop
			break
		}
		switch {
		case s.stop.Reason == StoppedAtEnd && s.goal.command.Kind == RunTo:
			s.stop.Missed = s.goal.command.Target
		case s.stop.Reason == StillRunning && s.goal.exhausted(s.log.Len()):
			s.stop = Stop{Reason: StoppedByLimit}
		}
		budget -= s.cost
	}
	if sink := s.options.Sink; sink != nil && s.stop.Reason != StillRunning {
		sink.Sync()
	}
	return s.stop
}

// step does one step of the engine, or what the engine waits for. The session's stop says whether to go on.
func (s *Session) step() {
	if s.unasked && s.atEnd() && !s.readOnly {
		if fault := s.askAll(s.asking); fault != nil {
			s.stop = s.stopFor(fault)
			return
		}
	}
	if s.atEnd() && !s.readOnly && !s.logOnly && s.execution.Status() == engine.Runnable {
		s.stepEngine()
		return
	}
	s.stop = s.stepAside()
}

// stepAside does what is not a step of the engine: it walks over what is known, or gives the engine what it waits for.
func (s *Session) stepAside() Stop {
	if !s.atEnd() {
		return s.walk()
	}
	if s.readOnly && !s.Status().Done() {
		return Stop{Reason: StoppedAtRecordingEnd}
	}
	if s.logOnly {
		return Stop{Reason: StoppedAtEnd}
	}
	switch status := s.execution.Status(); {
	case status.Done():
		return Stop{Reason: StoppedAtEnd}
	case s.abortDue(status):
		return s.abortAsPlanned()
	case status == engine.AwaitingAnswer && len(s.Calls()) > 0:
		return Stop{Reason: StoppedForCall}
	case s.goal.command.Kind == RunUntil && status != engine.Runnable && s.execution.UnansweredObject() == nil:
		return s.passUntil(status)
	case status == engine.AwaitingTime:
		return s.passTime()
	case status == engine.AwaitingAnswer && s.execution.UnansweredObject() != nil:
		// A command given again after a stop for want of an object: it may be there now.
		if fault := s.askObjects(); fault != nil {
			return s.stopFor(fault)
		}
		return Stop{Reason: StillRunning}
	}
	return s.askAgain()
}

// stepEngine does one step of the engine. Where the run goes on it leaves the session's stop alone: a long run does
// nothing more often than this.
func (s *Session) stepEngine() {
	if err := s.keepThread(); err != nil {
		s.stop = Stop{Reason: StoppedBySource, Err: err}
		return
	}
	events := s.execution.Step()
	if err := s.execution.Interrupted(); err != nil {
		s.stop = Stop{Reason: StoppedByInterrupt, Err: err, Undone: true}
		return
	}
	s.steps++
	first, long := s.log.Len(), tookLong(s.execution)
	s.happened(events)
	reason, hit := s.examine(first)
	s.asking = first
	fault := s.askAll(first)
	if long {
		s.cost = longStep
	}
	if len(events) > 0 && !s.options.Forget {
		s.checkpoints.offer(s.execution, s.latest(), long)
	}
	if fault != nil {
		s.stop = s.stopFor(fault)
		return
	}
	if reason = s.orEnd(reason); reason != StillRunning {
		s.stop = Stop{Reason: reason, Breakpoint: hit}
	}
}

// askAgain lets the source answer what it was not asked for yet, after it gave an error or when there was none.
func (s *Session) askAgain() Stop {
	given := s.inputs.Len()
	if fault := s.askTasks(); fault != nil {
		return s.stopFor(fault)
	}
	if s.inputs.Len() > given {
		return Stop{Reason: StillRunning}
	}
	if len(s.Calls()) > 0 {
		return Stop{Reason: StoppedForCall}
	}
	return Stop{Reason: StoppedForAnswer}
}

// walk goes over the next step of what is known already.
func (s *Session) walk() Stop {
	first := s.position
	if command := s.goal.command; command.Kind == RunUntil && s.log.At(first).At().After(command.Until) {
		return Stop{Reason: StoppedAtTime}
	}
	s.position = s.log.PositionAt(first + 1)
	reason, hit := s.examine(first)
	return Stop{Reason: s.orEnd(reason), Breakpoint: hit}
}

// orEnd is the reason to stop after a step: the end is one, unless there is another to be told.
func (s *Session) orEnd(reason Reason) Reason {
	if s.atEnd() && s.Status().Done() && reason != StoppedByBreakpoint {
		return StoppedAtEnd
	}
	return reason
}

// examine looks whether the session stops at one of the events from first up to the position. All of them have happened
// by then, so breakpoints count each, and the first that stops comes before the command's own end. hit is nil
// where another reason is given.
func (s *Session) examine(first int) (reason Reason, hit *breakpoint.Breakpoint) {
	reason = StillRunning
	for i := first; i < s.position; i++ {
		_ = s.poll.Step(1)
		event := s.log.At(i)
		if len(s.points.All()) > 0 {
			if b := s.points.Hit(i); b != nil && reason != StoppedByBreakpoint {
				reason, hit = StoppedByBreakpoint, b
			}
		}
		if reason == StillRunning {
			reason = s.goal.reached(event)
		}
	}
	return reason, hit
}

// passTime moves the clock as its mode says.
func (s *Session) passTime() Stop {
	next, ok := s.execution.NextTimer()
	if !ok {
		return Stop{Reason: StoppedAtEnd} // cannot happen: a blocked thread has a timer or a request
	}
	if at := s.options.Abort; at != nil && at.At.Before(next) {
		next = at.At
	}
	if s.clock.Mode != ClockSkip {
		return Stop{Reason: StoppedForTime, Wake: next}
	}
	at, stops := s.clockStop(next)
	if stops {
		next = at
	}
	if err := s.give(runlog.Input{Kind: runlog.InputTime, Time: next, Origin: runlog.OriginClock}); err != nil {
		return Stop{Reason: StoppedBySource, Err: err}
	}
	if stops {
		return s.clockReached(at)
	}
	return Stop{Reason: StillRunning}
}

// Stop says why the session stands still.
func (s *Session) Stop() Stop { return s.stop }

// Log returns the events that are known: those up to the position, and where the person went back those that come
// later.
func (s *Session) Log() *runlog.Log { return &s.log }

// Machine returns the machine that runs.
func (s *Session) Machine() *engine.Machine { return s.machine }

// Options returns what the fork of the run that the session is in was made from.
func (s *Session) Options() Options { return s.options }

// MarksAt returns the tallies of the states as of event i of the log, counted from 0. They are good until the run goes on.
func (s *Session) MarksAt(i int) runlog.Marks { return s.moments.Marks(&s.log, i) }

// moment returns what follows from the log at the position.
func (s *Session) moment() *runlog.Moment { return s.moments.At(&s.log, s.position) }

// Status says what the execution needs in order to go on, or how it ended.
func (s *Session) Status() engine.Status {
	if s.executesHere() {
		return s.execution.Status()
	}
	return s.moment().Status()
}

// executesHere reports whether the execution is the one of the position.
func (s *Session) executesHere() bool { return s.atEnd() && !s.logOnly }

// Output returns the output of an execution that has succeeded, nil before.
func (s *Session) Output() value.Value {
	if last := s.lastEvent(); last != nil && last.Type == engine.ExecutionSucceeded {
		return last.After
	}
	return nil
}

// Failure returns the error of an execution that has not succeeded, nil otherwise.
func (s *Session) Failure() *engine.Failure {
	if last := s.lastEvent(); last != nil && last.Type.EndsExecution() {
		return last.Failure()
	}
	return nil
}

// Now returns the virtual time.
func (s *Session) Now() time.Time {
	if s.executesHere() {
		return s.execution.Now()
	}
	return s.moment().Now()
}

// lastEvent returns the newest event at the position, or nil.
func (s *Session) lastEvent() *engine.Event {
	if s.position == 0 {
		return nil
	}
	return s.log.At(s.position - 1)
}

// NextTimer returns the time of the earliest pending timer; ok is false when there is none.
func (s *Session) NextTimer() (at time.Time, ok bool) { return s.moment().NextTimer() }

// Clock returns the clock's mode.
func (s *Session) Clock() Clock { return s.clock }

// SetClock changes the clock's mode.
func (s *Session) SetClock(clock Clock) { s.clock = clock }
