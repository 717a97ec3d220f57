package provenance

import (
	"iter"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Intervention is an input that a user gave to a run, in the terms of fixtures: the state, which of its invocations, and
// the outcome.
type Intervention struct {
	// Kind is InputOutcome, InputEdit, InputInject, InputHeartbeat or InputTimeout.
	Kind runlog.InputKind
	// Visit is its place; nil before the first state.
	Visit *engine.Visit
	// Invocation counts the requests of the state over the whole execution, from 1, as [engine.TaskRequest] does; 0
	// where no task is concerned.
	Invocation int
	// Outcome is the one given to the task, or the error that was injected into it.
	Outcome engine.Outcome
	// Stage and Data belong to an edit.
	Stage engine.Stage
	Data  value.Value
	// Event is the place in the log, from 0, of the first event after it; it may not have happened yet.
	Event int
}

// Inputs finds the inputs from which the events of a run came. It reads those that were given about the time of an event, not
// all of them.
type Inputs struct {
	log    *runlog.Log
	inputs *runlog.Inputs
	near   int // the input at which the last search ended
}

// NewInputs returns the origins of the events of a log in the run's inputs. Both may grow.
func NewInputs(log *runlog.Log, inputs *runlog.Inputs) *Inputs {
	return &Inputs{log: log, inputs: inputs}
}

// Interventions returns the outcomes, objects, errors, edits, heartbeats and timeouts given by hand, in order. Moves of the clock
// and the choice of threads are left out.
func (o *Inputs) Interventions() []Intervention {
	var list []Intervention
	var requests map[int64]*engine.TaskRequest
	for i := range o.inputs.Len() {
		in := o.inputs.At(i)
		if in.Origin != runlog.OriginPerson {
			continue
		}
		found := Intervention{Kind: in.Kind, Event: int(in.After)}
		switch in.Kind {
		case runlog.InputOutcome, runlog.InputHeartbeat, runlog.InputTimeout:
			if requests == nil {
				requests = o.log.Requests()
			}
			if request := requests[in.Request]; request != nil {
				found.Visit, found.Invocation = request.Visit, request.Invocation
			}
			found.Outcome = in.Outcome
		case runlog.InputEdit, runlog.InputInject:
			found.Outcome = engine.Outcome{Error: in.Error, Cause: in.Cause}
			if found.Event < o.log.Len() { // its own event, which came at once
				event := o.log.At(found.Event)
				found.Visit, found.Stage = event.Visit, event.Stage
			}
			if in.Edit != nil {
				found.Data = in.Edit.Value
			}
			if in.Kind == runlog.InputInject {
				found.Invocation = o.invocationOf(&found)
			}
		case runlog.InputObject:
			if found.Visit = o.readerOf(in); in.Refused != nil {
				found.Outcome.Cause = in.Refused.Cause
			} else {
				found.Outcome.Output = value.String(in.Body)
			}
		case runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputMapRun, runlog.InputMapBounds:
			continue
		}
		list = append(list, found)
	}
	return list
}

// readerOf returns the visit whose ItemReader requested an object that was given, nil where its event is not known.
func (o *Inputs) readerOf(in *runlog.Input) *engine.Visit {
	for i := min(int(in.After), o.log.Len()) - 1; i >= o.log.First(); i-- {
		if request, ok := o.log.At(i).Detail.(*engine.ObjectRequest); ok && request.ID == in.Request {
			return request.Visit
		}
	}
	return nil
}

// invocationOf returns the number of the request that an injected error ended; 0 where it ended no task.
func (o *Inputs) invocationOf(injected *Intervention) int {
	if injected.Visit == nil || o.log.At(injected.Event).Type != engine.TaskFailed {
		return 0
	}
	if request := o.log.RequestBefore(injected.Event); request != nil {
		return request.Invocation
	}
	return 0
}

// between returns the inputs that were given after event from, an event's number, and before event to, in their order.
func (o *Inputs) between(from, to int64) iter.Seq[*runlog.Input] {
	return func(yield func(*runlog.Input) bool) {
		o.near = o.inputs.FirstAfter(from, o.near)
		for i := o.near; i < o.inputs.Len(); i++ {
			if in := o.inputs.At(i); in.After >= to || !yield(in) {
				return
			}
		}
	}
}

// outcomeOf returns the input that ended a task with event i of the log, nil where that event is another one or its input is not
// known.
func (o *Inputs) outcomeOf(i int) (given *runlog.Input) {
	at := o.endedAt(i)
	if at < 0 {
		return nil
	}
	request := o.log.At(at).Detail.(*engine.TaskRequest)
	for in := range o.between(int64(at)+1, int64(i)+1) {
		switch in.Kind {
		case runlog.InputOutcome:
			if in.Request == request.ID {
				given = in
			}
		case runlog.InputTimeout:
			if in.Request == request.ID && in.Origin == runlog.OriginPerson {
				given = in
			}
		case runlog.InputObject, runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputEdit, runlog.InputInject,
			runlog.InputHeartbeat, runlog.InputMapRun, runlog.InputMapBounds:
		}
	}
	return given
}

// endedAt returns the event of the request of the task that ended with event i of the log; -1 where the event is another one.
func (o *Inputs) endedAt(i int) int {
	switch o.log.At(i).Type {
	case engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
		return o.log.RequestEventBefore(i)
	default:
		return -1
	}
}

// ByHand returns the kind of the intervention from which event i of the log came, counted from 0: the edit, the error or the
// heartbeat itself, and the end of a task with an outcome or a timeout given by hand. ok is false for other events.
func (o *Inputs) ByHand(i int) (kind runlog.InputKind, ok bool) {
	for in := range o.between(int64(i), int64(i)+1) {
		switch in.Kind {
		case runlog.InputEdit, runlog.InputInject, runlog.InputHeartbeat:
			if in.Origin == runlog.OriginPerson {
				kind, ok = in.Kind, true
			}
		case runlog.InputOutcome, runlog.InputObject, runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputTimeout,
			runlog.InputMapRun, runlog.InputMapBounds:
		}
	}
	if ok {
		return kind, true
	}
	if in := o.outcomeOf(i); in != nil && in.Origin == runlog.OriginPerson {
		return in.Kind, true
	}
	return 0, false
}

// OriginOf returns the origin of the outcome with which event i of the log, counted from 0, ended a task. It is "" for other
// events, and for an outcome given by hand.
func (o *Inputs) OriginOf(i int) string {
	if i < 0 || i >= o.log.Len() {
		return ""
	}
	if in := o.outcomeOf(i); in != nil && in.Kind == runlog.InputOutcome && in.Origin != runlog.OriginPerson {
		return in.Origin
	}
	return ""
}
