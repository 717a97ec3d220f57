package engine

import (
	"iter"
	"strconv"
)

// EventScope is the subject of an event: the execution, a state or a thread.
type EventScope uint8

// The scopes of events.
const (
	// OfExecution: the whole execution. The event belongs to no state, but for the one in which it failed.
	OfExecution EventScope = iota + 1
	// OfState: one visit of a state.
	OfState
	// OfThread: a branch or an iteration as a whole. Its Visit is the visit of the Parallel or Map state.
	OfThread
)

// EventTraits are the properties that all events of a type share.
type EventTraits struct {
	// Name is the type's name, "StateEntered" for example.
	Name  string
	Scope EventScope
	// Opens is set where a later event ends the activity that this one begins; Closes is the type of the event that began
	// the activity that this one ends, 0 where it ends none.
	Opens  bool
	Closes EventType
	// Ends is how the activity ended that Closes began: Succeeded, Failed, TimedOut or Aborted. It is Runnable where nothing ends.
	Ends Status
	// Waits is the block of the thread that may follow the event. Resumes is set where the thread waits for nothing any more.
	Waits   Block
	Resumes bool
	// Raises is set where an error comes up with the event: see [Event.RaisesError]. Fails is set where the Detail
	// is a *Failure.
	Raises, Fails bool
	// Output is set where every event of the type has data after it.
	Output bool
	// History is how many events of Step Functions' history one of the type has, at least: see [Event.HistoryEvents].
	History int
}

// eventTraits is the one list of the types of events.
var eventTraits = [eventTypeCount]EventTraits{
	ExecutionStarted:   {Name: "ExecutionStarted", Scope: OfExecution, Opens: true, Output: true, History: 1},
	ExecutionSucceeded: {Name: "ExecutionSucceeded", Scope: OfExecution, Closes: ExecutionStarted, Ends: Succeeded, Output: true, History: 1},
	ExecutionFailed:    {Name: "ExecutionFailed", Scope: OfExecution, Closes: ExecutionStarted, Ends: Failed, Fails: true, History: 1},
	ExecutionTimedOut:  {Name: "ExecutionTimedOut", Scope: OfExecution, Closes: ExecutionStarted, Ends: TimedOut, Raises: true, Fails: true, History: 1},
	ExecutionAborted:   {Name: "ExecutionAborted", Scope: OfExecution, Closes: ExecutionStarted, Ends: Aborted, Fails: true, History: 1},

	ExecutionRedriven: {Name: "ExecutionRedriven", Scope: OfExecution, History: 1},

	StateEntered: {Name: "StateEntered", Scope: OfState, Opens: true, Resumes: true, Output: true, History: 1},
	StateExited:  {Name: "StateExited", Scope: OfState, Closes: StateEntered, Ends: Succeeded, Resumes: true, Output: true, History: 1},
	StateFailed:  {Name: "StateFailed", Scope: OfState, Closes: StateEntered, Ends: Failed, Resumes: true, Fails: true},

	StageCompleted: {Name: "StageCompleted", Scope: OfState},
	StageFailed:    {Name: "StageFailed", Scope: OfState, Resumes: true, Raises: true, Fails: true},
	DataEdited:     {Name: "DataEdited", Scope: OfState},

	TaskScheduled: {Name: "TaskScheduled", Scope: OfState, Opens: true, Waits: OnAnswer, Output: true, History: 2},
	TaskSubmitted: {Name: "TaskSubmitted", Scope: OfState, Waits: OnTime, History: 1},
	TaskHeartbeat: {Name: "TaskHeartbeat", Scope: OfState, Waits: OnTime},
	TaskSucceeded: {Name: "TaskSucceeded", Scope: OfState, Closes: TaskScheduled, Ends: Succeeded, Resumes: true, Output: true, History: 1},
	TaskFailed:    {Name: "TaskFailed", Scope: OfState, Closes: TaskScheduled, Ends: Failed, Resumes: true, Raises: true, Fails: true, History: 1},
	TaskTimedOut:  {Name: "TaskTimedOut", Scope: OfState, Closes: TaskScheduled, Ends: TimedOut, Resumes: true, Raises: true, Fails: true, History: 1},

	WaitStarted: {Name: "WaitStarted", Scope: OfState, Opens: true, Waits: OnTime},
	WaitEnded:   {Name: "WaitEnded", Scope: OfState, Closes: WaitStarted, Ends: Succeeded, Resumes: true},

	ParallelStarted:   {Name: "ParallelStarted", Scope: OfState, Opens: true, Waits: OnBranches, History: 1},
	ParallelSucceeded: {Name: "ParallelSucceeded", Scope: OfState, Closes: ParallelStarted, Ends: Succeeded, Resumes: true, Output: true, History: 1},
	ParallelFailed:    {Name: "ParallelFailed", Scope: OfState, Closes: ParallelStarted, Ends: Failed, Resumes: true, Raises: true, Fails: true},
	MapStarted:        {Name: "MapStarted", Scope: OfState, Opens: true, Waits: OnIterations, History: 1},
	MapSucceeded:      {Name: "MapSucceeded", Scope: OfState, Closes: MapStarted, Ends: Succeeded, Resumes: true, Output: true, History: 1},
	MapFailed:         {Name: "MapFailed", Scope: OfState, Closes: MapStarted, Ends: Failed, Resumes: true, Raises: true, Fails: true},
	MapRunStarted:     {Name: "MapRunStarted", Scope: OfState, Opens: true, Waits: OnTime, History: 1},
	MapRunSucceeded:   {Name: "MapRunSucceeded", Scope: OfState, Closes: MapRunStarted, Ends: Succeeded, Resumes: true, History: 1},
	MapRunFailed:      {Name: "MapRunFailed", Scope: OfState, Closes: MapRunStarted, Ends: Failed, Resumes: true, Fails: true, History: 1},
	ObjectRequested:   {Name: "ObjectRequested", Scope: OfState, Waits: OnAnswer},

	BranchStarted:      {Name: "BranchStarted", Scope: OfThread, Opens: true, Output: true},
	BranchSucceeded:    {Name: "BranchSucceeded", Scope: OfThread, Closes: BranchStarted, Ends: Succeeded},
	BranchFailed:       {Name: "BranchFailed", Scope: OfThread, Closes: BranchStarted, Ends: Failed, Fails: true},
	BranchAborted:      {Name: "BranchAborted", Scope: OfThread, Closes: BranchStarted, Ends: Aborted},
	IterationStarted:   {Name: "IterationStarted", Scope: OfThread, Opens: true, Output: true, History: 1},
	IterationSucceeded: {Name: "IterationSucceeded", Scope: OfThread, Closes: IterationStarted, Ends: Succeeded, History: 1},
	IterationFailed:    {Name: "IterationFailed", Scope: OfThread, Closes: IterationStarted, Ends: Failed, Fails: true, History: 1},
	IterationAborted:   {Name: "IterationAborted", Scope: OfThread, Closes: IterationStarted, Ends: Aborted, History: 1},

	RetryScheduled: {Name: "RetryScheduled", Scope: OfState, Opens: true, Waits: OnTime},
	RetryStarted:   {Name: "RetryStarted", Scope: OfState, Closes: RetryScheduled, Ends: Succeeded, Resumes: true},
	ErrorCaught:    {Name: "ErrorCaught", Scope: OfState, Resumes: true},
}

var eventTypesByName = func() map[string]EventType {
	types := make(map[string]EventType, len(eventTraits))
	for t := range EventTypes() {
		types[eventTraits[t].Name] = t
	}
	return types
}()

// Traits returns the properties that all events of the type share. It must not be changed. It panics where there is no such type.
func (t EventType) Traits() *EventTraits { return &eventTraits[t] }

// String returns the event type's name, "StateEntered" for example, and "Unreadable" for no type: a log has lost the
// event.
func (t EventType) String() string {
	if t == 0 {
		return "Unreadable"
	}
	if int(t) < len(eventTraits) && eventTraits[t].Name != "" {
		return eventTraits[t].Name
	}
	return "EventType(" + strconv.Itoa(int(t)) + ")"
}

// ParseEventType returns the event type of a name; ok is false where there is none.
func ParseEventType(name string) (t EventType, ok bool) {
	t, ok = eventTypesByName[name]
	return t, ok
}

// EventTypes iterates over the types of events in their order.
func EventTypes() iter.Seq[EventType] {
	return func(yield func(EventType) bool) {
		for t := ExecutionStarted; int(t) < len(eventTraits); t++ {
			if !yield(t) {
				return
			}
		}
	}
}

// EndsExecution reports whether the whole execution is over with an event of the type.
func (t EventType) EndsExecution() bool {
	traits := &eventTraits[t]
	return traits.Scope == OfExecution && traits.Ends.Done()
}

// RaisesError reports whether an error comes up with this event, whatever is made of it afterwards.
// Of the several events that speak of one error it answers yes once for the state in which the error
// came up, and once for each Parallel or Map state that fails for it.
func (e *Event) RaisesError() bool { return eventTraits[e.Type].Raises }
