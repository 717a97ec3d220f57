package rerun

import (
	"cmp"
	"math"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// Events writes a recording as the events of an engine, for a definition that has its states (the one that ran,
// or [Recording.Skeleton]): states, tasks, retries, branches and iterations with their data and times, as far as
// the recording has them. There are no stages in between: those only a run with the definition can tell. Visits
// of states that the definition does not have are left out.
func (r *Recording) Events(definition *asl.StateMachine) []engine.Event {
	return r.write(definition).events
}

// write writes the events, and which recorded ones they were made from.
func (r *Recording) write(definition *asl.StateMachine) *eventWriter {
	c := &eventWriter{
		r: r, definition: definition,
		threads:  map[*history.Thread]engine.ThreadID{r.Threads.Root: 0},
		visits:   make(map[*history.Visit]*engine.Visit),
		next:     make(map[*history.Visit]string),
		counts:   make(map[*asl.State]int),
		requests: make(map[*history.Attempt]*engine.TaskRequest),
	}
	for _, place := range r.Threads.Of {
		if place.Thread == nil || len(place.Thread.Visits) == 0 || c.next[place.Thread.Visits[0]] != "" {
			continue
		}
		for n, v := range place.Thread.Visits[1:] {
			c.next[place.Thread.Visits[n]] = v.Name
		}
	}
	for i := range r.Threads.Events {
		if !r.Threads.Of[i].Dropped {
			c.recorded = i
			c.add(i, &r.Threads.Events[i])
		}
	}
	return c
}

type eventWriter struct {
	r          *Recording
	definition *asl.StateMachine
	events     []engine.Event
	recorded   int   // the place of the recorded event that is written
	sources    []int // of each of events, the place of the recorded event that it was made from
	threads    map[*history.Thread]engine.ThreadID
	visits     map[*history.Visit]*engine.Visit
	counts     map[*asl.State]int
	requests   map[*history.Attempt]*engine.TaskRequest
	next       map[*history.Visit]string // the state that came after
	failure    *engine.Failure           // the newest
	asked      int64
}

func (c *eventWriter) emit(at int64, thread engine.ThreadID, event engine.Event) {
	event.Seq, event.Time, event.Thread = int64(len(c.events)+1), at, thread
	if recorded := &c.r.Threads.Events[c.recorded]; !c.r.Express() && recorded.ID <= math.MaxUint16 && standsFor(event.Type, recorded.Kind()) {
		event.HistoryID = uint16(recorded.ID)
	}
	c.events, c.sources = append(c.events, event), append(c.sources, c.recorded)
}

// standsFor reports whether an event of that type is the one that has the id of a recorded event, of those made from it.
func standsFor(event engine.EventType, recorded history.Kind) bool {
	switch event {
	case engine.TaskScheduled:
		return recorded.Phase == history.Scheduled || recorded.Phase == history.Started
	case engine.StageFailed:
		return recorded.Family == history.OfEvaluation
	case engine.ParallelFailed, engine.MapFailed:
		return recorded.Phase == history.Failed && (recorded.Family == history.OfParallel || recorded.Family == history.OfMap)
	default:
		return event.Traits().History > 0
	}
}

// payload returns a payload of a recorded event, null where it was not recorded.
func payload(e *history.Event, key string) value.Value {
	v, is := e.Payload(key)
	if is != history.Present {
		return value.Null{}
	}
	return v
}

func (c *eventWriter) add(i int, e *history.Event) {
	place, kind := c.r.Threads.Of[i], e.Kind()
	switch kind.Family {
	case history.OfExecution:
		c.execution(e, kind)
		return
	case history.OfIteration:
		c.iteration(e, kind, place.Thread)
		return
	case history.OfUnknown:
		return
	default:
	}
	if place.Visit == nil {
		return
	}
	if kind.Family == history.OfState && kind.Phase == history.Entered {
		c.entered(e, place.Visit)
		return
	}
	visit := c.visits[place.Visit]
	if visit == nil {
		return // the definition does not have the state
	}
	switch kind.Family {
	case history.OfState:
		if kind.Phase == history.Exited {
			c.exited(e, place.Visit, visit)
		}
	case history.OfTask, history.OfLambda, history.OfActivity:
		c.task(i, e, kind, place.Visit, visit)
	case history.OfParallel, history.OfMap:
		c.container(i, e, kind, place.Visit, visit)
	case history.OfMapRun:
		c.mapRun(e, kind, visit)
	case history.OfEvaluation:
		failure := c.fail(e, visit)
		failure.Field = e.Text("location")
		stage := stageOf(failure.Field)
		switch events := c.r.Threads.Events; {
		case i+1 < len(events) && events[i+1].Type == "MapStateFailed":
			stage = engine.StageItemsPath
		case stage == engine.StageItemsPath:
			stage = engine.StageLimits // the Map had not failed as such
		}
		c.emit(e.Time, visit.Thread, engine.Event{Type: engine.StageFailed, Visit: visit, Stage: stage, Detail: failure})
	case history.OfUnknown, history.OfExecution, history.OfIteration:
	}
}

// stageOf returns the stage that a field belongs to, by the first name of its place.
func stageOf(location string) engine.Stage {
	field, _, _ := strings.Cut(location, "/")
	field, _, _ = strings.Cut(field, "[")
	if f := asl.FieldNamed(field); f != nil && f.Stage != engine.NoStage {
		return f.Stage
	}
	return engine.StageLimits
}

func (c *eventWriter) execution(e *history.Event, kind history.Kind) {
	event := engine.Event{}
	switch kind.Phase {
	case history.Started:
		event.Type, event.After = engine.ExecutionStarted, payload(e, "input")
	case history.Succeeded:
		event.Type, event.After = engine.ExecutionSucceeded, payload(e, "output")
	case history.Failed, history.TimedOut, history.Aborted:
		failure := &engine.Failure{Name: e.Text("error"), Cause: e.Text("cause")}
		switch before := c.failure; {
		case before != nil && before.Name == failure.Name:
			failure.Origin = before.Origin
		case kind.Phase == history.Failed && before != nil && before.Name == "" && before.Origin != nil && before.Origin.State.Type == asl.Fail:
			failure.Origin = before.Origin
			before.Name, before.Cause = failure.Name, failure.Cause // no other event has a Fail state's
		case kind.Phase == history.Failed:
			failure.Origin = c.linked(e)
		}
		event.Detail = failure
		event.Type = map[history.Phase]engine.EventType{
			history.Failed: engine.ExecutionFailed, history.TimedOut: engine.ExecutionTimedOut, history.Aborted: engine.ExecutionAborted,
		}[kind.Phase]
		if kind.Phase == history.Failed {
			c.stateFailed(e, c.r.Threads.Root, failure)
		}
	default:
		return
	}
	c.emit(e.Time, 0, event)
}

// linked returns the visit inside of a Parallel or Map state to which an event is linked, nil where it is linked to no such one:
// States.Runtime in a branch ends the execution at once.
func (c *eventWriter) linked(e *history.Event) *engine.Visit {
	for i := range c.r.Threads.Events {
		if c.r.Threads.Events[i].ID != e.Previous {
			continue
		}
		if at := c.r.Threads.Of[i]; at.Visit != nil && at.Visit.Exited < 0 && at.Visit.Thread != c.r.Threads.Root {
			return c.visits[at.Visit]
		}
		break
	}
	return nil
}

// stateFailed writes that the state failed in which a thread stopped.
func (c *eventWriter) stateFailed(e *history.Event, t *history.Thread, failure *engine.Failure) {
	if len(t.Visits) == 0 {
		return
	}
	last := t.Visits[len(t.Visits)-1]
	visit := c.visits[last]
	if visit == nil || last.Exited >= 0 {
		return
	}
	failure.Origin = cmp.Or(failure.Origin, visit)
	c.emit(e.Time, visit.Thread, engine.Event{Type: engine.StateFailed, Visit: visit, Detail: failure})
}

// fail notes a recorded error as the newest one.
func (c *eventWriter) fail(e *history.Event, visit *engine.Visit) *engine.Failure {
	c.failure = &engine.Failure{Name: e.Text("error"), Cause: e.Text("cause"), Origin: visit}
	return c.failure
}

// lastFailure is the newest error; of a Fail state, whose error has no separate event, an empty one.
func (c *eventWriter) lastFailure(visit *engine.Visit) *engine.Failure {
	if c.failure == nil {
		return &engine.Failure{Origin: visit}
	}
	return c.failure
}

func (c *eventWriter) entered(e *history.Event, v *history.Visit) {
	state, parent, index := c.find(v)
	if state == nil {
		return
	}
	thread, known := c.threads[v.Thread]
	if !known { // a branch has no separate event
		thread = c.begin(e.Time, v.Thread, parent, index, payload(e, "input"), engine.BranchStarted)
	}
	visit := &engine.Visit{
		State: state, Thread: thread, Parent: parent, Index: index, Number: v.Number, Entered: int64(len(c.events) + 1), HistoryID: e.ID,
	}
	c.visits[v] = visit
	c.emit(e.Time, thread, engine.Event{Type: engine.StateEntered, Visit: visit, After: payload(e, "input")})
	if v.Type == "Wait" && v.Exited >= 0 {
		until := at(&c.r.Threads.Events[v.Exited])
		c.emit(e.Time, thread, engine.Event{Type: engine.WaitStarted, Visit: visit, Stage: engine.StageWait, Detail: &engine.WaitDetail{Until: until}})
	}
	if v.Type == "Fail" {
		c.failure = &engine.Failure{Origin: visit}
		if end := c.r.Execution.End(); end != nil && v.Thread.Container == nil {
			c.failure.Name, c.failure.Cause = end.Text("error"), end.Text("cause")
		}
	}
}

// find returns the state of a visit, with the visit of its container and the number of its branch or iteration.
func (c *eventWriter) find(v *history.Visit) (state *asl.State, parent *engine.Visit, index int) {
	t := v.Thread
	if t.Container == nil {
		return c.definition.Top.State(v.Name), nil, 0
	}
	parent = c.visits[t.Container]
	if parent == nil {
		return nil, nil, 0
	}
	scope, index := scopeIn(parent.State, t)
	if scope == nil {
		return nil, nil, 0
	}
	return scope.State(v.Name), parent, index
}

// scopeIn returns the scope that a recorded thread runs in a state, and its number there.
func scopeIn(state *asl.State, t *history.Thread) (*asl.Scope, int) {
	if state.Type == asl.Map {
		return state.Processor, t.Index
	}
	for n, branch := range state.Branches {
		if branch.StartAt == t.First() {
			return branch, n
		}
	}
	return nil, 0
}

// begin numbers a thread and writes that it began.
func (c *eventWriter) begin(at int64, t *history.Thread, container *engine.Visit, index int, input value.Value, kind engine.EventType) engine.ThreadID {
	id := engine.ThreadID(len(c.threads))
	c.threads[t] = id
	c.emit(at, id, engine.Event{Type: kind, Visit: container, After: input, Detail: &engine.ThreadDetail{Thread: id, Index: index}})
	return id
}

func (c *eventWriter) exited(e *history.Event, v *history.Visit, visit *engine.Visit) {
	if v.Type == "Wait" {
		c.emit(e.Time, visit.Thread, engine.Event{Type: engine.WaitEnded, Visit: visit, Stage: engine.StageWait})
	}
	detail := &engine.ExitDetail{Next: c.next[v], Rule: -1}
	if c.r.failed(v) {
		c.emit(e.Time, visit.Thread, engine.Event{
			Type: engine.ErrorCaught, Visit: visit, After: payload(e, "output"),
			Detail: &engine.CatchDetail{Failure: c.lastFailure(visit), Catcher: catcher(visit.State, detail.Next), Next: detail.Next},
		})
	}
	if assigned := e.Assigned(); assigned != nil && assigned.Len() > 0 {
		c.emit(e.Time, visit.Thread, engine.Event{
			Type: engine.StageCompleted, Visit: visit, Stage: engine.StageAssign, After: assigned, Detail: &engine.AssignDetail{Assigned: assigned},
		})
	}
	for n, rule := range visit.State.Choices {
		if rule.Next == detail.Next {
			detail.Rule = n
			break
		}
	}
	c.emit(e.Time, visit.Thread, engine.Event{Type: engine.StateExited, Visit: visit, After: payload(e, "output"), Detail: detail})
}

func catcher(state *asl.State, next string) int {
	for n, c := range state.Catch {
		if c.Next == next {
			return n
		}
	}
	return 0
}

func nanoseconds(from, to int64) time.Duration { return time.Duration(max(0, to-from)) }
