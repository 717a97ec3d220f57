package recorder

import (
	"errors"
	"fmt"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/items"
	"asldb.dev/asldb/engine/value"
)

// readEvent decodes the line of event seq of a branch. An event that has not what its type has is an error: who reads
// events need not doubt them.
func (d *decoder) readEvent(b int, seq int64, line []byte) (*engine.Event, error) {
	f, err := fieldsOf(line)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	kind, known := d.types[f.text("type")]
	if !known {
		return nil, fmt.Errorf("has an event of the type %q, which is not known", clip(f.text("type")))
	}
	e := &engine.Event{Seq: seq, Time: f.time("time").UnixNano(), Type: kind, Thread: engine.ThreadID(f.number("thread", seq))}
	if name := f.text("stage"); name != "" {
		if e.Stage, known = d.stages[name]; !known {
			return nil, fmt.Errorf("has an event of the stage %q, which is not known", clip(name))
		}
	}
	if f.has("state") {
		if e.Visit, err = d.visit(b, f, e); err != nil {
			return nil, err
		}
	} else if !ofNoState(kind) {
		f.lacks(kind, "state")
	}
	e.Before, e.After = d.value(f, "before"), d.value(f, "after")
	e.Detail = d.detail(b, f, e)
	if f.fault == "" && e.After == nil && hasData(kind) {
		f.lacks(kind, "after")
	}
	if fault := d.fault; fault != nil {
		d.fault = nil
		return nil, fault
	}
	if f.fault != "" {
		return nil, errors.New(f.fault)
	}
	return e, nil
}

// ofNoState reports whether the events of a type are those of the whole execution.
func ofNoState(kind engine.EventType) bool {
	switch kind {
	case engine.ExecutionStarted, engine.ExecutionSucceeded, engine.ExecutionFailed, engine.ExecutionTimedOut, engine.ExecutionAborted:
		return true
	}
	return false
}

// hasData reports whether all events of a type have data after them.
func hasData(kind engine.EventType) bool {
	switch kind {
	case engine.ExecutionStarted, engine.ExecutionSucceeded, engine.StateEntered, engine.StateExited, engine.TaskScheduled, engine.TaskSucceeded,
		engine.ParallelSucceeded, engine.MapSucceeded, engine.BranchStarted, engine.IterationStarted:
		return true
	}
	return false
}

// lacks notes that an event has not what its type has.
func (f *fields) lacks(kind engine.EventType, key string) {
	if f.fault == "" {
		f.fault = fmt.Sprintf("is an event of the type %s without %q", kind, key)
	}
}

// detail makes what only one type of event has.
func (d *decoder) detail(b int, f *fields, e *engine.Event) engine.Detail {
	need := func(key string) {
		if !f.has(key) {
			f.lacks(e.Type, key)
		}
	}
	switch e.Type {
	case engine.ExecutionFailed, engine.ExecutionTimedOut, engine.ExecutionAborted, engine.StageFailed, engine.TaskFailed, engine.TaskTimedOut,
		engine.MapRunFailed, engine.ParallelFailed, engine.MapFailed, engine.BranchFailed, engine.IterationFailed, engine.StateFailed:
		need("error")
		return d.failure(b, f, e)
	case engine.StageCompleted:
		if !f.has("assigned") && !f.has("assigned"+valueSuffix) {
			return nil
		}
		assigned, _ := d.value(f, "assigned").(*value.Object)
		return &engine.AssignDetail{Assigned: assigned}
	case engine.TaskScheduled:
		need("resource")
		return d.request(f, e)
	case engine.WaitStarted:
		need("until")
		return &engine.WaitDetail{Until: f.time("until")}
	case engine.ParallelStarted, engine.MapStarted:
		need("length")
		return &engine.StartDetail{Length: int(f.integer("length")), MaxConcurrency: int(f.integer("maxConcurrency"))}
	case engine.MapRunStarted:
		need("mapRunArn")
		return &engine.MapRunDetail{Arn: f.text("mapRunArn")}
	case engine.ObjectRequested:
		need("action")
		return &engine.ObjectRequest{
			ID: f.integer("request"), Thread: e.Thread, Visit: e.Visit, Parameters: e.Before,
			Object: items.Object{Action: items.Action(f.text("action")), Bucket: f.text("bucket"), Key: f.text("key")},
		}
	case engine.BranchStarted, engine.IterationStarted, engine.BranchAborted, engine.IterationAborted:
		need("child")
		return d.thread(b, f, e)
	case engine.BranchSucceeded, engine.IterationSucceeded: // a history does not tell
		if f.has("child") {
			return d.thread(b, f, e)
		}
	case engine.RetryScheduled:
		need("retrier")
		return &engine.RetryDetail{
			Failure: d.failure(b, f, e), Retrier: int(f.integer("retrier")), Attempt: f.integer("attempt"),
			Delay: f.seconds("delaySeconds"), Backoff: f.seconds("backoffSeconds"), Due: f.time("due"),
		}
	case engine.ErrorCaught:
		need("catcher")
		return &engine.CatchDetail{Failure: d.failure(b, f, e), Catcher: int(f.integer("catcher")), Next: f.text("next")}
	case engine.StateExited:
		exit := &engine.ExitDetail{Next: f.text("next"), Rule: -1}
		if f.has("rule") {
			exit.Rule = int(f.integer("rule"))
		}
		return exit
	case engine.ExecutionStarted, engine.ExecutionSucceeded, engine.StateEntered, engine.TaskSubmitted, engine.TaskHeartbeat, engine.TaskSucceeded,
		engine.WaitEnded, engine.MapRunSucceeded, engine.ParallelSucceeded, engine.MapSucceeded,
		engine.RetryStarted, engine.DataEdited:
	}
	return nil
}

func (d *decoder) thread(b int, f *fields, e *engine.Event) *engine.ThreadDetail {
	thread := &engine.ThreadDetail{Thread: engine.ThreadID(f.number("child", e.Seq)), Index: int(f.integer("index"))}
	if f.has("in") {
		thread.Visit = d.visitAt(b, f.text("in"), f.number("in"+enteredSuffix, e.Seq))
	}
	return thread
}

func (d *decoder) request(f *fields, e *engine.Event) *engine.TaskRequest {
	resource := f.text("resource")
	return &engine.TaskRequest{
		ID: f.integer("request"), Thread: e.Thread, Visit: e.Visit, Resource: resource, Parameters: e.After,
		Attempt: int(f.integer("attempt")), Invocation: int(f.integer("invocation")),
		Timeout: f.seconds("timeoutSeconds"), Heartbeat: f.seconds("heartbeatSeconds"), TimeoutSet: f.boolean("timeoutSet"),
		Credentials: d.value(f, "credentials"), Integration: engine.IntegrationOf(resource),
	}
}

func (d *decoder) failure(b int, f *fields, e *engine.Event) *engine.Failure {
	origin := e.Visit
	if f.has("origin") {
		origin = d.visitAt(b, f.text("origin"), f.number("origin"+enteredSuffix, e.Seq))
	}
	return engine.RecordedFailure(f.text("error"), f.text("cause"), f.text("field"), origin)
}

// visit returns the visit that an event belongs to.
func (d *decoder) visit(b int, f *fields, e *engine.Event) (*engine.Visit, error) {
	entered := f.number("entered", e.Seq)
	if e.Type != engine.StateEntered {
		return d.visitAt(b, f.text("state"), entered), nil
	}
	key := visitKey{d.t.owner(b, entered), entered}
	if known, ok := d.visits.get(key); ok {
		return known, nil
	}
	path := f.text("state")
	at := d.t.locate(path)
	v := &engine.Visit{
		State: at.state, Index: at.index, Entered: entered,
		Thread: e.Thread, Number: int(f.integer("visit")), HistoryID: f.integer("history"),
	}
	if at.parent != "" {
		v.Parent = d.visitAt(b, at.parent, f.number("parent", entered))
	}
	d.visits.set(key, v)
	return v, nil
}

// visitAt returns the visit of the state at path that began with event entered. Where that event is missing, the
// visit has what the path says.
func (d *decoder) visitAt(b int, path string, entered int64) *engine.Visit {
	key := visitKey{d.t.owner(b, entered), entered}
	if known, ok := d.visits.get(key); ok {
		return known
	}
	if entered > 0 {
		if line, _, err := d.t.eventLine(b, entered); err == nil {
			if f, err := fieldsOf(line); err == nil {
				event := &engine.Event{Seq: entered, Type: d.types[f.text("type")], Thread: engine.ThreadID(f.number("thread", entered))}
				if event.Type == engine.StateEntered && f.text("state") == path && f.integer("parent") < entered {
					v, _ := d.visit(b, f, event)
					return v
				}
			}
		}
	}
	at := d.t.locate(path)
	v := &engine.Visit{State: at.state, Index: at.index, Entered: entered, Number: 1}
	if at.parent != "" {
		v.Parent = d.visitAt(b, at.parent, 0)
	}
	d.visits.set(key, v)
	return v
}
