package runlog

import (
	"fmt"
	"slices"
	"time"

	"asldb/engine"
)

// InputKind is the kind of an [Input].
type InputKind uint8

// The kinds of inputs.
const (
	// InputOutcome: Outcome is the outcome of the task request with the number Request.
	InputOutcome InputKind = iota + 1
	// InputObject: Body is the content of the object request with the number Request, or Refused its error.
	InputObject
	// InputTime: the virtual clock moved to Time.
	InputTime
	// InputFocus: Thread was chosen to run next.
	InputFocus
	// InputAbort: the execution was aborted with Error and Cause.
	InputAbort
	// InputEdit: the data of a thread was replaced as Edit says.
	InputEdit
	// InputInject: the next step of Thread failed with Error and Cause.
	InputInject
	// InputHeartbeat: the task of the request with the number Request sent a heartbeat.
	InputHeartbeat
	// InputTimeout: the task of the request with the number Request was timed out by hand.
	InputTimeout
	// InputMapRun: Outcome is the outcome of the whole Map Run that Thread has begun.
	InputMapRun
	// InputMapBounds: the bounds of the Map Run of Thread were changed as Bounds says.
	InputMapBounds
)

// inputTraits are the properties of a kind of inputs.
type inputTraits struct {
	name string
	// brings reports whether the input brings an event at once.
	brings bool
	// replies reports whether a source may give it, as a reply to a request.
	replies bool
}

var inputKinds = [...]inputTraits{
	InputOutcome:   {name: "outcome", replies: true},
	InputObject:    {name: "object", replies: true},
	InputTime:      {name: "time"},
	InputFocus:     {name: "focus"},
	InputAbort:     {name: "abort", brings: true},
	InputEdit:      {name: "edit", brings: true},
	InputInject:    {name: "inject", brings: true},
	InputHeartbeat: {name: "heartbeat", brings: true},
	InputTimeout:   {name: "timeout"},
	InputMapRun:    {name: "mapRun", replies: true},
	InputMapBounds: {name: "mapBounds"},
}

func (k InputKind) traits() inputTraits {
	if int(k) < len(inputKinds) {
		return inputKinds[k]
	}
	return inputTraits{}
}

// String returns the kind's name, "outcome" for example.
func (k InputKind) String() string {
	if name := k.traits().name; name != "" {
		return name
	}
	return fmt.Sprintf("InputKind(%d)", uint8(k))
}

// ParseInputKind returns the kind of that name; ok is false when there is none.
func ParseInputKind(name string) (kind InputKind, ok bool) {
	i := slices.IndexFunc(inputKinds[:], func(t inputTraits) bool { return t.name == name && name != "" })
	return InputKind(max(i, 0)), i >= 0
}

// The origins of inputs that come from a session itself. A source names its own: see outcome.Given.
const (
	OriginPerson   = "person"   // given by hand
	OriginClock    = "clock"    // by the mode of the virtual clock
	OriginRecorded = "recorded" // by a recorded history
)

// Input is one thing that an execution was given from outside. The inputs of a run, with its machine, execution input, start
// time, seed, context object and limits, re-execute it exactly.
type Input struct {
	Kind InputKind
	// Step is the number of steps that the engine had done before; the inputs of one step are given in their order.
	Step int64
	// After is the Seq of the newest event before it, 0 where there was none.
	After int64
	// Request is the number of the request, of an outcome, an object, a heartbeat and a timeout.
	Request int64
	Outcome engine.Outcome
	// Body and Refused belong to InputObject. Body must not be changed.
	Body    []byte
	Refused *engine.ObjectError
	Time    time.Time
	// Thread is the thread of InputFocus, InputInject, InputMapRun and InputMapBounds.
	Thread       engine.ThreadID
	Error, Cause string
	Edit         *engine.Edit
	Bounds       engine.NewBounds
	// Origin names the provider of the input: "person", "fixtures", …
	Origin string
}

// Automatic reports whether a source gave the input as a reply to the step before it: there is no position between the
// two.
func (in *Input) Automatic() bool { return in.Origin != OriginPerson && in.Kind.traits().replies }

// Brings reports whether the input brings an event at once.
func (in *Input) Brings() bool { return in.Kind.traits().brings }

// Apply gives the input to an execution and returns the events that it brings at once. The errors come from the
// execution's methods, or are an [*InputError].
func (in *Input) Apply(e *engine.Execution) ([]engine.Event, error) {
	switch in.Kind {
	case InputOutcome:
		return nil, e.Answer(in.Request, in.Outcome)
	case InputObject:
		return nil, e.AnswerObject(in.Request, in.Body, in.Refused)
	case InputTime:
		return nil, e.AdvanceTo(in.Time)
	case InputFocus:
		return nil, e.Focus(in.Thread)
	case InputAbort:
		return e.Abort(in.Error, in.Cause), nil
	case InputEdit:
		if in.Edit == nil {
			return nil, in.fault("has no edit")
		}
		return e.Edit(*in.Edit)
	case InputInject:
		return e.Inject(in.Thread, in.Error, in.Cause)
	case InputHeartbeat:
		return e.Heartbeat(in.Request)
	case InputTimeout:
		return nil, e.TimeOut(in.Request)
	case InputMapRun:
		return nil, e.AnswerMapRun(in.Thread, in.Outcome)
	case InputMapBounds:
		return nil, e.SetMapBounds(in.Thread, in.Bounds)
	}
	return nil, in.fault("is of no known kind")
}

// fault returns an error about the input. It holds a copy, so that the input need not outlive its being given.
func (in *Input) fault(msg string) error {
	given := *in
	return &InputError{Input: &given, Msg: msg}
}

// InputError is an error in a recorded input.
type InputError struct {
	Input *Input
	Msg   string
}

// Error implements error.
func (e *InputError) Error() string {
	return fmt.Sprintf("the answer (%s) after event %d %s", e.Input.Kind, e.Input.After, e.Msg)
}

// Requests finds the requests that inputs are about: in an execution, or in recorded events.
type Requests interface {
	// Working returns the request of a task that is not over, or nil.
	Working(id int64) *engine.TaskRequest
	// Reader returns the thread whose ItemReader waits for an object.
	Reader(id int64) (thread engine.ThreadID, ok bool)
}

// Effect returns the change that the input makes in an execution without an event. It is called before the input is
// applied.
func (in *Input) Effect(from Requests) Effect {
	switch in.Kind {
	case InputOutcome:
		if request := from.Working(in.Request); request != nil {
			return Effect{
				Kind: EffectOutcome, Thread: request.Thread, Delay: in.Outcome.After, Every: in.Outcome.HeartbeatEvery,
				Submits: request.Submits(&in.Outcome),
			}
		}
	case InputObject:
		if thread, ok := from.Reader(in.Request); ok {
			return Effect{Kind: EffectObject, Thread: thread}
		}
	case InputMapRun:
		return Effect{Kind: EffectMapRun, Thread: in.Thread, Delay: in.Outcome.After}
	case InputTimeout:
		if request := from.Working(in.Request); request != nil {
			return Effect{Kind: EffectTimeout, Thread: request.Thread}
		}
	case InputHeartbeat:
		if request := from.Working(in.Request); request != nil {
			return Effect{Kind: EffectHeartbeat, Thread: request.Thread}
		}
	case InputTime, InputFocus, InputAbort, InputEdit, InputInject, InputMapBounds:
	}
	return Effect{}
}
