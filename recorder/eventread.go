package recorder

import (
	"errors"
	"fmt"
	"math"

	"asldb/engine"
	"asldb/engine/items"
	"asldb/engine/value"
)

// readEvent decodes the line of event seq of a fork. An event without a member of its type is an error, so that
// readers of events need no checks.
func (d *decoder) readEvent(b int, seq int64, line []byte) (*engine.Event, error) {
	f, err := d.fields(line)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	defer d.done(f)
	kind, known := engine.ParseEventType(f.text("type"))
	if !known {
		return nil, fmt.Errorf("has an event of the type %q, which is not known", clip(f.text("type")))
	}
	e := &engine.Event{Seq: seq, Time: f.time("time").UnixNano(), Type: kind, Thread: engine.ThreadID(f.number("thread", seq))}
	if id := f.integer("historyId"); id > 0 && id <= math.MaxUint16 {
		e.HistoryID = uint16(id)
	}
	if name := f.text("stage"); name != "" {
		if e.Stage, known = d.stages[name]; !known {
			return nil, fmt.Errorf("has an event of the stage %q, which is not known", clip(name))
		}
	}
	if f.has("state") {
		if e.Visit, err = d.visit(b, f, e); err != nil {
			return nil, err
		}
	} else if kind.Traits().Scope != engine.OfExecution {
		f.lacks(kind, "state")
	}
	e.Before, e.After = d.value(f, "before"), d.value(f, "after")
	e.Detail = d.detail(b, f, e)
	checkPlaces(f, e)
	if f.fault == "" && e.After == nil && kind.Traits().Output {
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

// checkPlaces notes a number of a rule, retrier or catcher that the state does not have, where its definition is known.
func checkPlaces(f *fields, e *engine.Event) {
	if e.Visit == nil || e.Visit.State.Node == nil {
		return
	}
	check := func(key string, at, length int) {
		if at >= length {
			f.wrong(key, fmt.Sprintf("a number below %d, which is how many the state has,", length))
		}
	}
	switch detail := e.Detail.(type) {
	case *engine.RetryDetail:
		check("retrier", detail.Retrier, len(e.Visit.State.Retry))
	case *engine.CatchDetail:
		check("catcher", detail.Catcher, len(e.Visit.State.Catch))
	case *engine.ExitDetail:
		check("rule", detail.Rule, len(e.Visit.State.Choices))
	}
}

// lacks notes that an event has no member of its type.
func (f *fields) lacks(kind engine.EventType, key string) {
	if f.fault == "" {
		f.fault = fmt.Sprintf("is an event of the type %s without %q", kind, key)
	}
}

// maxPlace bounds the numbers of places: items, rules, attempts.
const maxPlace = 1 << 31

// detailReader reads the detail of one type of events.
type detailReader struct {
	needs string // a key that the line must have; "" for none
	read  func(d *decoder, b int, f *fields, e *engine.Event) engine.Detail
}

// detailReaders are the readers by type. A type that is not in the table, and raises no error, has no detail.
var detailReaders = [...]detailReader{
	engine.StageCompleted:     {"", (*decoder).assigned},
	engine.TaskScheduled:      {"resource", (*decoder).request},
	engine.WaitStarted:        {"until", (*decoder).wait},
	engine.ParallelStarted:    {"length", (*decoder).start},
	engine.MapStarted:         {"length", (*decoder).start},
	engine.MapRunStarted:      {"mapRunArn", (*decoder).mapRun},
	engine.ObjectRequested:    {"action", (*decoder).object},
	engine.BranchStarted:      {"index", (*decoder).thread},
	engine.BranchSucceeded:    {"", (*decoder).ended},
	engine.BranchAborted:      {"index", (*decoder).thread},
	engine.IterationStarted:   {"index", (*decoder).thread},
	engine.IterationSucceeded: {"", (*decoder).ended},
	engine.IterationAborted:   {"index", (*decoder).thread},
	engine.RetryScheduled:     {"retrier", (*decoder).retry},
	engine.ErrorCaught:        {"catcher", (*decoder).caught},
	engine.StateExited:        {"", (*decoder).exit},
	engine.ExecutionRedriven:  {"redriveCount", (*decoder).redriven},
}

// detail returns the detail of an event, nil where its type has none.
func (d *decoder) detail(b int, f *fields, e *engine.Event) engine.Detail {
	var reader detailReader
	switch {
	case e.Type.Traits().Fails:
		reader = detailReader{"error", (*decoder).failed}
	case int(e.Type) < len(detailReaders):
		reader = detailReaders[e.Type]
	}
	if reader.read == nil {
		return nil
	}
	if reader.needs != "" && !f.has(reader.needs) {
		f.lacks(e.Type, reader.needs)
	}
	return reader.read(d, b, f, e)
}

func (d *decoder) failed(b int, f *fields, e *engine.Event) engine.Detail { return d.failure(b, f, e) }

func (d *decoder) assigned(_ int, f *fields, _ *engine.Event) engine.Detail {
	if !f.has("assigned") && !f.has("assigned"+valueSuffix) {
		return nil
	}
	assigned, _ := d.value(f, "assigned").(*value.Object)
	return &engine.AssignDetail{Assigned: assigned}
}

func (d *decoder) wait(_ int, f *fields, _ *engine.Event) engine.Detail {
	return &engine.WaitDetail{Until: f.time("until")}
}

func (d *decoder) start(_ int, f *fields, _ *engine.Event) engine.Detail {
	return &engine.StartDetail{
		Length: int(f.number("length", maxPlace)), MaxConcurrency: int(f.number("maxConcurrency", maxPlace)), Done: int(f.number("done", maxPlace)),
	}
}

func (d *decoder) redriven(_ int, f *fields, _ *engine.Event) engine.Detail {
	return &engine.RedriveDetail{Count: int(f.number("redriveCount", maxPlace))}
}

func (d *decoder) mapRun(_ int, f *fields, _ *engine.Event) engine.Detail {
	detail := &engine.MapRunDetail{Arn: f.text("mapRunArn")}
	if f.has("redriveCount") {
		detail.Redriven = int(f.number("redriveCount", maxPlace))
	}
	return detail
}

func (d *decoder) object(_ int, f *fields, e *engine.Event) engine.Detail {
	action, known := items.ParseAction(f.text("action"))
	if !known {
		f.wrong("action", "the name of an action")
	}
	return &engine.ObjectRequest{
		ID: f.integer("request"), Thread: e.Thread, Visit: e.Visit, Parameters: e.Before,
		Object: items.Object{Action: action, Bucket: f.text("bucket"), Key: f.text("key")},
	}
}

// ended reads the end of a branch or iteration: a recorded history does not give its index.
func (d *decoder) ended(b int, f *fields, e *engine.Event) engine.Detail {
	if !f.has("index") {
		return nil
	}
	return d.thread(b, f, e)
}

func (d *decoder) retry(b int, f *fields, e *engine.Event) engine.Detail {
	retry := &engine.RetryDetail{
		Failure: d.failure(b, f, e), Retrier: int(f.number("retrier", maxPlace)), Attempt: f.number("attempt", maxPlace),
		Delay: f.seconds("delaySeconds"), Due: f.time("due"),
	}
	if retry.Backoff = retry.Delay; f.has("backoffSeconds") {
		retry.Backoff = f.seconds("backoffSeconds")
	}
	return retry
}

func (d *decoder) caught(b int, f *fields, e *engine.Event) engine.Detail {
	return &engine.CatchDetail{Failure: d.failure(b, f, e), Catcher: int(f.number("catcher", maxPlace)), Next: f.text("next")}
}

func (d *decoder) exit(_ int, f *fields, _ *engine.Event) engine.Detail {
	exit := &engine.ExitDetail{Next: f.text("next"), Rule: -1}
	if f.has("rule") {
		exit.Rule = int(f.number("rule", maxPlace))
	}
	return exit
}

func (d *decoder) thread(b int, f *fields, e *engine.Event) engine.Detail {
	thread := &engine.ThreadDetail{Thread: e.Thread, Index: int(f.number("index", maxPlace))}
	if f.has("child") { // of version 1
		thread.Thread = engine.ThreadID(f.number("child", e.Seq))
	}
	if f.has("in") {
		thread.Visit = d.visitNamed(b, f, "in", e.Seq)
	}
	return thread
}

func (d *decoder) request(_ int, f *fields, e *engine.Event) engine.Detail {
	resource := f.text("resource")
	return &engine.TaskRequest{
		ID: f.integer("request"), Thread: e.Thread, Visit: e.Visit, Resource: resource, Parameters: e.After,
		Attempt: int(f.number("attempt", maxPlace)), Invocation: int(f.number("invocation", maxPlace)),
		Timeout: f.seconds("timeoutSeconds"), Heartbeat: f.seconds("heartbeatSeconds"), TimeoutSet: f.boolean("timeoutSet"),
		Credentials: d.value(f, "credentials"), Integration: engine.IntegrationOf(resource),
	}
}

// visitNamed returns the visit of another state that event seq names under key.
func (d *decoder) visitNamed(b int, f *fields, key string, seq int64) *engine.Visit {
	v, err := d.visitAt(b, f.text(key), f.number(key+enteredSuffix, seq-1), seq)
	if err != nil && f.fault == "" {
		f.fault = err.Error()
	}
	return v
}

func (d *decoder) failure(b int, f *fields, e *engine.Event) *engine.Failure {
	origin := e.Visit
	if f.has("origin") {
		origin = d.visitNamed(b, f, "origin", e.Seq)
	}
	return engine.RecordedFailure(f.text("error"), f.text("cause"), f.text("field"), origin)
}

// visit returns the visit that an event belongs to.
func (d *decoder) visit(b int, f *fields, e *engine.Event) (*engine.Visit, error) {
	path := f.text("state")
	if e.Type != engine.StateEntered {
		return d.visitAt(b, path, f.number("entered", e.Seq-1), e.Seq)
	}
	if entered := f.integer("entered"); entered != e.Seq && f.fault == "" {
		return nil, fmt.Errorf("has an entry into a state under %q %d, and %d was expected", "entered", entered, e.Seq)
	}
	key := visitKey{d.t.owner(b, e.Seq), e.Seq}
	if known, ok := d.visits.get(key); ok {
		return known.visit, nil
	}
	at, known := d.t.locate(path)
	if !known {
		return nil, noState(path)
	}
	v := &engine.Visit{
		State: at.state, Index: at.index, Entered: e.Seq,
		Thread: e.Thread, Number: int(f.number("visit", maxPlace)), HistoryID: f.history(),
	}
	if at.parent != "" {
		parent, err := d.visitAt(b, at.parent, f.number("parent", e.Seq-1), e.Seq)
		if err != nil {
			return nil, err
		}
		v.Parent = parent
	}
	if f.fault != "" {
		return nil, errors.New(f.fault)
	}
	d.visits.set(key, visited{v, path})
	return v, nil
}

// history returns the id of a StateEntered event in Step Functions' history.
func (f *fields) history() int64 {
	if f.has("history") { // of version 1
		return f.integer("history")
	}
	return f.integer("historyId")
}

// visited is a visit with its state path.
type visited struct {
	visit *engine.Visit
	path  string
}

// visitAt returns the visit of the state at path that began with event entered, which event seq names. Where that event
// cannot be read, the visit has only the path.
func (d *decoder) visitAt(b int, path string, entered, seq int64) (*engine.Visit, error) {
	wrong := func(found string) error {
		return fmt.Errorf("names event %d as the entry into %q, and it is not: %s", entered, clip(path), found)
	}
	if entered < 1 || entered >= seq {
		return nil, wrong("an entry comes before the line that names it")
	}
	key := visitKey{d.t.owner(b, entered), entered}
	if known, ok := d.visits.get(key); ok {
		if known.path != path {
			return nil, wrong(fmt.Sprintf("that is the entry into %q", clip(known.path)))
		}
		return known.visit, nil
	}
	if line, _, err := d.t.eventLine(b, entered); err == nil {
		if f, err := d.fields(line); err == nil {
			defer d.done(f)
			kind, known := engine.ParseEventType(f.text("type"))
			event := &engine.Event{Seq: entered, Type: kind, Thread: engine.ThreadID(f.number("thread", entered))}
			switch {
			case kind == engine.StateEntered && f.text("state") == path:
				if v, err := d.visit(b, f, event); err == nil {
					return v, nil
				}
			case known && f.fault == "":
				return nil, wrong(fmt.Sprintf("that is %s %s", kind, clip(f.text("state"))))
			}
		}
	}
	return d.lostVisit(path, entered)
}

func noState(path string) error {
	return fmt.Errorf("is about the state %q, which the definition does not have", clip(path))
}

// lostVisit returns a visit made of a path.
func (d *decoder) lostVisit(path string, entered int64) (*engine.Visit, error) {
	key := lostKey{path, entered}
	if known, ok := d.lost.get(key); ok {
		return known, nil
	}
	at, known := d.t.locate(path)
	if !known {
		return nil, noState(path)
	}
	v := &engine.Visit{State: at.state, Index: at.index, Entered: entered, Number: 1}
	if at.parent != "" {
		var err error
		if v.Parent, err = d.lostVisit(at.parent, max(entered-1, 1)); err != nil {
			return nil, err
		}
	}
	d.lost.set(key, v)
	return v, nil
}

// lostKey names a visit whose entry cannot be read.
type lostKey struct {
	path    string
	entered int64
}
