package provenance

import (
	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Intervention is an input that a person gave to a run, in the terms of fixtures: the state, which of its invocations, and
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
	// Stage and Data are those of an edit.
	Stage engine.Stage
	Data  value.Value
	// Event is the place in the log, from 0, of the first event after it; it may not have happened yet.
	Event int
}

// Inputs finds the inputs from which the events of a run came. It is brought up to date when it is asked.
type Inputs struct {
	log    *runlog.Log
	inputs *runlog.Inputs
	seen   int // inputs that are in the maps

	byHand   map[int]runlog.InputKind // by the event that the input brought
	requests map[int64]runlog.InputKind
	origins  map[int64]string // of the outcomes that were not given by hand
}

// NewInputs returns the origins of the events of a log in the run's inputs. Both may grow.
func NewInputs(log *runlog.Log, inputs *runlog.Inputs) *Inputs {
	return &Inputs{
		log: log, inputs: inputs, byHand: make(map[int]runlog.InputKind), requests: make(map[int64]runlog.InputKind),
		origins: make(map[int64]string),
	}
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
		case runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputMapRun:
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

func (o *Inputs) catchUp() {
	for ; o.seen < o.inputs.Len(); o.seen++ {
		in := o.inputs.At(o.seen)
		byHand := in.Origin == runlog.OriginPerson
		switch in.Kind {
		case runlog.InputOutcome:
			if byHand {
				o.requests[in.Request] = in.Kind
			} else {
				o.origins[in.Request] = in.Origin
			}
		case runlog.InputTimeout:
			if byHand {
				o.requests[in.Request] = in.Kind
			}
		case runlog.InputEdit, runlog.InputInject, runlog.InputHeartbeat:
			if byHand {
				o.byHand[int(in.After)] = in.Kind
			}
		case runlog.InputObject, runlog.InputTime, runlog.InputFocus, runlog.InputAbort, runlog.InputMapRun:
		}
	}
}

// endedAt returns the request of the task that ended with event i of the log; nil where the event is another one.
func (o *Inputs) endedAt(i int) *engine.TaskRequest {
	switch o.log.At(i).Type {
	case engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
		return o.log.RequestBefore(i)
	default:
		return nil
	}
}

// ByHand returns the kind of the intervention from which event i of the log came, counted from 0: the edit, the error or the
// heartbeat itself, and the end of a task with an outcome or a timeout given by hand. ok is false for other events.
func (o *Inputs) ByHand(i int) (kind runlog.InputKind, ok bool) {
	o.catchUp()
	if kind, ok = o.byHand[i]; ok || len(o.requests) == 0 {
		return kind, ok
	}
	if request := o.endedAt(i); request != nil {
		kind, ok = o.requests[request.ID]
	}
	return kind, ok
}

// OriginOf returns the origin of the outcome with which event i of the log, counted from 0, ended a task. It is "" for other
// events, and for an outcome given by hand.
func (o *Inputs) OriginOf(i int) string {
	if i < 0 || i >= o.log.Len() {
		return ""
	}
	o.catchUp()
	if request := o.endedAt(i); request != nil {
		return o.origins[request.ID]
	}
	return ""
}
