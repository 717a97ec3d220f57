package recorder

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
	"asldb.dev/asldb/engine/items"
	"asldb.dev/asldb/engine/value"
)

// decoder makes events and values of lines.
type decoder struct {
	t      *Trace
	types  map[string]engine.EventType
	stages map[string]engine.Stage
	visits recent[visitKey, *engine.Visit]
	values recent[int64, value.Value]
	places recent[string, located]
	made   map[string]*asl.State // by their paths, where there is no definition
	large  int64                 // the newest value that is too large for values
	newest value.Value
	fault  error // of a value
}

// visitKey names a visit: the branch that has its StateEntered event, and the number of that.
type visitKey struct {
	branch  int
	entered int64
}

func (d *decoder) init(t *Trace) {
	d.t = t
	d.values.limit = keptValues
	d.types, d.stages = make(map[string]engine.EventType), make(map[string]engine.Stage)
	for kind := engine.EventType(1); !strings.HasPrefix(kind.String(), "EventType("); kind++ {
		d.types[kind.String()] = kind
	}
	for stage := engine.StageInput; !strings.HasPrefix(stage.String(), "Stage("); stage++ {
		d.stages[stage.String()] = stage
	}
	// As JSONata has them: see engine.Event.StageName.
	d.stages["Arguments"], d.stages["Items"], d.stages["Output"] = engine.StageParameters, engine.StageItemsPath, engine.StageOutputPath
}

// LineError says what is wrong with a line of a trace that was asked for.
type LineError struct {
	Line int64 // from 1; 0 where it is missing
	Msg  string
}

// Error implements error.
func (e *LineError) Error() string {
	if e.Line == 0 {
		return "the trace " + e.Msg
	}
	return fmt.Sprintf("line %d of the trace %s", e.Line, e.Msg)
}

// value returns the value of a member: what stands there, or the line that is named there.
func (d *decoder) value(f *fields, key string) value.Value {
	if v := f.get(key); v != nil {
		return v
	}
	if !f.has(key + valueSuffix) {
		return nil
	}
	v, err := d.valueOf(f.integer(key+valueSuffix), 0)
	if err != nil && d.fault == nil {
		d.fault = err
	}
	return v
}

// maxDepthOfValues bounds how many lines of values a damaged trace can make one refer to.
const maxDepthOfValues = 4 * maxChain

// valueOf returns the value of that number.
func (d *decoder) valueOf(id int64, depth int) (value.Value, error) {
	if id == 0 {
		if d.t.header.Input == nil {
			return nil, &LineError{Msg: "has no input, and value 0 is asked for"}
		}
		return d.t.header.Input, nil
	}
	if v, ok := d.values.get(id); ok {
		return v, nil
	}
	if id == d.large {
		return d.newest, nil
	}
	if depth > maxDepthOfValues {
		return nil, &LineError{Msg: fmt.Sprintf("has a value, %d, that leads through too many others", id)}
	}
	line, number, err := d.t.findLine(valueStart, id, d.t.chunkOfValue(id))
	if err != nil {
		return nil, err
	}
	v, err := d.readValue(line, depth)
	if err != nil {
		var inner *LineError
		if errors.As(err, &inner) {
			return nil, err
		}
		return nil, &LineError{Line: number, Msg: err.Error()}
	}
	if len(line) <= maxKept {
		d.values.set(id, v)
	} else {
		d.large, d.newest = id, v
	}
	return v, nil
}

// readValue decodes the line of a value.
func (d *decoder) readValue(line []byte, depth int) (value.Value, error) {
	f, err := fieldsOf(line)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	v := f.get("is")
	if f.has("from") {
		base, err := d.valueOf(f.integer("from"), depth+1)
		if err != nil {
			return nil, err
		}
		v = base
		if part, ok := f.get("part").(*value.Array); ok {
			if v = lookup(base, part); v == nil {
				return nil, fmt.Errorf("names a part that value %d does not have: %s", f.integer("from"), value.Preview(part, 80))
			}
		}
		if set, ok := f.get("set").(*value.Object); ok {
			at, _ := f.get("at").(*value.Array)
			if v, err = change(base, at, set); err != nil {
				return nil, err
			}
		}
	}
	if f.fault != "" {
		return nil, errors.New(f.fault)
	}
	if v == nil {
		return nil, errors.New(`has no value: "is" or "from" was expected`)
	}
	put, _ := f.get("put").(*value.Array)
	if put == nil {
		return v, nil
	}
	return d.fill(v, put, depth)
}

// fill puts values into the holes of another.
func (d *decoder) fill(v value.Value, put *value.Array, depth int) (value.Value, error) {
	for _, item := range put.All() {
		entry, _ := item.(*value.Array)
		if entry == nil || entry.Len() < 2 {
			return nil, fmt.Errorf(`has under "put" %s, and a path with a number was expected`, value.Preview(item, 60))
		}
		at, _ := entry.At(0).(*value.Array)
		number, _ := entry.At(1).(value.Number)
		id, whole := number.Int64()
		if at == nil || !whole {
			return nil, fmt.Errorf(`has under "put" %s, and a path with a number was expected`, value.Preview(item, 60))
		}
		filling, err := d.valueOf(id, depth+1)
		if err != nil {
			return nil, err
		}
		if entry.Len() > 2 {
			part, _ := entry.At(2).(*value.Array)
			if filling = lookup(filling, part); filling == nil {
				return nil, fmt.Errorf(`has under "put" a part that value %d does not have`, id)
			}
		}
		if v, err = replaceAt(v, at, 0, func(value.Value) (value.Value, error) { return filling, nil }); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// lookup follows a path of keys and indexes; it returns nil where there is nothing.
func lookup(v value.Value, path *value.Array) value.Value {
	if path == nil {
		return nil
	}
	for _, s := range path.All() {
		switch c := v.(type) {
		case *value.Object:
			key, _ := s.(value.String)
			v = c.Get(string(key))
		case *value.Array:
			number, _ := s.(value.Number)
			index, ok := number.Int64()
			if !ok || index < 0 || index >= int64(c.Len()) {
				return nil
			}
			v = c.At(int(index))
		default:
			return nil
		}
	}
	return v
}

// change sets members of the object that path leads to.
func change(v value.Value, path *value.Array, set *value.Object) (value.Value, error) {
	return replaceAt(v, path, 0, func(v value.Value) (value.Value, error) {
		object, ok := v.(*value.Object)
		if !ok {
			return nil, fmt.Errorf("sets members of %s", value.KindOf(v))
		}
		for key, member := range set.All() {
			object = object.With(key, member)
		}
		return object, nil
	})
}

// replaceAt returns v with what path leads to, from step i on, replaced.
func replaceAt(v value.Value, path *value.Array, i int, replace func(value.Value) (value.Value, error)) (value.Value, error) {
	if path == nil || i == path.Len() {
		return replace(v)
	}
	switch c := v.(type) {
	case *value.Object:
		key, _ := path.At(i).(value.String)
		if member := c.Get(string(key)); member != nil {
			replaced, err := replaceAt(member, path, i+1, replace)
			if err != nil {
				return nil, err
			}
			return c.With(string(key), replaced), nil
		}
	case *value.Array:
		number, _ := path.At(i).(value.Number)
		if index, ok := number.Int64(); ok && index >= 0 && index < int64(c.Len()) {
			replaced, err := replaceAt(c.At(int(index)), path, i+1, replace)
			if err != nil {
				return nil, err
			}
			return c.With(int(index), replaced), nil
		}
	}
	return nil, fmt.Errorf("changes a place that is not there: %s", value.Preview(path, 80))
}

// chunkOfValue returns the chunk that has a value if any has.
func (t *Trace) chunkOfValue(id int64) int {
	return sort.Search(len(t.chunks), func(i int) bool { return t.chunks[i].value > id }) - 1
}

// findLine returns the line of a chunk that begins with start and a number, and the number of that line in the trace.
func (t *Trace) findLine(start string, number int64, chunk int) ([]byte, int64, error) {
	what := strings.Trim(start, `{":`)
	if what == "seq" {
		what = "event"
	}
	if chunk < 0 {
		return nil, 0, &LineError{Msg: fmt.Sprintf("has no %s %d", what, number)}
	}
	l, err := t.chunkLines(chunk)
	if err != nil {
		return nil, 0, err
	}
	prefix := strconv.AppendInt(append(make([]byte, 0, 48), start...), number, 10)
	first := 0 // lines are mostly asked for in a row
	if t.found.chunk == chunk {
		first = t.found.line + 1
	}
	for n := range l.len() {
		i := (first + n) % l.len()
		line := l.at(i)
		if len(line) > len(prefix) && string(line[:len(prefix)]) == string(prefix) && (line[len(prefix)] == ',' || line[len(prefix)] == '}') {
			t.found.chunk, t.found.line = chunk, i
			return line, t.chunks[chunk].line + int64(i) + 1, nil
		}
	}
	return nil, 0, &LineError{Msg: fmt.Sprintf("has no %s %d: its line is damaged or missing", what, number)}
}

// readEvent decodes the line of an event of a branch.
func (d *decoder) readEvent(b int, line []byte) (*engine.Event, error) {
	f, err := fieldsOf(line)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	kind, known := d.types[f.text("type")]
	if !known {
		return nil, fmt.Errorf("has an event of the type %q, which is not known", clip(f.text("type")))
	}
	e := &engine.Event{
		Seq: f.integer("seq"), Time: f.time("time").UnixNano(), Type: kind, Thread: engine.ThreadID(f.integer("thread")), Stage: d.stages[f.text("stage")],
	}
	if f.has("state") {
		if e.Visit, err = d.visit(b, f, e); err != nil {
			return nil, err
		}
	}
	e.Before, e.After = d.value(f, "before"), d.value(f, "after")
	e.Detail = d.detail(b, f, e)
	if fault := d.fault; fault != nil {
		d.fault = nil
		return nil, fault
	}
	if f.fault != "" {
		return nil, errors.New(f.fault)
	}
	return e, nil
}

// detail makes what only one type of event has.
func (d *decoder) detail(b int, f *fields, e *engine.Event) engine.Detail {
	has := f.has
	switch {
	case e.Type == engine.StateExited:
		exit := &engine.ExitDetail{Next: f.text("next"), Rule: -1}
		if has("rule") {
			exit.Rule = int(f.integer("rule"))
		}
		return exit
	case has("retrier"):
		return &engine.RetryDetail{
			Failure: d.failure(b, f, e), Retrier: int(f.integer("retrier")), Attempt: f.integer("attempt"),
			Delay: f.seconds("delaySeconds"), Backoff: f.seconds("backoffSeconds"), Due: f.time("due"),
		}
	case has("catcher"):
		return &engine.CatchDetail{Failure: d.failure(b, f, e), Catcher: int(f.integer("catcher")), Next: f.text("next")}
	case has("error"):
		return d.failure(b, f, e)
	case has("resource"):
		return d.request(f, e)
	case has("action"):
		return &engine.ObjectRequest{
			ID: f.integer("request"), Thread: e.Thread, Visit: e.Visit, Parameters: e.Before,
			Object: items.Object{Action: items.Action(f.text("action")), Bucket: f.text("bucket"), Key: f.text("key")},
		}
	case has("until"):
		return &engine.WaitDetail{Until: f.time("until")}
	case has("length"):
		return &engine.StartDetail{Length: int(f.integer("length")), MaxConcurrency: int(f.integer("maxConcurrency"))}
	case has("mapRunArn"):
		return &engine.MapRunDetail{Arn: f.text("mapRunArn")}
	case has("child"):
		thread := &engine.ThreadDetail{Thread: engine.ThreadID(f.integer("child")), Index: int(f.integer("index"))}
		if has("in") {
			thread.Visit = d.visitAt(b, f.text("in"), f.integer("in"+enteredSuffix))
		}
		return thread
	case has("assigned"), has("assigned" + valueSuffix):
		assigned, _ := d.value(f, "assigned").(*value.Object)
		return &engine.AssignDetail{Assigned: assigned}
	}
	return nil
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
		origin = d.visitAt(b, f.text("origin"), f.integer("origin"+enteredSuffix))
	}
	return engine.RecordedFailure(f.text("error"), f.text("cause"), f.text("field"), origin)
}

// visit returns the visit that an event belongs to.
func (d *decoder) visit(b int, f *fields, e *engine.Event) (*engine.Visit, error) {
	entered := f.integer("entered")
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
		v.Parent = d.visitAt(b, at.parent, f.integer("parent"))
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
				event := &engine.Event{Type: d.types[f.text("type")], Thread: engine.ThreadID(f.integer("thread"))}
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
