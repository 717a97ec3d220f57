// Package breakpoint holds the means of looking at a run: breakpoints with their specs, conditions and hit
// counts, logpoints with their messages, and watches. It asks the log of the run and nothing else of a session.
package breakpoint

import (
	"time"

	"asldb/engine"
	"asldb/engine/console"
	"asldb/engine/expr"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Run is the run that breakpoints and watches are about. It may change, as it does when a session goes over to a fork:
// then [Tracker.Recount] and [Watches.Forget] say up to where the log is the same.
type Run interface {
	// Log returns the events that are known.
	Log() *runlog.Log
	// Position returns the number of events after which the run is looked at.
	Position() int
	// Machine returns the machine that runs.
	Machine() *engine.Machine
	// Input returns the execution's input, and Start its start time.
	Input() value.Value
	Start() time.Time
	// RootsAt returns the context object at event i, and a look-up for the variables. Both are nil for events of the
	// whole execution.
	RootsAt(i int) (context value.Value, variables func(name string) value.Value)
	// Poll interrupts evaluations.
	Poll() *interrupt.Poll
}

// envAt returns the environment of an expression at event i. $ is the data after it or, of an event that has none after it, the data
// before it or else those that the visit had last; the other names are of event i. At -1, before the first event, $ is the
// execution's input.
func envAt(run Run, i int) *console.Env {
	if i < 0 {
		return &console.Env{Env: expr.Env{Data: run.Input(), Poll: run.Poll()}, Now: run.Start(), Profile: run.Machine().Dialect().Profile()}
	}
	log := run.Log()
	event := log.At(i)
	env := &console.Env{Env: expr.Env{Fields: Fields(event), Poll: run.Poll()}, Now: event.At(), Profile: run.Machine().Dialect().Profile()}
	if visit := event.Visit; visit != nil {
		env.Language = visit.State.QueryLanguage
		env.States = func() value.Value {
			context, _ := run.RootsAt(i)
			return console.States(log, visit, i+1, context)
		}
	}
	at := log.DataAt(i)
	if at < 0 {
		return env
	}
	if event = log.At(at); event.After != nil {
		env.Data = event.After
	} else {
		env.Data = event.Before
	}
	// The thread's newest context may be the next state's already.
	env.Context, env.Variables = run.RootsAt(at)
	return env
}

// change compares the value of an expression over the document of event i with its value over the document before it;
// nil means no value. ok is false where the two are equal, or there was no document before.
func change(run Run, x *console.Expression, i int) (before, after value.Value, ok bool) {
	log := run.Log()
	earlier := log.DocumentBefore(i)
	if earlier < 0 || (x.DataOnly() && value.Identical(log.At(earlier).After, log.At(i).After)) {
		return nil, nil, false
	}
	before, _ = x.Look(envAt(run, earlier)) // an expression that cannot be evaluated has no value
	after, _ = x.Look(envAt(run, i))
	return before, after, !value.Equal(before, after)
}

// Fields returns the names that an expression can use besides paths: type, stage, thread and seq; state, path and
// visit of an event in a state; error and cause of an event with an error.
func Fields(event *engine.Event) map[string]value.Value {
	fields := map[string]value.Value{
		"type":   value.String(event.Type.String()),
		"stage":  value.String(event.Stage.String()),
		"thread": value.Int(int64(event.Thread)),
		"seq":    value.Int(event.Seq),
	}
	if visit := event.Visit; visit != nil {
		fields["state"] = value.String(visit.State.Name)
		fields["path"] = value.String(visit.Path())
		fields["visit"] = value.Int(int64(visit.Number))
	}
	if failure := failureOf(event); failure != nil {
		fields["error"] = value.String(failure.Name)
		fields["cause"] = value.String(failure.Cause)
	}
	return fields
}

// failureOf returns the error that the event is about, or nil.
func failureOf(event *engine.Event) *engine.Failure {
	switch detail := event.Detail.(type) {
	case *engine.Failure:
		return detail
	case *engine.RetryDetail:
		return detail.Failure
	case *engine.CatchDetail:
		return detail.Failure
	}
	return nil
}
