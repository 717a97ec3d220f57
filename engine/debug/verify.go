package debug

import (
	"asldb/engine"
	"asldb/engine/interrupt"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
)

// Verification is the result of executing a recording again.
type Verification struct {
	// Recorded are the events of the recording, Found the execution's.
	Recorded, Found *runlog.Log
	// Divergence is the first difference, nil where none was found.
	Divergence *runlog.Divergence
	// Bound is the number of events after which the caller's limit ended the execution, where it had not come as far as
	// the recording: the recorded events beyond are not compared. It is 0 where all of the recording is.
	Bound int
	// Session is the execution, before the event that differs, or at its end where none does.
	Session *Session
	// Stop says why the execution came to its end: StoppedForAnswer means that a task was asked for that was not
	// recorded; see [Session.Requests].
	Stop Stop
	// Unused are the recorded inputs that were not given: no request was theirs, or the events that they are about did not
	// come. Those of the clock are left out.
	Unused []runlog.Input
}

// Verify executes a recording again on a machine, which may be another one than was recorded, with other options: another
// input, say. While all is as recorded the inputs are given where they were. From the first difference on, a
// task gets the outcome that was recorded for the same state path, visit and attempt, or else for the same
// invocation of the state; for tasks that were not recorded options.Source is asked. limit bounds the number of
// events, 0 means no bound. A recording that has events needs no other knowledge of the machine that it was made with.
func Verify(machine *engine.Machine, options Options, recording Recording, limit int) *Verification {
	extra := options.Source
	options.Source, options.Sink, options.Clock = nil, nil, Clock{}
	r := newRun(machine, options)
	inputs := runlog.InputsOf(recording.Inputs)
	v := &Verification{Recorded: runlog.Of(recording.Events)}
	x := &reexecution{execution: r.execution}
	early := x.replay(r, &inputs, recording.length(), eventsOf(recording.Events))
	r.inputs, r.steps = inputs.Prefix(x.next), x.steps
	s := newSession(Clock{})
	s.forks.enter(r)
	v.Session, v.Found = s, &r.log
	source := &recordedSource{inputs: recording.Inputs[x.next:]}
	if early != nil {
		if early.Err != nil && !interrupt.Is(early.Err) { // that answer was not given
			x.next--
			r.inputs, source.inputs = inputs.Prefix(x.next), recording.Inputs[x.next:]
		}
		source.index(v.Recorded)
		r.options.Source = source
		if extra != nil {
			r.options.Source = outcome.First(source, extra)
		}
		v.Stop = goOn(s, limit)
		r.options.Source = extra
	} else {
		v.Stop = s.GoTo(r.log.Len())
	}
	v.Unused = source.unused()
	from := v.Recorded.Len() // up to where both are the same
	if early != nil {
		from = early.Index
	}
	v.Divergence = runlog.WithRecording(v.Recorded, v.Found, from)
	if d := v.Divergence; d != nil && d.Found == nil && (v.Stop.Reason == StoppedByLimit || v.Stop.Reason == StoppedByInterrupt) {
		v.Divergence, v.Bound = nil, d.Index
	}
	if v.Divergence == nil && v.Recorded.Len() == 0 {
		v.Divergence = early // there is nothing to compare with, but that an answer did not fit
	}
	if v.Divergence != nil {
		s.GoTo(r.log.PositionBefore(v.Divergence.Index + 1))
	}
	return v
}

// Confirm is [Verify] for a recording that agrees with its execution. It keeps neither the events of the recording, which event
// reads one after the other, nor the execution's: both logs of the result have only their newest events. It returns nil
// where the two differ or an event cannot be read; Verify then finds out how. A recording with a redrive is not confirmed.
func Confirm(machine *engine.Machine, options Options, inputs *runlog.Inputs, length int, event func(i int) *engine.Event) *Verification {
	options.Source, options.Sink, options.Clock, options.Interrupt, options.Forget = nil, nil, Clock{}, nil, true
	r := newRun(machine, options)
	v := &Verification{Recorded: &runlog.Log{}, Found: &r.log}
	var newest [1]engine.Event
	read := func(i int) *engine.Event {
		e := event(i)
		if e == nil || e.Type == engine.ExecutionRedriven {
			return nil
		}
		newest[0] = *e
		v.Recorded.Forget()
		v.Recorded.Append(newest[:])
		return e
	}
	x := &reexecution{execution: r.execution}
	if x.replay(r, inputs, length, recordedEvents{length, read}) != nil {
		return nil
	}
	if r.log.Len() > length && v.Recorded.Ended() {
		return nil
	}
	v.Session = newSession(Clock{})
	v.Session.forks.enter(r)
	return v
}

// goOn runs to the end, at most to limit events.
func goOn(s *Session, limit int) Stop {
	if fault := s.asker.open(); fault != nil {
		return Stop{Reason: StoppedBySource, Err: fault}
	}
	command := Command{Kind: Continue}
	if limit > 0 {
		command.Events = max(limit-s.log.Len(), 1)
	}
	stop, _ := s.Do(command) // only the target of RunTo can be wrong
	return stop
}
