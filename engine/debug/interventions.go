package debug

import (
	"errors"
	"time"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Interventions are the inputs that a user gives to a run. At an earlier position an intervention begins a fork; a
// read-only session returns [ErrReadOnly].
type Interventions struct{ s *Session }

// Interventions returns the inputs that can be given to the session's run by hand.
func (s *Session) Interventions() Interventions { return Interventions{s} }

// Answer gives the outcome of a request, by hand. The command that stopped for it can be carried on with
// Advance, or another be given. The errors come from [engine.Execution.Answer].
func (i Interventions) Answer(id int64, outcome engine.Outcome) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: runlog.OriginPerson})
}

// Take gives an input of a user in another process: see [Remote].
func (i Interventions) Take(in runlog.Input) error { return i.s.give(&in) }

// AnswerObject gives the content of an object that an ItemReader reads, or says that it cannot be had; the command that
// stopped for it can be carried on. The error comes from [engine.Execution.AnswerObject].
func (i Interventions) AnswerObject(id int64, body []byte, refused *engine.ObjectError) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputObject, Request: id, Body: body, Refused: refused, Origin: runlog.OriginPerson})
}

// AdvanceTime moves the virtual clock by d, at most to the next timer and to the first time at which a breakpoint stops
// it, whatever the clock's mode; the session's Stop then says so. Threads that have become able to run do so at the
// next Advance. The errors come from [engine.Execution.AdvanceTo].
func (i Interventions) AdvanceTime(d time.Duration) error {
	s := i.s
	to := s.Now().Add(d)
	at, stops := s.clockwork.stop(to)
	if stops {
		to = at
	}
	if err := s.give(&runlog.Input{Kind: runlog.InputTime, Time: to, Origin: runlog.OriginPerson}); err != nil {
		return err
	}
	if stops {
		s.stop = s.clockwork.reached(at)
	}
	return nil
}

// Injectable returns nil where Inject can let a thread fail now: see [engine.Execution.Injectable].
func (i Interventions) Injectable(thread engine.ThreadID) error {
	s := i.s
	switch {
	case s.logOnly:
		return ErrNoDefinition
	case s.ReadOnly():
		return ErrReadOnly
	}
	return s.at().Injectable(thread)
}

// Focus makes a live thread the one that runs next: see [engine.Execution.Focus], whose error it returns.
func (i Interventions) Focus(thread engine.ThreadID) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputFocus, Thread: thread, Origin: runlog.OriginPerson})
}

// Abort ends the execution from outside, as StopExecution does; name and cause may be empty.
func (i Interventions) Abort(name, cause string) Stop {
	s := i.s
	if s.ReadOnly() {
		return s.stop
	}
	if !s.Status().Done() {
		_ = s.give(&runlog.Input{Kind: runlog.InputAbort, Error: name, Cause: cause, Origin: runlog.OriginPerson}) // it cannot fail
	}
	if s.Status().Done() {
		s.stop = Stop{Reason: StoppedAtEnd}
	}
	return s.stop
}

// ErrNotData says that a path does not lead into the data of a state.
var ErrNotData = errors.New("only the data that the next stage reads can be changed: variables are set by " +
	"Assign, and the context object is the run's own; change the definition or the input, and restart")

// EditAt puts a value at a Reference Path of the data that the next stage of a thread reads, and returns the value that
// was there, nil for none. The errors are ErrNotData, a *path.SyntaxError, and the errors of Editable and Edit.
func (i Interventions) EditAt(thread engine.ThreadID, reference string, v value.Value) (before value.Value, err error) {
	to, err := path.ParseReference(reference)
	if err != nil {
		return nil, err
	}
	if to.Root() != path.DataRoot {
		return nil, ErrNotData
	}
	data, _, err := i.Editable(thread)
	if err != nil {
		return nil, err
	}
	changed, err := to.Set(data, v)
	if err != nil {
		return nil, err
	}
	return to.Find(&path.Roots{Data: data}), i.Edit(thread, changed)
}

// Editable returns the data that Edit would replace, and the stage that gave it: see
// [engine.Execution.Editable].
func (i Interventions) Editable(thread engine.ThreadID) (value.Value, engine.Stage, error) {
	s := i.s
	if s.logOnly {
		return nil, engine.NoStage, ErrNoDefinition
	}
	return s.at().Editable(thread)
}

// Edit replaces the data that the next stage of a thread reads: see [engine.Execution.Edit], whose error
// it returns.
func (i Interventions) Edit(thread engine.ThreadID, v value.Value) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputEdit, Edit: &engine.Edit{Thread: thread, Value: v}, Origin: runlog.OriginPerson})
}

// Inject lets the next step of a thread fail: see [engine.Execution.Inject], whose error it returns.
func (i Interventions) Inject(thread engine.ThreadID, name, cause string) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputInject, Thread: thread, Error: name, Cause: cause, Origin: runlog.OriginPerson})
}

// Heartbeat lets the task of a request report that it is alive: see [engine.Execution.Heartbeat], whose
// error it returns.
func (i Interventions) Heartbeat(request int64) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputHeartbeat, Request: request, Origin: runlog.OriginPerson})
}

// TimeOut ends the task of a request as if its TimeoutSeconds were over: see [engine.Execution.TimeOut], whose
// error it returns.
func (i Interventions) TimeOut(request int64) error {
	s := i.s
	return s.give(&runlog.Input{Kind: runlog.InputTimeout, Request: request, Origin: runlog.OriginPerson})
}

// SetMapBounds changes the bounds of the Map Run of a thread: see [engine.Execution.SetMapBounds], whose error it
// returns.
func (i Interventions) SetMapBounds(thread engine.ThreadID, bounds engine.NewBounds) error {
	return i.s.give(&runlog.Input{
		Kind: runlog.InputMapBounds, Thread: thread, Bounds: bounds, Origin: runlog.OriginPerson,
	})
}

// AnswerOtherwise begins a fork in which a request that was answered already got another outcome: its position is where
// that answer was given. The errors are [engine.ErrNoRequest], where the request was never answered, and the ones
// of [Session.Answer].
func (i Interventions) AnswerOtherwise(id int64, outcome engine.Outcome) error {
	s := i.s
	for i := s.inputs.Len() - 1; i >= 0; i-- {
		given := s.inputs.At(i)
		if given.Kind != runlog.InputOutcome || given.Request != id {
			continue
		}
		to := moment{events: int(given.After), inputs: i, steps: given.Step}
		a := runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: runlog.OriginPerson}
		return s.forks.give(&a, to)
	}
	return engine.ErrNoRequest
}
