// Package debug is the debug session, which is between an execution and every face (the screen, the
// headless runner). It knows breakpoints, step modes and the virtual clock's modes; it does not know
// how anything is drawn or stored.
package debug

import (
	"errors"
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// ClockMode is how the virtual clock moves when every thread waits for a timer.
type ClockMode uint8

// The modes of the virtual clock.
const (
	// ClockSkip jumps to the next timer.
	ClockSkip ClockMode = iota
	// ClockPaced follows real time, Factor times as fast. The face moves it: see [Session.AdvanceTime].
	ClockPaced
	// ClockByHand stops until it is moved by hand.
	ClockByHand
)

// Clock is a mode with the factor of ClockPaced (1 is real time).
type Clock struct {
	Mode   ClockMode
	Factor float64
}

// Options describe a session to be made.
type Options struct {
	Input value.Value
	// InputText is the text of Input as the caller wrote it; empty where there is none.
	InputText string
	// Start is the virtual time at which the execution starts, Seed the seed of its random choices.
	// Context is merged over the default context object; it may be nil.
	Start   time.Time
	Seed    int64
	Context value.Value
	// Tokens begins the task tokens; empty: see [engine.StartOptions].
	Tokens string
	Source outcome.Source // nil: the session stops for every task
	Clock  Clock
	// Limits are the service's quotas to keep to; the zero Limits are none.
	Limits engine.Limits
	// Express is set of an Express execution, whose events have no ids of a history.
	Express bool
	// Sink receives every input and every event as it comes; it may be nil.
	Sink Sink
	// Abort stops the execution from outside at a virtual time; it may be nil.
	Abort *Abort
	// Forget drops all of the log and the inputs but their newest parts, so that a run takes no more memory the longer
	// it is. It is for a session that is carried straight to its end: it cannot go back, nor be asked for older events,
	// has no breakpoints, and its source is not asked for Map Runs.
	Forget bool
	// Interrupt can interrupt evaluations: see [Session.SetInterrupt], which changes it. It may be nil.
	Interrupt interrupt.Check

	// Redriven is the number of redrives that there were before the first event.
	Redriven int

	redrive  *engine.Redrive // of a run that continues at the end of another; else nil
	reloaded *reloadedFrom   // of a run of a definition that was read again; else nil
	// asks reports whether the user gives the outcome of a request, though the source may have one; nil: of none.
	asks func(*engine.TaskRequest) bool
}

// Session drives one execution. It must not be used by two goroutines at once.
type Session struct {
	*run     // the fork that the session is in
	forks    Forks
	feed     feed
	readOnly bool // a replay: nothing is executed beyond the recording

	points  breakpoint.Tracker
	watches breakpoint.Watches
	// previousStop is the index of the event that PreviousStop returns.
	previousStop int

	stop      Stop
	stepper   stepper
	asker     asker
	clockwork clockwork
	poll      interrupt.Poll // of the debugger's own expressions
}

// New returns a session before the first event.
func New(machine *engine.Machine, options Options) *Session {
	s := newSession(options.Clock)
	s.begin(machine, &options, "")
	return s
}

// newSession returns a session without a run.
func newSession(clock Clock) *Session {
	s := &Session{stop: Stop{Reason: StoppedAtStart}}
	s.forks.s, s.stepper.s, s.asker.s, s.clockwork = s, s, s, clockwork{s, clock}
	s.points, s.watches = *breakpoint.NewTracker(view{s}), *breakpoint.NewWatches(view{s})
	return s
}

func (s *Session) begin(machine *engine.Machine, options *Options, cause string) {
	if options.Interrupt != nil {
		s.poll = interrupt.NewPoll(options.Interrupt)
	}
	s.forks.restart(machine, options, cause)
	s.asker.pending = false
	s.stepper.goal, s.stepper.interrupted = goal{}, false
	s.stop, s.previousStop = Stop{Reason: StoppedAtStart}, -1
}

// causeRestart is the cause of a fork that begins at the very start with the same machine.
const causeRestart = "restart"

// Restart goes back to before the first event and executes again from there: tasks are asked for again, also those
// whose answers a reload has kept. Breakpoints stay, with their hits counted again; so do the input, the seed and the
// clock's mode. The source begins its sequences again. The events before stay as a fork. Of a replay it goes to the
// start.
func (s *Session) Restart() {
	if s.ReadOnly() {
		s.GoTo(0)
		return
	}
	s.restartWith(s.options)
}

// The reasons why a run cannot be given another input.
var (
	ErrBegun  = errors.New("the run has begun with its input")
	ErrTraced = errors.New("the trace of this run begins with its input: --input gives another one")
)

// SetInput gives a run that has not begun another input. The error is [ErrBegun], also of a recorded run, or
// [ErrTraced].
func (s *Session) SetInput(input value.Value) error {
	switch {
	case s.ReadOnly() || s.log.Len() > 0:
		return ErrBegun
	case s.options.Sink != nil:
		return ErrTraced
	}
	options := s.options
	options.Input = input
	s.restartWith(options)
	return nil
}

// restartWith restarts with other options: another input, seed, start time, source, or other limits.
func (s *Session) restartWith(options Options) {
	if from := options.reloaded; from != nil {
		options.Source, options.reloaded = from.source, nil
	}
	options.redrive, options.asks = nil, nil // a restart is a new execution
	if s.ReadOnly() {
		s.GoTo(0)
		return
	}
	if options.Source != nil {
		options.Source.Seek(nil)
	}
	if options.Interrupt == nil {
		options.Interrupt = s.options.Interrupt
	}
	s.begin(s.machine, &options, causeRestart)
	s.recount(0, 0)
}

// Begin gives a command, which Advance then carries out. From an earlier position it walks over the known events, as if
// they happened now, and executes only at its end. The error is a *[breakpoint.SpecError]: the target of RunTo matches
// no state; [engine.ErrNoThread]: the thread of StepThread does not live; or [engine.ErrBackwards]: the time of
// RunUntil is over.
func (s *Session) Begin(command Command) error {
	s.poll.Reset()
	if err := command.check(s.machine); err != nil {
		return err
	}
	if command.Kind == StepThread && !s.moment().HasThread(command.Thread) {
		return engine.ErrNoThread
	}
	if command.Kind == RunUntil && command.Until.Before(s.Now()) {
		return engine.ErrBackwards
	}
	s.stepper.begin(command)
	s.previousStop = s.position - 1
	s.stop = Stop{Reason: StillRunning}
	return nil
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
func (s *Session) Interrupt() { s.stepper.interrupted = true }

// Advance carries the command on by at most budget steps of the engine and returns why it stopped;
// StillRunning asks for another call. A step that took long counts for some thousand.
func (s *Session) Advance(budget int) Stop {
	s.poll.Reset()
	switch s.stop.Reason {
	case StoppedForTime, StoppedForAnswer, StoppedForCall:
		s.stop = Stop{Reason: StillRunning} // the missing outcome, time or object may have come
	default:
	}
	for s.stop.Reason == StillRunning && budget > 0 {
		budget -= s.stepper.advance(budget)
	}
	if sink := s.options.Sink; sink != nil && s.stop.Reason != StillRunning {
		sink.Sync()
	}
	return s.stop
}

// Stop returns the reason why the session has stopped.
func (s *Session) Stop() Stop { return s.stop }

// Log returns the events that are known: those up to the position, and where the session went back the
// later ones.
func (s *Session) Log() *runlog.Log { return &s.log }

// Machine returns the machine that runs.
func (s *Session) Machine() *engine.Machine { return s.machine }

// Options returns the options of the current fork.
func (s *Session) Options() Options { return s.options }

// MarksAt returns the tallies of the states as of event i of the log, counted from 0. They are valid until the run
// continues.
func (s *Session) MarksAt(i int) runlog.Marks { return s.moments.Marks(&s.log, i) }

// moment returns the projection of the log at the position.
func (s *Session) moment() *runlog.Moment { return s.moments.At(&s.log, s.position) }

// Status returns what the execution needs to continue, or its end.
func (s *Session) Status() engine.Status {
	if s.executesHere() {
		return s.execution.Status()
	}
	return s.moment().Status()
}

// done reports whether the execution is over at the position.
func (s *Session) done() bool {
	if s.executesHere() {
		return s.execution.Done()
	}
	return s.moment().Status().Done()
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
func (s *Session) Clock() Clock { return s.clockwork.mode }

// SetClock changes the clock's mode.
func (s *Session) SetClock(clock Clock) { s.clockwork.mode = clock }
