package recorder

import (
	"errors"
	"fmt"
	"sort"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// decoder makes events and values of lines.
type decoder struct {
	t      *Trace
	stages map[string]engine.Stage
	visits recent[visitKey, visited]
	lost   recent[lostKey, *engine.Visit]
	values recent[int64, measured]
	places recent[string, located]
	states map[string]*asl.State // by their paths, where there is no definition
	large  int64                 // the newest value that is too large for values
	newest measured
	fault  error // of a value
	spare  []*fields
	// lenient is called with values that cannot be read, and [Lost] replaces them; nil: they are faults.
	lenient func(error)
}

// visitKey names a visit: the fork that has its StateEntered event, and the number of that.
type visitKey struct {
	fork    int
	entered int64
}

func (d *decoder) init(t *Trace) {
	d.t = t
	d.values.limit = keptValues
	d.stages = Stages()
}

// LineError is about a line of a trace that is needed.
type LineError struct {
	Line    int64 // from 1; 0 where it is missing
	Missing bool  // there is no line of the event or value
	Event   int64 // the event that was asked for, where it is missing
	Msg     string
}

// Error implements error.
func (e *LineError) Error() string {
	if e.Line == 0 {
		return "the trace " + e.Msg
	}
	return fmt.Sprintf("line %d of the trace %s", e.Line, e.Msg)
}

// value returns the value of a member: its own, or the value of the line that it names.
func (d *decoder) value(f *fields, key string) value.Value {
	if v := f.get(key); v != nil {
		return v
	}
	if !f.has(key + valueSuffix) {
		return nil
	}
	v, err := d.valueOf(f.integer(key+valueSuffix), 0)
	switch {
	case err != nil && d.lenient != nil:
		d.lenient(err)
		return value.String(Lost)
	case err != nil && d.fault == nil:
		d.fault = err
	}
	return v.value
}

// measured is a value with how deep it is at most.
type measured struct {
	value value.Value
	depth int
}

// maxDepthOfValues bounds how many lines of values a damaged trace can make one refer to.
const maxDepthOfValues = 4 * maxChain

// valueOf returns the value of that number.
func (d *decoder) valueOf(id int64, depth int) (measured, error) {
	if id == 0 {
		if d.t.header.Input == nil {
			return measured{}, &LineError{Msg: "has no input, and value 0 is asked for"}
		}
		return measured{d.t.header.Input, lineLimits.Depth}, nil
	}
	if v, ok := d.values.get(id); ok {
		return v, nil
	}
	if id == d.large {
		return d.newest, nil
	}
	if depth > maxDepthOfValues {
		return measured{}, &LineError{Msg: fmt.Sprintf("has a value, %d, that leads through too many others", id)}
	}
	line, number, err := d.t.findLine(valueStart, id, d.t.chunkOfValue(id))
	if err != nil {
		return measured{}, err
	}
	v, err := d.readValue(id, line, depth)
	if err == nil {
		v, err = v.bounded()
	}
	if err != nil {
		var inner *LineError
		if errors.As(err, &inner) {
			return measured{}, err
		}
		return measured{}, &LineError{Line: number, Msg: err.Error()}
	}
	if len(line) <= maxKept {
		d.values.set(id, v)
	} else {
		d.large, d.newest = id, v
	}
	return v, nil
}

// bounded returns v, or an error where lines that refer to others have made more of it than a line can hold.
func (v measured) bounded() (measured, error) {
	if size := value.Size(v.value); size > MaxLine {
		return v, fmt.Errorf("makes a value of %d bytes, and at most %d are read", size, MaxLine)
	}
	if v.depth > 2*lineLimits.Depth { // the measure is not exact: a deep part may have been replaced
		if v.depth = depthOf(v.value, 2*lineLimits.Depth); v.depth > lineLimits.Depth {
			return v, fmt.Errorf("makes a value that is nested more than %d times", lineLimits.Depth)
		}
	}
	return v, nil
}

// depthOf returns how deep a value is nested, at most limit and one more.
func depthOf(v value.Value, limit int) int {
	deepest := 0
	if limit < 0 {
		return 0
	}
	switch v := v.(type) {
	case *value.Array:
		for _, item := range v.All() {
			deepest = max(deepest, depthOf(item, limit-1))
		}
	case *value.Object:
		for _, member := range v.All() {
			deepest = max(deepest, depthOf(member, limit-1))
		}
	default:
		return 0
	}
	return deepest + 1
}

// earlier returns the value of a number that the line of value id refers to: values come before the lines that refer to them.
func (d *decoder) earlier(ref, id int64, depth int) (measured, error) {
	if ref >= id {
		return measured{}, fmt.Errorf("refers to value %d, which does not stand before it", ref)
	}
	return d.valueOf(ref, depth+1)
}

// readValue decodes the line of value id.
func (d *decoder) readValue(id int64, line []byte, depth int) (measured, error) {
	f, err := d.fields(line)
	if err != nil {
		return measured{}, fmt.Errorf("is not JSON: %w", err)
	}
	defer d.done(f)
	v := measured{f.get("is"), lineLimits.Depth}
	if f.has("from") {
		if v, err = d.earlier(f.integer("from"), id, depth); err != nil {
			return v, err
		}
		if part, ok := f.get("part").(*value.Array); ok {
			if v.value = lookup(v.value, part); v.value == nil {
				return v, fmt.Errorf("names a part that value %d does not have: %s", f.integer("from"), value.Preview(part, 80))
			}
		}
		if set, ok := f.get("set").(*value.Object); ok {
			at, _ := f.get("at").(*value.Array)
			if v.value, err = change(v.value, at, set); err != nil {
				return v, err
			}
			v.depth = max(v.depth, at.Len()+lineLimits.Depth)
		}
	}
	if f.fault != "" {
		return v, errors.New(f.fault)
	}
	if v.value == nil {
		return v, errors.New(`has no value: "is" or "from" was expected`)
	}
	put, _ := f.get("put").(*value.Array)
	if put == nil {
		return v, nil
	}
	return d.fill(id, v, put, depth)
}

// fill puts values into the holes of another.
func (d *decoder) fill(id int64, v measured, put *value.Array, depth int) (measured, error) {
	for _, item := range put.All() {
		entry, _ := item.(*value.Array)
		if entry == nil || entry.Len() < 2 {
			return v, fmt.Errorf(`has under "put" %s, and a path with a number was expected`, value.Preview(item, 60))
		}
		at, _ := entry.At(0).(*value.Array)
		number, _ := entry.At(1).(value.Number)
		ref, whole := number.Int64()
		if at == nil || !whole {
			return v, fmt.Errorf(`has under "put" %s, and a path with a number was expected`, value.Preview(item, 60))
		}
		filling, err := d.earlier(ref, id, depth)
		if err != nil {
			return v, err
		}
		if entry.Len() > 2 {
			part, _ := entry.At(2).(*value.Array)
			if filling.value = lookup(filling.value, part); filling.value == nil {
				return v, fmt.Errorf(`has under "put" a part that value %d does not have`, ref)
			}
		}
		if v.value, err = replaceAt(v.value, at, 0, func(value.Value) (value.Value, error) { return filling.value, nil }); err != nil {
			return v, err
		}
		v.depth = max(v.depth, at.Len()+filling.depth)
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

// replaceAt returns v with the value at path, from step i on, replaced.
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
	what, event := "value", int64(0)
	if start == seqStart {
		what, event = "event", number
	}
	if chunk < 0 {
		return nil, 0, &LineError{Missing: true, Event: event, Msg: fmt.Sprintf("has no %s %d", what, number)}
	}
	l, err := t.chunkLines(chunk)
	if err != nil {
		return nil, 0, err
	}
	prefix := strconv.AppendInt(append(make([]byte, 0, 48), start...), number, 10)
	first := 0 // lines are mostly asked for in a row, and those that they refer to stand a little before them
	if t.found.chunk == chunk {
		first = min(t.found.line+1, l.len())
	}
	for ahead, back := first, first-1; ahead < l.len() || back >= 0; ahead, back = ahead+1, back-1 {
		for _, i := range [...]int{ahead, back} {
			if i < 0 || i >= l.len() {
				continue
			}
			line := l.at(i)
			if len(line) > len(prefix) && string(line[:len(prefix)]) == string(prefix) && (line[len(prefix)] == ',' || line[len(prefix)] == '}') {
				at := t.chunks[chunk].line + int64(i) + 1
				if t.isPassedOver(at) {
					continue
				}
				t.found.chunk, t.found.line = chunk, i
				return line, at, nil
			}
		}
	}
	return nil, 0, &LineError{Missing: true, Event: event, Msg: fmt.Sprintf("has no %s %d: its line is damaged or missing", what, number)}
}
