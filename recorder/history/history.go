// Package history writes a run as Step Functions' GetExecutionHistory shows it: the same types, details,
// order, ids and previousEventIds as AWS was recorded giving.
package history

import (
	"iter"
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// Event is one event of a history.
type Event struct {
	ID, Previous int64
	// Type is the service's name, "TaskStateEntered" for example.
	Type string
	// Time is the virtual time in nanoseconds since the Unix epoch.
	Time int64
	// Key is the name of the member that holds the details, "stateEnteredEventDetails" for example;
	// empty where the type has none.
	Key     string
	Details *value.Object
	// Of is the Seq of the event of a run that it was made from; 0 where it was read.
	Of int64

	payloads []parsed      // those that are parsed
	assigned *value.Object // the variables, where they are parsed
}

// Of returns the history of a run. Iterations of a distributed Map have their own histories, which
// are not part of it.
func Of(events iter.Seq[*engine.Event]) []Event { return OfInput("", events) }

// OfInput is [Of] with the text of the execution's input as the caller wrote it: the service keeps it in the first two
// events. A text that has another value than the input of the run is left out.
func OfInput(text string, events iter.Seq[*engine.Event]) []Event {
	c := &converter{chains: map[engine.ThreadID]*chain{}, places: map[int64]int{}, text: text}
	for event := range events {
		if event.Visit == nil && event.Type.Traits().Scope != engine.OfExecution {
			continue // of a damaged recording: nothing says where it belongs
		}
		if c.hides(event) {
			continue
		}
		if c.endsAtOnce(event) {
			continue
		}
		c.number(event)
		c.settle(event)
		c.seq = event.Seq
		c.add(event)
	}
	return c.history
}

// Document returns the history as the JSON that the service gives: {"events": [...]}. Timestamps are
// in the form that the AWS command line prints.
func Document(history []Event) *value.Object {
	items := value.Each(history, func(event Event) value.Value { return event.Object() })
	return value.ObjectOf(value.Member{Key: "events", Value: value.NewArray(items)})
}

// converter holds the state that the links of a history depend on.
type converter struct {
	history []Event
	places  map[int64]int // of the events in history, by their ids
	seq     int64         // of the event that is written
	id      int64         // of the event that was written last
	chains  map[engine.ThreadID]*chain
	// runtime is set once a States.Runtime has come up in a branch or iteration, until a redrive.
	runtime bool
	// failed are failures of Parallel and Map states whose events are written only if no retry follows.
	failed []*engine.Event
	// text is the execution's input as the caller wrote it; empty where there is none.
	text string
	// payloads belong to the event that is written next.
	payloads []parsed
	// redriven is set once the execution was redriven, numbered where the events have ids.
	redriven, numbered bool
}

// goesOn reports whether an event is the second one of a state, with which a redrive continues: the history has none.
func (c *converter) goesOn(event *engine.Event) bool {
	return c.redriven && c.numbered && event.HistoryID == 0
}

// number takes over the id that an event of the run has. The ids continue from there; without any they count from 1.
// They always grow: a recorded event may have an id within the ids of an earlier event, with others between its parts.
func (c *converter) number(event *engine.Event) {
	c.numbered = c.numbered || event.HistoryID > 0
	c.id = max(c.id, int64(event.HistoryID)-1)
}

// chain is the state of one thread.
type chain struct {
	// last is the event that the thread's next one follows.
	last int64
	// freed is the last state event of the iteration that ended latest: the next iteration follows it.
	freed int64
	// run is the end of a distributed Map's Map Run, which the end of its work follows.
	run int64
	// entered is set once the thread has entered a state.
	entered bool
	// hidden threads belong to a distributed Map: their events are in another history.
	hidden   bool
	index    int // of an iteration
	assigned *value.Object
}

func (c *converter) chain(id engine.ThreadID) *chain {
	known := c.chains[id]
	if known == nil {
		known = &chain{}
		c.chains[id] = known
	}
	return known
}

// write adds an event that follows previous, and returns its id.
func (c *converter) write(at int64, kind string, previous int64, key string, details ...value.Member) int64 {
	c.id++
	event := Event{ID: c.id, Previous: previous, Type: kind, Time: at, Key: key, Of: c.seq, payloads: c.payloads}
	c.payloads = nil
	if key != "" {
		event.Details = value.NewObject(details)
	}
	c.places[c.id] = len(c.history)
	c.history = append(c.history, event)
	return c.id
}

// at returns the event of an id, nil where there is none: events of a damaged recording may lack their predecessors.
func (c *converter) at(id int64) *Event {
	if place, ok := c.places[id]; ok {
		return &c.history[place]
	}
	return nil
}

// next adds an event that follows the thread's last one and takes its place.
func (c *converter) next(event *engine.Event, kind, key string, details ...value.Member) {
	chain := c.chain(event.Thread)
	chain.last = c.write(event.Time, kind, chain.last, key, details...)
}

// settle decides about failed containers, when it is known what follows: a retry leaves no event of the failure.
func (c *converter) settle(next *engine.Event) {
	c.failed = slices.DeleteFunc(c.failed, func(failed *engine.Event) bool {
		if next.Thread != failed.Thread && !next.Type.EndsExecution() {
			return false
		}
		if next.Type == engine.RetryScheduled {
			return true
		}
		c.seq = next.Seq
		c.next(failed, failed.Visit.State.Type.String()+"StateFailed", "")
		return true
	})
}

func (c *converter) add(event *engine.Event) {
	switch event.Type {
	case engine.ExecutionStarted:
		c.chain(0).last = c.write(event.Time, "ExecutionStarted", 0, "executionStartedEventDetails",
			c.given("input", event.After), details("inputDetails"), textMember("roleArn", defaultRole))
	case engine.ExecutionSucceeded:
		c.next(event, "ExecutionSucceeded", "executionSucceededEventDetails", c.payload("output", event.After),
			details("outputDetails"))
	case engine.ExecutionFailed:
		c.end(event, "ExecutionFailed", "executionFailedEventDetails")
	case engine.ExecutionTimedOut:
		c.write(event.Time, "ExecutionTimedOut", 0, "executionTimedOutEventDetails") // floci-io/floci#2733
	case engine.ExecutionAborted:
		c.write(event.Time, "ExecutionAborted", 0, "executionAbortedEventDetails", failureMembers(event.Failure())...)
	case engine.ExecutionRedriven:
		c.redriven = true
		count := 0
		if detail, ok := event.Detail.(*engine.RedriveDetail); ok {
			count = detail.Count
		}
		c.chain(0).last = c.write(event.Time, "ExecutionRedriven", c.id, "executionRedrivenEventDetails",
			value.Member{Key: "redriveCount", Value: value.Int(int64(count))})
	case engine.StateEntered:
		if c.goesOn(event) {
			c.chain(event.Thread).assigned = nil
			return
		}
		c.entered(event)
	case engine.StateExited:
		c.exited(event)
	case engine.StageCompleted:
		if detail, ok := event.Detail.(*engine.AssignDetail); ok {
			c.chain(event.Thread).assigned = detail.Assigned
		}
	case engine.StageFailed:
		c.evaluationFailed(event)
	case engine.ErrorCaught, engine.RetryStarted:
		c.chain(event.Thread).assigned = nil // a failed state assigns nothing
	default:
		if !c.task(event) {
			c.container(event)
		}
	}
}

// hides reports whether the event belongs to an execution of a distributed Map.
func (c *converter) hides(event *engine.Event) bool {
	chain := c.chain(event.Thread)
	switch event.Type {
	case engine.BranchStarted, engine.IterationStarted:
		chain.hidden = event.Visit.State.Distributed() || c.chain(event.Visit.Thread).hidden
	default:
	}
	return chain.hidden
}

const defaultRole = "arn:aws:iam::123456789012:role/StepFunctions"

func (c *converter) end(event *engine.Event, kind, key string) {
	c.cut(event)
	c.write(event.Time, kind, c.chain(0).last, key, failureMembers(event.Failure())...)
}

// cut drops the events beyond the id of the event that ends the execution: the step that exceeds the greatest length of a history
// has some.
func (c *converter) cut(event *engine.Event) {
	id := int64(event.HistoryID)
	if id == 0 || c.id < id {
		return
	}
	for len(c.history) > 0 && c.history[len(c.history)-1].ID >= id {
		c.history = c.history[:len(c.history)-1]
	}
	c.id = id - 1
	if root := c.chain(0); root.last >= id {
		root.last = id - 1
	}
}

func (c *converter) entered(event *engine.Event) {
	chain := c.chain(event.Thread)
	previous, input := chain.last, c.payload
	if event.Thread == 0 && !chain.entered {
		previous, input = 0, c.given // AWS links the first state to nothing
	}
	chain.entered, chain.assigned = true, nil
	state := event.Visit.State
	chain.last = c.write(event.Time, state.Type.String()+"StateEntered", previous, enteredKey,
		textMember("name", state.Name), input("input", event.After), details("inputDetails"))
}

// evaluationFailed writes the fault of a JSONata expression; other faults of stages have no separate event. Where
// nothing is between, AWS links it to the event before the state was entered, but for a Wait.
func (c *converter) evaluationFailed(event *engine.Event) {
	failure := event.Failure()
	if failure == nil || failure.Name != engine.ErrorQueryEvaluation {
		return
	}
	chain, state := c.chain(event.Thread), event.Visit.State
	previous := chain.last
	if last := c.at(chain.last); last != nil && last.Key == enteredKey && state.Type != asl.Wait {
		previous = last.Previous
	}
	members := failureMembers(failure)
	if failure.Field != "" {
		members = append(members, textMember("location", failure.Field))
	}
	members = append(members, textMember("state", state.Name))
	chain.last = c.write(event.Time, "EvaluationFailed", previous, "evaluationFailedEventDetails", members...)
	if state.Type == asl.Map && event.Stage == engine.StageItemsPath || event.FailsAgain() {
		c.failed = append(c.failed, event)
	}
}

func (c *converter) exited(event *engine.Event) {
	state := event.Visit.State
	members := []value.Member{textMember("name", state.Name), c.payload("output", event.After),
		details("outputDetails")}
	if assigned := c.chain(event.Thread).assigned; assigned != nil && assigned.Len() > 0 {
		texts := make([]value.Member, 0, assigned.Len())
		for name, v := range assigned.All() {
			texts = append(texts, jsonText(name, v))
		}
		members = append(members, value.Member{Key: "assignedVariables", Value: value.NewObject(texts)},
			details("assignedVariablesDetails"))
	}
	c.next(event, state.Type.String()+"StateExited", "stateExitedEventDetails", members...)
}

// container writes the events of Parallel and Map states, and of their branches and iterations.
func (c *converter) container(event *engine.Event) {
	chain := c.chain(event.Thread)
	if (event.Type == engine.ParallelStarted || event.Type == engine.MapStarted) && c.goesOn(event) {
		return
	}
	switch event.Type {
	case engine.ParallelStarted:
		c.next(event, "ParallelStateStarted", "")
	case engine.MapStarted:
		length := 0
		if detail, ok := event.Detail.(*engine.StartDetail); ok {
			length = detail.Length
		}
		c.next(event, "MapStateStarted", "mapStateStartedEventDetails",
			value.Member{Key: "length", Value: value.Int(int64(length))})
		chain.freed = 0
	case engine.MapRunStarted:
		run, _ := event.Detail.(*engine.MapRunDetail)
		switch {
		case run == nil:
			c.next(event, "MapRunStarted", "mapRunStartedEventDetails", textMember("mapRunArn", ""))
		case run.Redriven > 0:
			c.next(event, "MapRunRedriven", "mapRunRedrivenEventDetails", textMember("mapRunArn", run.Arn),
				value.Member{Key: "redriveCount", Value: value.Int(int64(run.Redriven))})
		default:
			c.next(event, "MapRunStarted", "mapRunStartedEventDetails", textMember("mapRunArn", run.Arn))
		}
	case engine.MapRunSucceeded:
		// The state's exit links past this event too (since November 2024; before, to this one).
		chain.run = c.write(event.Time, "MapRunSucceeded", chain.last, "")
	case engine.MapRunFailed:
		c.next(event, "MapRunFailed", "mapRunFailedEventDetails", failureMembers(event.Failure())...)
	case engine.ParallelSucceeded, engine.MapSucceeded:
		// Later events link past this one.
		previous := chain.last
		if chain.run > 0 {
			previous, chain.run = chain.run, 0
		}
		c.write(event.Time, event.Visit.State.Type.String()+"StateSucceeded", previous, "")
	case engine.ParallelFailed, engine.MapFailed:
		if event.HistoryID > 0 { // of a recording, where it is known what followed
			c.next(event, event.Visit.State.Type.String()+"StateFailed", "")
			return
		}
		c.failed = append(c.failed, event)
	case engine.BranchStarted:
		chain.last = c.chain(event.Visit.Thread).last
	case engine.BranchSucceeded:
		c.chain(event.Visit.Thread).last = chain.last
	case engine.BranchFailed:
		c.chain(event.Visit.Thread).last = chain.last
		c.aborted(event, chain.last)
	case engine.IterationStarted, engine.IterationSucceeded, engine.IterationFailed, engine.BranchAborted,
		engine.IterationAborted:
		c.iteration(event)
	default:
	}
}

func (c *converter) iteration(event *engine.Event) {
	parent, chain := c.chain(event.Visit.Thread), c.chain(event.Thread)
	name := textMember("name", event.Visit.State.Name)
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
		chain.index = detail.Index
	}
	index := value.Member{Key: "index", Value: value.Int(int64(chain.index))}
	switch event.Type {
	case engine.IterationStarted:
		previous := parent.last
		if parent.freed > 0 {
			previous = parent.freed
		}
		chain.last = c.write(event.Time, "MapIterationStarted", previous, "mapIterationStartedEventDetails", name,
			index)
	case engine.IterationSucceeded:
		parent.freed = chain.last
		parent.last = c.write(event.Time, "MapIterationSucceeded", chain.last, "mapIterationSucceededEventDetails",
			name, index)
	case engine.IterationFailed:
		parent.freed, parent.last = chain.last, chain.last
		c.write(event.Time, "MapIterationFailed", chain.last, "mapIterationFailedEventDetails", name, index)
		c.aborted(event, chain.last)
	default:
		if event.Type == engine.IterationAborted {
			c.write(event.Time, "MapIterationAborted", parent.last, "mapIterationAbortedEventDetails", name, index)
		}
		c.aborted(event, parent.last)
	}
}

// aborted writes AWS's event for the state that a thread was in when it was aborted or failed: only work that takes time
// has one. It does not move the chain.
func (c *converter) aborted(event *engine.Event, previous int64) {
	if !event.AbortsWork() {
		return
	}
	kind := asl.Task
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok {
		kind = detail.Visit.State.Type
	}
	c.write(event.Time, kind.String()+"StateAborted", previous, "")
}

// endsAtOnce reports whether the history leaves out an event, since a States.Runtime came up in a branch or iteration:
// it continues with ExecutionFailed, which follows the last event before.
func (c *converter) endsAtOnce(event *engine.Event) bool {
	switch event.Type {
	case engine.BranchFailed, engine.IterationFailed:
		if failure := event.Failure(); failure != nil && failure.Name == engine.ErrorRuntime {
			c.runtime = true
			c.chain(event.Visit.Thread).last = c.chain(event.Thread).last
		}
	default:
	}
	c.runtime = c.runtime && event.Type != engine.ExecutionRedriven
	return c.runtime && !event.Type.EndsExecution()
}

// Object returns the event as the service shows it.
func (e *Event) Object() *value.Object {
	members := []value.Member{
		{Key: "timestamp", Value: value.String(engine.FormatInstant(e.at()))},
		textMember("type", e.Type),
		{Key: "id", Value: value.Int(e.ID)},
		{Key: "previousEventId", Value: value.Int(e.Previous)},
	}
	if e.Key != "" {
		members = append(members, value.Member{Key: e.Key, Value: e.Details})
	}
	return value.NewObject(members)
}

func textMember(key, text string) value.Member {
	return value.Member{Key: key, Value: value.String(text)}
}

// payload is a member of the event that is written next, which holds JSON as text.
func (c *converter) payload(key string, v value.Value) value.Member {
	if v != nil {
		c.payloads = append(c.payloads, parsed{key, v, Present})
	}
	return jsonText(key, v)
}

// given is payload of the execution's input, which keeps the caller's text.
func (c *converter) given(key string, input value.Value) value.Member {
	compact := c.payload(key, input)
	if c.text == "" {
		return compact
	}
	if v, err := value.ParseString(c.text); err != nil || !value.Equal(v, input) {
		return compact // of a damaged recording
	}
	return textMember(key, c.text)
}

// jsonText is a member that holds JSON as text.
func jsonText(key string, v value.Value) value.Member { return textMember(key, value.Compact(v)) }

var notTruncated = value.ObjectOf(value.Member{Key: "truncated", Value: value.Bool(false)})

func details(key string) value.Member { return value.Member{Key: key, Value: notTruncated} }

// failureMembers are the members of an error; empty ones are left out.
func failureMembers(failure *engine.Failure) []value.Member {
	var members []value.Member
	if failure == nil {
		return nil
	}
	if failure.Name != "" {
		members = append(members, textMember("error", failure.Name))
	}
	if failure.Cause != "" {
		members = append(members, textMember("cause", failure.Cause))
	}
	return members
}

func secondsMember(key string, n float64) value.Member {
	number, _ := value.ParseNumber(strconv.FormatFloat(n, 'f', -1, 64))
	return value.Member{Key: key, Value: number}
}
