package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/interrupt"
	"asldb/engine/provenance"
	"asldb/engine/value"
)

// runView is the session's current run, as breakpoints, watches and explanations ask it.
type runView struct{ *Session }

// Input implements [breakpoint.Run].
func (v runView) Input() value.Value { return v.options.Input }

// Start implements [breakpoint.Run].
func (v runView) Start() time.Time { return v.options.Start }

// Limits implements [provenance.Run].
func (v runView) Limits() engine.Limits { return v.options.Limits }

// Poll implements [breakpoint.Run].
func (v runView) Poll() *interrupt.Poll { return &v.poll }

// Breakpoints returns the breakpoints of the session, with the messages of its logpoints.
func (s *Session) Breakpoints() *breakpoint.List { return &s.points.List }

// Watches returns the watches of the session.
func (s *Session) Watches() *breakpoint.Watches { return s.watches }

// Explainer does the evaluations of the run again to show their parts.
func (s *Session) Explainer() *provenance.Explainer { return provenance.NewExplainer(runView{s}) }

// RootsAt returns the context object at event i of the log, counted from 0, and a look-up that gives nil for a variable that
// was not assigned. Both are nil for events of the whole execution.
func (s *Session) RootsAt(i int) (context value.Value, variables func(name string) value.Value) {
	visit := s.log.At(i).Visit
	if visit == nil {
		return nil, nil
	}
	return s.execution.ContextAt(visit, provenance.Past(&s.log, visit, i)), func(name string) value.Value {
		return provenance.Variable(&s.log, visit, name)
	}
}

// Setup returns the breakpoints and watches of the session as text.
func (s *Session) Setup() breakpoint.Setup {
	return breakpoint.SetupOf(s.Breakpoints(), s.watches)
}

// Restore adds the breakpoints and watches of a setup to the session, without those that it has already, and returns an
// error for each that does not fit the definition.
func (s *Session) Restore(setup breakpoint.Setup) []*breakpoint.LostError {
	return setup.Restore(s.Breakpoints(), s.watches)
}

// PreviousStop returns the index of the event at which the session stood when the last command was given, -1 before the
// first event. A watch's value there is its value before.
func (s *Session) PreviousStop() int { return s.previousStop }

// recount brings hits, messages and changes of watches to those of the first n events, for going back and forth without
// walking. The first common events are those over which they were counted: at most the later ones are looked at.
func (s *Session) recount(n, common int) {
	var now time.Time
	if s.atEnd() && !s.logOnly {
		now = s.execution.Now()
	}
	s.points.Recount(n, common, now)
	s.watches.Forget(min(n, common))
	s.hands = hands{}
}

// clockStop returns the first time at which a breakpoint stops the clock on its way to an instant. Times at which a
// timer fires are left to the events that it brings; ok is false where there is none before.
func (s *Session) clockStop(to time.Time) (at time.Time, ok bool) {
	if !s.points.StopsClock() {
		return at, false
	}
	timer, _ := s.NextTimer()
	return s.points.ClockStop(s.Now(), to, timer)
}

// clockReached is the stop after a breakpoint has stopped the clock.
func (s *Session) clockReached(at time.Time) Stop {
	return Stop{Reason: StoppedByBreakpoint, Breakpoint: s.points.ClockReached(at)}
}
