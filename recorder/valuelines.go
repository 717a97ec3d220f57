package recorder

import (
	"cmp"
	"hash/maphash"
	"strconv"

	"asldb/engine/value"
)

// Bounds of the values that a trace writes once.
const (
	// largeValue is the size, in bytes of compact JSON, from which a value gets its own line. It is
	// estimated: strings are taken without their escapes.
	largeValue = 256
	// largePart is the size from which a part of a large value is recognized where it is alone.
	largePart = 1024
	// maxChain is how many lines a value may refer to, one through the other, so that reading one
	// never means reading all that came before.
	maxChain = 16
	// remembered is how many values are known again at least; twice as many at most.
	remembered = 8192
)

// valueLine is a line that holds a value. chain is how many lines have to be read for it, one through the other.
type valueLine struct {
	id    int64
	chain int
}

// known says where a value is in the trace: in a line, whole or as the part that path leads to.
type known struct {
	line *valueLine
	path []step
}

// step is one step of the path to a part: a member's key, or an item's index where key is nil.
type step struct {
	key   *string
	index int
}

func appendSteps(dst []byte, path []step) []byte {
	dst = append(dst, '[')
	for i, s := range path {
		if i > 0 {
			dst = append(dst, ',')
		}
		if s.key != nil {
			dst = value.AppendQuoted(dst, *s.key)
		} else {
			dst = strconv.AppendInt(dst, int64(s.index), 10)
		}
	}
	return append(dst, ']')
}

// recent remembers the newest entries of a map, limit of them at least (0: as many as remembered says) and twice
// as many at most, and forgets older ones.
type recent[K comparable, V any] struct {
	young, old map[K]V
	limit      int
}

func (r *recent[K, V]) get(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.set(key, v)
	}
	return v, ok
}

func (r *recent[K, V]) set(key K, v V) {
	if r.young == nil {
		r.young = make(map[K]V)
	}
	limit := cmp.Or(r.limit, remembered)
	if len(r.young) >= limit {
		r.young, r.old = make(map[K]V), r.young
	}
	r.young[key] = v
}

// digest distinguishes values by their content. It is made of two seeded hashes of 64 bits, and never leaves
// the process.
type digest [2]uint64

// valueLines writes large values, each of them once.
type valueLines struct {
	next    int64
	objects recent[*value.Object, known]
	arrays  recent[*value.Array, known]
	equal   recent[digest, *valueLine]
	seeds   [2]maphash.Seed

	// newest are the values that were asked for last: events in a row have the same again and again.
	newest [4]struct {
		v    value.Value
		line int64
	}
	turn int

	path  []step // to the value that is being written
	holes []hole
	text  []byte // of the line
}

// hole is a place of a value where another one belongs that is known already.
type hole struct {
	at []step
	is known
}

func newValueLines() *valueLines {
	return &valueLines{next: 1, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
}

// line returns the number of the line that holds v. Where v is new it appends that line to dst. base is a value
// that v may have been made from, or nil. A small value has no line: inline.
func (l *valueLines) line(dst []byte, v, base value.Value) ([]byte, int64) {
	switch v.(type) {
	case *value.Object, *value.Array:
	case value.String:
		return l.fresh(dst, v, nil)
	default:
		return dst, inline
	}
	for i := range l.newest {
		if l.newest[i].v == v {
			return dst, l.newest[i].line
		}
	}
	dst, line := l.fresh(dst, v, base)
	l.newest[l.turn].v, l.newest[l.turn].line = v, line
	l.turn = (l.turn + 1) % len(l.newest)
	return dst, line
}

// fresh is line for a value that is none of the newest.
func (l *valueLines) fresh(dst []byte, v, base value.Value) ([]byte, int64) {
	if !atLeast(v, largeValue) {
		return dst, inline
	}
	if at, ok := l.find(v); ok {
		if len(at.path) == 0 {
			return dst, at.line.id
		}
		if at.line.chain < maxChain {
			line := l.begin(at.line.chain + 1)
			dst = strconv.AppendInt(append(line.append(dst), `,"from":`...), at.line.id, 10)
			dst = appendSteps(append(dst, `,"part":`...), at.path)
			l.remember(v, known{line: line})
			return append(dst, '}', '\n'), line.id
		}
	}
	if from, ok := l.find(base); ok && len(from.path) == 0 && from.line.chain < maxChain {
		if c, ok := changesOf(base, v); ok {
			return l.writeChange(dst, v, from.line, &c)
		}
	}
	return l.writeWhole(dst, v)
}

// begin gives the next line its number.
func (l *valueLines) begin(chain int) *valueLine {
	l.next++
	return &valueLine{id: l.next - 1, chain: chain}
}

func (line *valueLine) append(dst []byte) []byte {
	return strconv.AppendInt(append(dst, `{"value":`...), line.id, 10)
}

func (l *valueLines) writeWhole(dst []byte, v value.Value) ([]byte, int64) {
	line := &valueLine{}
	l.path, l.holes = l.path[:0], l.holes[:0]
	l.text = l.append(l.text[:0], v, line, true)
	l.remember(v, known{line: line})
	if len(l.holes) == 0 {
		sum := digest{maphash.Bytes(l.seeds[0], l.text), maphash.Bytes(l.seeds[1], l.text)}
		if at, ok := l.equal.get(sum); ok {
			*line = *at // an equal value has a line already, and its parts have the same paths
			return dst, at.id
		}
		l.equal.set(sum, line)
	}
	*line = *l.begin(l.deepest() + 1)
	dst = append(append(line.append(dst), `,"is":`...), l.text...)
	return append(l.appendHoles(dst), '}', '\n'), line.id
}

// writeChange writes v as its difference from the value at from.
func (l *valueLines) writeChange(dst []byte, v value.Value, from *valueLine, c *changes) ([]byte, int64) {
	line := l.begin(0)
	dst = strconv.AppendInt(append(line.append(dst), `,"from":`...), from.id, 10)
	if len(c.at) > 0 {
		dst = appendSteps(append(dst, `,"at":`...), c.at)
	}
	dst = append(dst, `,"set":{`...)
	l.path, l.holes = append(l.path[:0], c.at...), l.holes[:0]
	for i := range c.set {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(value.AppendQuoted(dst, c.set[i].Key), ':')
		l.path = append(l.path, step{key: &c.set[i].Key})
		dst = l.append(dst, c.set[i].Value, line, false)
		l.path = l.path[:len(l.path)-1]
	}
	dst = l.appendHoles(append(dst, '}'))
	line.chain = max(from.chain, l.deepest()) + 1
	l.remember(v, known{line: line})
	return append(dst, '}', '\n'), line.id
}

// deepest is the longest chain among the holes.
func (l *valueLines) deepest() int {
	chain := 0
	for i := range l.holes {
		chain = max(chain, l.holes[i].is.line.chain)
	}
	return chain
}

// appendHoles writes the values of the holes: [[path to the hole, line], [path, line, path to the part], …].
func (l *valueLines) appendHoles(dst []byte) []byte {
	if len(l.holes) == 0 {
		return dst
	}
	dst = append(dst, `,"put":[`...)
	for i := range l.holes {
		if i > 0 {
			dst = append(dst, ',')
		}
		h := &l.holes[i]
		dst = appendSteps(append(dst, '['), h.at)
		dst = strconv.AppendInt(append(dst, ','), h.is.line.id, 10)
		if len(h.is.path) > 0 {
			dst = appendSteps(append(dst, ','), h.is.path)
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// append writes v, which is at l.path in the line. Large parts that are known already leave a hole, and
// those that are not are known from now on.
func (l *valueLines) append(dst []byte, v value.Value, line *valueLine, whole bool) []byte {
	if !whole {
		if at, ok := l.find(v); ok && at.line != line && at.line.chain < maxChain && atLeast(v, largeValue) {
			l.holes = append(l.holes, hole{at: append([]step(nil), l.path...), is: at})
			return append(dst, "null"...)
		}
	}
	start := len(dst)
	switch v := v.(type) {
	case *value.Array:
		dst = append(dst, '[')
		for i, item := range v.All() {
			if i > 0 {
				dst = append(dst, ',')
			}
			l.path = append(l.path, step{index: i})
			dst = l.append(dst, item, line, false)
			l.path = l.path[:len(l.path)-1]
		}
		dst = append(dst, ']')
	case *value.Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			member := v.At(i)
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(value.AppendQuoted(dst, member.Key), ':')
			l.path = append(l.path, step{key: &member.Key})
			dst = l.append(dst, member.Value, line, false)
			l.path = l.path[:len(l.path)-1]
		}
		dst = append(dst, '}')
	default:
		return value.Append(dst, v)
	}
	if !whole && len(dst)-start >= largePart {
		l.remember(v, known{line: line, path: append([]step(nil), l.path...)})
	}
	return dst
}

func (l *valueLines) find(v value.Value) (at known, ok bool) {
	switch v := v.(type) {
	case *value.Object:
		return l.objects.get(v)
	case *value.Array:
		return l.arrays.get(v)
	}
	return known{}, false
}

func (l *valueLines) remember(v value.Value, at known) {
	switch v := v.(type) {
	case *value.Object:
		if v.Len() > 0 {
			l.objects.set(v, at)
		}
	case *value.Array:
		if v.Len() > 0 {
			l.arrays.set(v, at)
		}
	}
}

// atLeast reports whether v has about size bytes or more as compact JSON. It reads no more of v than it has to.
func atLeast(v value.Value, size int) bool { return spend(v, size) <= 0 }

// spend returns the rest of budget bytes after v; at 0 or below it stops.
func spend(v value.Value, budget int) int {
	switch v := v.(type) {
	case value.String:
		return budget - len(v) - 2
	case value.Number:
		return budget - len(v.Text())
	case *value.Array:
		for i := 0; i < v.Len() && budget > 0; i++ {
			budget = spend(v.At(i), budget-1)
		}
		return budget - 1
	case *value.Object:
		for i := 0; i < v.Len() && budget > 0; i++ {
			member := v.At(i)
			budget = spend(member.Value, budget-len(member.Key)-4)
		}
		return budget - 1
	}
	return budget - 4
}

// changes are the members that make one object of another: the members of the object that the keys of at lead to.
type changes struct {
	at  []step
	set []value.Member
}

// changesOf compares two objects by identity. ok is false where writing the whole of after isn't worse.
func changesOf(before, after value.Value) (c changes, ok bool) {
	a, okA := before.(*value.Object)
	b, okB := after.(*value.Object)
	if !okA || !okB || b.Len() < a.Len() {
		return c, false
	}
	same := 0 // about how many bytes need not be written again, up to a bound
	var was value.Value
	for i := range b.Len() {
		member := b.At(i)
		switch {
		case i >= a.Len():
			c.set, was = append(c.set, member), nil
		case a.At(i).Key != member.Key:
			return c, false
		case !value.Identical(a.At(i).Value, member.Value):
			c.set, was = append(c.set, member), a.At(i).Value
		case same < largeValue:
			same += largeValue - spend(member.Value, largeValue)
		}
	}
	if len(c.set) == 1 && was != nil && atLeast(c.set[0].Value, largeValue) { // perhaps only a part of it changed
		if inner, ok := changesOf(was, c.set[0].Value); ok {
			inner.at = append([]step{{key: &c.set[0].Key}}, inner.at...)
			return inner, true
		}
	}
	return c, same >= largeValue/2
}
