package debug

import (
	"time"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// answer is the one place at which the run is told something. At an earlier position that begins a new fork. Of a
// replay it returns [ErrReadOnly].
func (s *Session) give(a runlog.Input) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if s.atEnd() {
		return s.giveHere(&a)
	}
	if err := s.run.reach(s.position); err != nil {
		return err
	}
	return s.forkFor(&a, moment{events: s.position, inputs: s.rewound.next, steps: s.rewound.steps})
}

// answerHere applies an answer at the end of the run, records it, and tells the sink.
func (s *Session) giveHere(a *runlog.Input) error {
	a.Step, a.After = s.steps, int64(s.log.Len())
	effect := a.Effect(s.execution)
	events, err := a.Apply(s.execution)
	if err != nil {
		return err
	}
	effect.Immediate, effect.Now = a.Automatic() && s.steps == s.came, s.execution.Now()
	s.log.Effect(effect)
	if a.Kind == runlog.InputTime {
		a.Time = s.execution.Now() // a timer may have stopped the clock earlier
	}
	sink := s.tellSink()
	s.inputs.Add(a)
	if sink != nil {
		sink.Received(*a)
	}
	s.happened(events)
	s.points.CountAll()
	return nil
}

// happened takes in the events that a step or an answer brought.
func (s *Session) happened(events []engine.Event) {
	if len(events) == 0 {
		return
	}
	sink := s.tellSink()
	s.take(events, s.steps)
	if sink != nil {
		sink.Happened(events)
	}
}

// Answer gives the outcome of a request, by the person's hand. The command that stopped for it can be carried on with
// Advance, or another be given. The errors are those of [engine.Execution.Answer].
func (s *Session) Answer(id int64, outcome engine.Outcome) error {
	return s.give(runlog.Input{Kind: runlog.InputOutcome, Request: id, Outcome: outcome, Origin: runlog.OriginPerson})
}

// InputObject gives the content of an object, or says that it cannot be had: see
// [engine.Execution.AnswerObject], whose error it returns.
func (s *Session) AnswerObject(id int64, body []byte, refused *engine.ObjectError) error {
	return s.give(runlog.Input{Kind: runlog.InputObject, Request: id, Body: body, Refused: refused, Origin: runlog.OriginPerson})
}

// AdvanceTime moves the virtual clock by d, at most to the next timer and to the first time at which a breakpoint stops
// it, whatever the clock's mode; the session's Stop then says so. What has become able to run runs at the next Advance.
// The errors are those of [engine.Execution.AdvanceTo].
func (s *Session) AdvanceTime(d time.Duration) error {
	to := s.Now().Add(d)
	at, stops := s.clockStop(to)
	if stops {
		to = at
	}
	if err := s.give(runlog.Input{Kind: runlog.InputTime, Time: to, Origin: runlog.OriginPerson}); err != nil {
		return err
	}
	if stops {
		s.stop = s.clockReached(at)
	}
	return nil
}

// Injectable returns nil where Inject can let a thread fail as things stand: see [engine.Execution.Injectable].
func (s *Session) Injectable(thread engine.ThreadID) error {
	switch {
	case s.logOnly:
		return ErrNoDefinition
	case s.readOnly:
		return ErrReadOnly
	}
	return s.at().Injectable(thread)
}

// Focus makes a live thread the one that runs next: see [engine.Execution.Focus], whose error it returns.
func (s *Session) Focus(thread engine.ThreadID) error {
	return s.give(runlog.Input{Kind: runlog.InputFocus, Thread: thread, Origin: runlog.OriginPerson})
}

// Abort ends the execution from outside, as StopExecution does; name and cause may be empty.
func (s *Session) Abort(name, cause string) Stop {
	if s.readOnly {
		return s.stop
	}
	if !s.Status().Done() {
		_ = s.give(runlog.Input{Kind: runlog.InputAbort, Error: name, Cause: cause, Origin: runlog.OriginPerson}) // it cannot fail
	}
	if s.Status().Done() {
		s.stop = Stop{Reason: StoppedAtEnd}
	}
	return s.stop
}

// Editable returns the data that Edit would replace, and the stage that gave it: see
// [engine.Execution.Editable].
func (s *Session) Editable(thread engine.ThreadID) (value.Value, engine.Stage, error) {
	if s.logOnly {
		return nil, engine.NoStage, ErrNoDefinition
	}
	return s.at().Editable(thread)
}

// Edit replaces the data that the next stage of a thread reads: see [engine.Execution.Edit], whose error
// it returns.
func (s *Session) Edit(thread engine.ThreadID, v value.Value) error {
	return s.give(runlog.Input{Kind: runlog.InputEdit, Edit: &engine.Edit{Thread: thread, Value: v}, Origin: runlog.OriginPerson})
}

// Inject lets what a thread is about to do fail: see [engine.Execution.Inject], whose error it returns.
func (s *Session) Inject(thread engine.ThreadID, name, cause string) error {
	return s.give(runlog.Input{Kind: runlog.InputInject, Thread: thread, Error: name, Cause: cause, Origin: runlog.OriginPerson})
}

// Heartbeat lets the task of a request report that it is alive: see [engine.Execution.Heartbeat], whose
// error it returns.
func (s *Session) Heartbeat(request int64) error {
	return s.give(runlog.Input{Kind: runlog.InputHeartbeat, Request: request, Origin: runlog.OriginPerson})
}

// TimeOut ends the task of a request as if its TimeoutSeconds were over: see [engine.Execution.TimeOut], whose
// error it returns.
func (s *Session) TimeOut(request int64) error {
	return s.give(runlog.Input{Kind: runlog.InputTimeout, Request: request, Origin: runlog.OriginPerson})
}

// Inputs returns all that the fork of the run was told, in order.
func (s *Session) Inputs() *runlog.Inputs { return &s.inputs }
