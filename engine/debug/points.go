package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/breakpoint"
	"asldb/engine/console"
	"asldb/engine/interrupt"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// view is the current run of a session, as breakpoints, watches, searches and explanations ask it. It implements
// [breakpoint.Run] and [provenance.Run].
type view struct{ s *Session }

// Log returns the events that are known.
func (v view) Log() *runlog.Log { return v.s.Log() }

// Position returns the number of events after which the run is looked at.
func (v view) Position() int { return v.s.position }

// Machine returns the machine that runs.
func (v view) Machine() *engine.Machine { return v.s.machine }

// Input returns the execution's input.
func (v view) Input() value.Value { return v.s.options.Input }

// Start returns the execution's start time.
func (v view) Start() time.Time { return v.s.options.Start }

// Limits returns the quotas that the execution is held to.
func (v view) Limits() engine.Limits { return v.s.options.Limits }

// Poll interrupts evaluations.
func (v view) Poll() *interrupt.Poll { return &v.s.poll }

// RootsAt implements [breakpoint.Run].
func (v view) RootsAt(i int) (value.Value, func(name string) value.Value) { return v.s.RootsAt(i) }

// RootsAt returns the context object at event i of the log, counted from 0, and a look-up that gives nil for a variable
// that was not assigned. Both are nil for events of the whole execution.
func (s *Session) RootsAt(i int) (context value.Value, variables func(name string) value.Value) {
	return s.rootsAt(i)
}

// VariablesAt returns the variables that have a value at event i of the log, counted from 0, by their names.
func (s *Session) VariablesAt(i int) (list []value.Member) {
	_, variables := s.RootsAt(i)
	if variables == nil {
		return nil
	}
	for _, name := range console.VariableNames(s.Machine().Definition()) {
		if v := variables(name); v != nil {
			list = append(list, value.M(name, v))
		}
	}
	return list
}

func (r *run) rootsAt(i int) (context value.Value, variables func(name string) value.Value) {
	log := &r.log
	visit := log.At(i).Visit
	if visit == nil {
		return nil, nil
	}
	return r.execution.ContextAt(visit, log.Past(visit, i)), func(name string) value.Value {
		return log.Variable(visit, name)
	}
}

// Explainer returns the explainer of the session's current run. It follows the session when that goes over to a fork.
func (s *Session) Explainer() *provenance.Explainer { return provenance.NewExplainer(view{s}) }

// Breakpoints returns the breakpoints of the session, with the messages of its logpoints.
func (s *Session) Breakpoints() *breakpoint.List { return &s.points.List }

// Watches returns the watches of the session.
func (s *Session) Watches() *breakpoint.Watches { return &s.watches }

// Origins returns the inputs from which the events of the current fork came.
func (s *Session) Origins() *provenance.Inputs {
	if s.origins == nil {
		s.origins = provenance.NewInputs(&s.log, &s.inputs)
	}
	return s.origins
}

// PreviousStop returns the index of the event that the session was at when the last command was given, -1 before the
// first event. A watch's value there is its value before.
func (s *Session) PreviousStop() int { return s.previousStop }

// recount brings hits, messages and changes of watches to the figures of the first n events, for going back and forth
// without walking. The first common events are those over which they were counted: at most the later ones are looked
// at.
func (s *Session) recount(n, common int) {
	var now time.Time
	if s.executesHere() {
		now = s.execution.Now()
	}
	s.points.Recount(n, common, now)
	s.watches.Forget(min(n, common))
}
