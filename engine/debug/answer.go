package debug

import (
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/compare"
	"asldb/engine/value"
)

// AnswerKind says what an [Answer] is.
type AnswerKind uint8

// The kinds of answers.
const (
	// AnswerOutcome: Outcome is that of the task request of number Request.
	AnswerOutcome AnswerKind = iota + 1
	// AnswerObject: Body or Refused is what came of the object request of number Request.
	AnswerObject
	// AnswerTime: the virtual clock moved to Time.
	AnswerTime
	// AnswerFocus: Thread was chosen to run next.
	AnswerFocus
	// AnswerAbort: the execution was aborted with Error and Cause.
	AnswerAbort
	// AnswerEdit: the data of a thread was replaced as Edit says.
	AnswerEdit
	// AnswerInject: what Thread was about to do failed with Error and Cause.
	AnswerInject
	// AnswerHeartbeat: the task of request number Request sent a heartbeat.
	AnswerHeartbeat
	// AnswerTimeout: the task of request number Request was timed out by hand.
	AnswerTimeout
	// AnswerMapRun: Outcome is that of the whole Map Run that Thread has begun.
	AnswerMapRun
)

var answerKindNames = [...]string{
	AnswerOutcome: "outcome", AnswerObject: "object", AnswerTime: "time", AnswerFocus: "focus", AnswerAbort: "abort",
	AnswerEdit: "edit", AnswerInject: "inject", AnswerHeartbeat: "heartbeat", AnswerTimeout: "timeout",
	AnswerMapRun: "mapRun",
}

// String returns the kind's name, "outcome" for example.
func (k AnswerKind) String() string {
	if int(k) < len(answerKindNames) && answerKindNames[k] != "" {
		return answerKindNames[k]
	}
	return fmt.Sprintf("AnswerKind(%d)", uint8(k))
}

// ParseAnswerKind returns the kind of that name; ok is false when there is none.
func ParseAnswerKind(name string) (kind AnswerKind, ok bool) {
	for i, known := range answerKindNames {
		if known != "" && known == name {
			return AnswerKind(i), true
		}
	}
	return 0, false
}

// The origins of answers that a session gives by itself. A source names its own: see [outcome.Given].
const (
	OriginPerson   = "person"   // given by hand
	OriginClock    = "clock"    // by the mode of the virtual clock
	OriginRecorded = "recorded" // by a history that somebody else recorded
)

// Answer is one thing that an execution was told from outside. The answers of a run, with its machine, input, start time,
// seed, context object and limits, re-execute it exactly.
type Answer struct {
	Kind AnswerKind
	// Step is the number of steps that the engine had done before; the answers of one step are given in their order.
	Step int64
	// After is the Seq of the newest event then, 0 where there was none.
	After int64
	// Request is the number of the request, of an outcome, an object, a heartbeat and a timeout.
	Request int64
	Outcome engine.Outcome
	// Body and Refused are what AnswerObject takes. Body must not be changed.
	Body    []byte
	Refused *engine.ObjectError
	Time    time.Time
	// Thread is the thread of AnswerFocus, AnswerInject and AnswerMapRun.
	Thread       engine.ThreadID
	Error, Cause string
	Edit         *engine.Edit
	// Origin says where the answer came from: "person", "fixtures", …
	Origin string
}

// automatic reports whether the answer was given in the same breath as the step before it, so that nobody
// could stand between the two: a source's word.
func (a *Answer) automatic() bool {
	return a.Origin != OriginPerson && (a.Kind == AnswerOutcome || a.Kind == AnswerObject || a.Kind == AnswerMapRun)
}

// tells reports whether the answer brings an event at once.
func (a *Answer) tells() bool {
	switch a.Kind {
	case AnswerAbort, AnswerEdit, AnswerInject, AnswerHeartbeat:
		return true
	}
	return false
}

// same reports whether two answers say the same, wherever they come from.
func (a *Answer) same(b *Answer) bool {
	if a.Kind != b.Kind || a.Request != b.Request || a.Thread != b.Thread || a.Error != b.Error || a.Cause != b.Cause ||
		!a.Time.Equal(b.Time) || a.Refused != b.Refused || string(a.Body) != string(b.Body) {
		return false
	}
	if a.Edit != nil && (b.Edit == nil || a.Edit.Thread != b.Edit.Thread || !compare.Exactly(a.Edit.Value, b.Edit.Value)) {
		return false
	}
	x, y := a.Outcome, b.Outcome
	return compare.Exactly(x.Output, y.Output) && compare.Exactly(x.Submitted, y.Submitted) && x.Error == y.Error && x.Cause == y.Cause &&
		x.After == y.After && x.HeartbeatEvery == y.HeartbeatEvery
}

// Sink is told all that a session does, as it does it. A recorder is one.
type Sink interface {
	// Answered is called after an answer has been applied, and before the events that it brought.
	Answered(Answer)
	// Happened is called with new events, in their order. The slice is valid during the call.
	Happened([]engine.Event)
	// Rewound says that what follows continues after event number to: the events up to it, and the answers given
	// before it happened (those whose After is less), belong to the run; those that came later
	// belong to another fork of it. Answers that the two forks share beyond that are told again.
	Rewound(to int64)
}

// Settler is what a [Sink] implements besides when it works behind the session's back. Settle is called whenever the
// session comes to a stop, and returns when all that the sink was told is where it belongs.
type Settler interface{ Settle() }

// apply gives one answer to an execution and returns the events that it brought at once.
func (a *Answer) apply(e *engine.Execution) ([]engine.Event, error) {
	switch a.Kind {
	case AnswerOutcome:
		return nil, e.Answer(a.Request, a.Outcome)
	case AnswerObject:
		return nil, e.AnswerObject(a.Request, a.Body, a.Refused)
	case AnswerTime:
		return nil, e.AdvanceTo(a.Time)
	case AnswerFocus:
		return nil, e.Focus(a.Thread)
	case AnswerAbort:
		return e.Abort(a.Error, a.Cause), nil
	case AnswerEdit:
		if a.Edit == nil {
			return nil, a.fault("has no edit")
		}
		return e.Edit(*a.Edit)
	case AnswerInject:
		return e.Inject(a.Thread, a.Error, a.Cause)
	case AnswerHeartbeat:
		return e.Heartbeat(a.Request)
	case AnswerTimeout:
		return nil, e.TimeOut(a.Request)
	}
	if a.Kind == AnswerMapRun {
		return nil, e.AnswerMapRun(a.Thread, a.Outcome)
	}
	return nil, a.fault("is of no known kind")
}

// fault says what is wrong with the answer. It keeps a copy, so that an answer need not outlive its being given.
func (a *Answer) fault(msg string) error {
	given := *a
	return &AnswerError{Answer: &given, Msg: msg}
}

// AnswerError says what is wrong with an answer that was recorded.
type AnswerError struct {
	Answer *Answer
	Msg    string
}

// Error implements error.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("the answer (%s) after event %d %s", e.Answer.Kind, e.Answer.After, e.Msg)
}

// answer is the one place at which the run is told something. At an earlier position that begins a new fork. Of a
// replay it returns [ErrReplay].
func (s *Session) answer(a Answer) error {
	if s.sealed {
		return ErrReplay
	}
	if s.atEnd() {
		return s.answerHere(&a)
	}
	if err := s.run.reach(s.position); err != nil {
		return err
	}
	return s.forkFor(&a, moment{events: s.position, answers: s.past.next, steps: s.past.steps})
}

// answerHere applies an answer at the end of the run, records it, and tells the sink.
func (s *Session) answerHere(a *Answer) error {
	a.Step, a.After = s.steps, int64(s.log.Len())
	effect := a.effect(s.execution)
	events, err := a.apply(s.execution)
	if err != nil {
		return err
	}
	effect.Immediate, effect.Now = a.automatic() && s.steps == s.came, s.execution.Now()
	s.log.Effect(effect)
	if a.Kind == AnswerTime {
		a.Time = s.execution.Now() // a timer may have stopped the clock earlier
	}
	sink := s.tellSink()
	s.answers.add(a)
	if sink != nil {
		sink.Answered(*a)
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
	return s.answer(Answer{Kind: AnswerOutcome, Request: id, Outcome: outcome, Origin: OriginPerson})
}

// AnswerObject gives the content of an object, or says that it cannot be had: see
// [engine.Execution.AnswerObject], whose error it returns.
func (s *Session) AnswerObject(id int64, body []byte, refused *engine.ObjectError) error {
	return s.answer(Answer{Kind: AnswerObject, Request: id, Body: body, Refused: refused, Origin: OriginPerson})
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
	if err := s.answer(Answer{Kind: AnswerTime, Time: to, Origin: OriginPerson}); err != nil {
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
	case s.sealed:
		return ErrReplay
	}
	return s.at().Injectable(thread)
}

// Focus makes a live thread the one that runs next: see [engine.Execution.Focus], whose error it returns.
func (s *Session) Focus(thread engine.ThreadID) error {
	return s.answer(Answer{Kind: AnswerFocus, Thread: thread, Origin: OriginPerson})
}

// Abort ends the execution from outside, as StopExecution does; name and cause may be empty.
func (s *Session) Abort(name, cause string) Stop {
	if s.sealed {
		return s.stop
	}
	if !s.Status().Done() {
		_ = s.answer(Answer{Kind: AnswerAbort, Error: name, Cause: cause, Origin: OriginPerson}) // it cannot fail
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
	return s.answer(Answer{Kind: AnswerEdit, Edit: &engine.Edit{Thread: thread, Value: v}, Origin: OriginPerson})
}

// Inject lets what a thread is about to do fail: see [engine.Execution.Inject], whose error it returns.
func (s *Session) Inject(thread engine.ThreadID, name, cause string) error {
	return s.answer(Answer{Kind: AnswerInject, Thread: thread, Error: name, Cause: cause, Origin: OriginPerson})
}

// Heartbeat lets the task of a request report that it is alive: see [engine.Execution.Heartbeat], whose
// error it returns.
func (s *Session) Heartbeat(request int64) error {
	return s.answer(Answer{Kind: AnswerHeartbeat, Request: request, Origin: OriginPerson})
}

// TimeOut ends the task of a request as if its TimeoutSeconds were over: see [engine.Execution.TimeOut], whose
// error it returns.
func (s *Session) TimeOut(request int64) error {
	return s.answer(Answer{Kind: AnswerTimeout, Request: request, Origin: OriginPerson})
}

// Answers returns all that the fork of the run was told, in order.
func (s *Session) Answers() *Answers { return &s.answers }
