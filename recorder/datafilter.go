package recorder

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"asldb/engine/expr"
	"asldb/engine/path"
	"asldb/engine/value"
)

// dataFilter decides a condition by the data of events, whose paths it follows in the bytes of lines: no value is made
// but those that the paths lead to. It is for one goroutine.
type dataFilter struct {
	condition *expr.Expression
	paths     []*path.Path
	found     []pathValue // of an event's line
}

// pathValue is the value that a path leads to, nil for nothing.
type pathValue struct {
	value value.Value
	known bool
}

// newDataFilter returns the filter of a condition; nil where it has no path that lines can decide.
func newDataFilter(x *expr.Expression) *dataFilter {
	if x == nil {
		return nil
	}
	f := &dataFilter{condition: x}
	for _, p := range x.Paths() {
		if followable(p) {
			f.paths = append(f.paths, p)
		}
	}
	if f.paths == nil {
		return nil
	}
	f.found = make([]pathValue, len(f.paths))
	return f
}

// followable reports whether a path goes from the data through names and indexes alone.
func followable(p *path.Path) bool {
	if p.Root() != path.DataRoot || !p.Definite() || p.Len() == 0 {
		return false
	}
	for i := range p.Len() {
		s := p.Segment(i)
		name := s.Kind == path.NameSegment && utf8.ValidString(s.Name) && !strings.ContainsRune(s.Name, utf8.RuneError)
		if !name && (s.Kind != path.IndexSegment || s.Index < 0) {
			return false
		}
	}
	return true
}

// decide returns the verdict where the paths lead to these values.
func (f *dataFilter) decide(found []pathValue) Verdict {
	holds, decided := f.condition.KnownData(func(p *path.Path) (value.Value, bool) {
		for i := range f.paths {
			if f.paths[i] == p {
				return found[i].value, found[i].known
			}
		}
		return nil, false
	})
	switch {
	case !decided:
		return OpenHeads
	case holds:
		return Yes
	}
	return No
}

// event returns the verdict of the rest of an event's line, behind its head. Where its data are in a separate line,
// number is the one of the value; else it is -1.
func (f *dataFilter) event(rest []byte) (number int64, verdict Verdict) {
	var before, after dataMember
	if !eachMember(rest, func(key, raw []byte) bool {
		switch string(key) {
		case "before", "before" + valueSuffix:
			return before.set(key, raw)
		case "after", "after" + valueSuffix:
			return after.set(key, raw)
		}
		return true
	}) {
		return -1, OpenHeads
	}
	data := after
	if data.raw == nil {
		data = before
	}
	switch {
	case data.raw == nil:
		for i := range f.found {
			f.found[i] = pathValue{known: true}
		}
	case data.numbered:
		number, rest, ok := leadingNumber(data.raw)
		if !ok || len(rest) > 0 {
			return -1, OpenHeads
		}
		return number, OpenHeads
	default:
		for i, p := range f.paths {
			f.found[i] = follow(data.raw, p, 0)
		}
	}
	return -1, f.decide(f.found)
}

// dataMember is a member of an event that is there once, as a value or as the number of one.
type dataMember struct {
	raw      []byte
	numbered bool
}

func (m *dataMember) set(key, raw []byte) bool {
	if m.raw != nil {
		return false
	}
	m.raw, m.numbered = raw, bytes.HasSuffix(key, []byte(valueSuffix))
	return true
}

// valueEffect says what the line of a value says about the paths: the values that they lead to, and of the others that
// they lead to what they lead to in the value from; 0: there is none.
type valueEffect struct {
	id, from int64
	found    []pathValue
}

// effect reads the line of a value. Where its bytes do not tell, the effect knows nothing; ok is false for a line that
// has no number.
func (f *dataFilter) effect(line []byte) (e valueEffect, ok bool) {
	var rest []byte
	if e.id, rest, ok = leadingNumber(line[len(valueStart):]); !ok {
		return e, false
	}
	var is, from, at, set []byte
	if !eachMember(rest, func(key, raw []byte) bool {
		var to *[]byte
		switch string(key) {
		case "is":
			to = &is
		case "from":
			to = &from
		case "at":
			to = &at
		case "set":
			to = &set
		default: // put and part lead to other values
			return false
		}
		once := *to == nil
		*to = raw
		return once
	}) || (is == nil) == (from == nil) {
		return e, true
	}
	if is != nil {
		for _, p := range f.paths {
			e.found = append(e.found, follow(is, p, 0))
		}
		return e, true
	}
	number, left, ok := leadingNumber(from)
	if !ok || len(left) > 0 || number >= e.id || number == 0 || set == nil || set[0] != '{' {
		return e, true
	}
	in, ok := names(at)
	if !ok {
		return e, true
	}
	found := make([]pathValue, len(f.paths))
	for i, p := range f.paths {
		if found[i], ok = changed(p, in, set); !ok {
			return e, true
		}
	}
	e.from, e.found = number, found
	return e, true
}

// changed returns the value that a path leads to where the members of set were set in the object at a path of names; it
// is not known where the path leads past that. ok is false where the path leads to the object itself, or around it.
func changed(p *path.Path, at []string, set []byte) (found pathValue, ok bool) {
	for i, name := range at {
		if i >= p.Len() {
			return found, false
		}
		if s := p.Segment(i); s.Kind != path.NameSegment || s.Name != name {
			return found, true
		}
	}
	if len(at) >= p.Len() {
		return found, false
	}
	s := p.Segment(len(at))
	if s.Kind != path.NameSegment {
		return found, true
	}
	raw, ok := memberOf(set, s.Name)
	if !ok || raw == nil {
		return found, ok
	}
	found = follow(raw, p, len(at)+1)
	return found, found.known
}

// names reads a list of names; nil: there is none.
func names(list []byte) (all []string, ok bool) {
	if list == nil {
		return nil, true
	}
	read, err := value.Parse(list, lineLimits)
	array, isArray := read.(*value.Array)
	if err != nil || !isArray {
		return nil, false
	}
	for _, item := range array.All() {
		name, isText := item.(value.String)
		if !isText {
			return nil, false
		}
		all = append(all, string(name))
	}
	return all, true
}

// valueTable knows the values that the paths lead to in the values of a run, by the numbers of these. It is for the
// goroutine that iterates.
type valueTable struct {
	filter *dataFilter
	run    *Run
	known  recent[int64, *pathValues]
}

func newValueTable(filter *dataFilter, run *Run) *valueTable {
	return &valueTable{filter: filter, run: run, known: recent[int64, *pathValues]{limit: keptPathValues}}
}

// pathValues are the values that the paths lead to in one value.
type pathValues struct {
	from    int64 // has those that are not known
	found   []pathValue
	decided bool
	verdict Verdict
}

// add takes note of the lines of values. A number that comes twice is not trusted.
func (t *valueTable) add(list []valueEffect) {
	for _, e := range list {
		if _, twice := t.known.get(e.id); twice || e.found == nil {
			t.known.set(e.id, &pathValues{})
			continue
		}
		t.known.set(e.id, &pathValues{from: e.from, found: e.found})
	}
}

// keptPathValues is how many values are remembered by their paths.
const keptPathValues = 1 << 15

// verdict returns the verdict of an event whose data is the value of a number.
func (t *valueTable) verdict(id int64) Verdict {
	if t.filter == nil {
		return OpenHeads
	}
	v := t.resolve(id, 0)
	if v == nil {
		return OpenHeads
	}
	if !v.decided {
		v.decided, v.verdict = true, t.filter.decide(v.found)
	}
	return v.verdict
}

// resolve returns the values of all paths in the value of a number; nil where it cannot be read.
func (t *valueTable) resolve(id int64, depth int) *pathValues {
	v, ok := t.known.get(id)
	if !ok || v.found == nil || depth > maxDepthOfValues {
		return t.build(id)
	}
	for i := range v.found {
		if v.found[i].known {
			continue
		}
		if v.from == 0 {
			return t.build(id)
		}
		from := t.resolve(v.from, depth+1)
		if from == nil {
			return nil
		}
		v.found[i] = from.found[i]
	}
	return v
}

// build makes the value of a number, and follows the paths in it.
func (t *valueTable) build(id int64) *pathValues {
	t.run.t.mutex.Lock()
	defer t.run.t.mutex.Unlock()
	whole, err := t.run.t.read.valueOf(id, 0)
	if err != nil {
		return nil
	}
	v := &pathValues{found: make([]pathValue, len(t.filter.paths))}
	for i, p := range t.filter.paths {
		// The only error of names and indexes is that nothing is there.
		found, _ := p.Get(&path.Roots{Data: whole.value})
		v.found[i] = pathValue{found, true}
	}
	t.known.set(id, v)
	return v
}
