package explore

import (
	"cmp"
	"math"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// maxTries is the number of entries that are compared one by one.
const maxTries = 16

// meets reports whether the rest of a run is as in its base: it enters the same state with the same data, but for
// such as nothing behind reads.
func (d *driver) meets(e *engine.Execution, s *setting, changes []*Change) *mark {
	t := s.trail
	event := d.enters()
	if event == nil || t == nil || !t.open || len(d.hits) == 0 {
		return nil
	}
	list := t.number[event.Visit.State]
	if event.Visit.Number > len(list) {
		return nil
	}
	i := list[event.Visit.Number-1]
	m := &t.marks[i]
	history := int(event.HistoryID) + t.id - m.id
	if limit := s.options.Limits.History; limit > 0 && history >= limit-2 || d.length()+t.events-m.event >= maxEvents {
		return nil
	}
	if d.tries++; d.tries > maxTries && d.tries&(d.tries-1) != 0 { // most runs meet their base soon, or never
		return nil
	}
	bounded := s.machine.Timeout(s.options.Express) > 0
	if t.retry > m.event || t.random >= i || event.Time != m.time && (t.timed >= i || bounded) {
		return nil
	}
	same := value.Equal(orEmpty(e.Variables(event.Thread)), orEmpty(m.variables))
	if !same || !d.over(t, m, changes) || !t.alike(i, event.After, t.room(s)) {
		return nil
	}
	return m
}

func orEmpty(o *value.Object) value.Value {
	if o == nil {
		return value.ObjectOf()
	}
	return o
}

// over reports whether no change can come up any more, and the sources answer all that comes as they did in the base.
func (d *driver) over(t *trail, m *mark, changes []*Change) bool {
	for _, c := range changes {
		if c.Kind == Input && t.takesInput || c.Kind == Edited && t.lastEntry[c.State] >= m.event {
			return false
		}
		if task := c.task(); task != nil && t.lastAsk[task] > m.event {
			return false
		}
	}
	if t.steady {
		return d.missing == nil
	}
	later := func(s *asl.State) bool { return t.lastUse[s] > m.event }
	from := 0
	if d.begun != nil {
		from = d.begun.asks
	}
	for i := from; i < m.asks; i++ { // the run may have left these out
		if later(t.asks[i].request.Visit.State) {
			return false
		}
	}
	for i := range d.events {
		if e := &d.events[i]; e.Type == engine.TaskScheduled && later(e.Visit.State) {
			return false
		}
	}
	return d.missing == nil
}

// alike reports whether data differ from those at a mark only in members that no state from there on reads, and that
// are not larger than the room which the largest data leave, in bytes.
func (t *trail) alike(i int, data value.Value, room int) bool {
	a, b := t.marks[i].data, data
	last := i == len(t.marks)-1 && t.marks[i].visit.State.Type == asl.Succeed
	if a == b || i > t.lastRead && (last || value.Size(b) < room) {
		return true
	}
	one, ok := a.(*value.Object)
	other, same := b.(*value.Object)
	if !ok || !same {
		return value.Equal(a, b)
	}
	if t.read(i, "") < len(t.marks) && one.Len() != other.Len() { // all members are read
		return false
	}
	return !unlike(one, other, func(name string, v value.Value) bool {
		room -= inJSON(name, v)
		return room < 0 || t.read(i, name) < len(t.marks)
	})
}

// room returns how many bytes the largest data leave up to the quota.
func (t *trail) room(s *setting) int {
	return cmp.Or(s.options.Limits.Payload, math.MaxInt) - t.largest - 1
}

// inJSON returns how large a member may be in JSON, 0 where there is none.
func inJSON(name string, v value.Value) int {
	if v == nil {
		return 0
	}
	return value.Size(v) + 6*len(name) + 4
}

// unlike calls matters for the members that only one of two objects has, or that have other values, with the value in b
// or nil; it reports whether one matters. Most members are in the same places, or a few places further on.
func unlike(a, b *value.Object, matters func(name string, v value.Value) bool) bool {
	var alone []value.Member         // of a
	rest := map[string]value.Value{} // of b
	for i, k := 0, 0; i < a.Len() || k < b.Len(); {
		if i < a.Len() && k < b.Len() && a.At(i).Key == b.At(k).Key {
			x, y := a.At(i), b.At(k).Value
			if !identical(x.Value, y) && !value.Equal(x.Value, y) && matters(x.Key, y) {
				return true
			}
			i, k = i+1, k+1
		} else if k == b.Len() || isAhead(a, i, b, k) {
			alone = append(alone, a.At(i))
			i++
		} else {
			rest[b.At(k).Key] = b.At(k).Value
			k++
		}
	}
	for _, m := range alone {
		if v := rest[m.Key]; (v == nil || !value.Equal(m.Value, v)) && matters(m.Key, v) {
			return true
		}
		delete(rest, m.Key)
	}
	for name, v := range rest {
		if matters(name, v) {
			return true
		}
	}
	return false
}

// maxAhead is how far members of two objects are looked for next to each other.
const maxAhead = 8

// isAhead reports whether member k of b is among the next ones of a, and before it member i of a is not among the next
// ones of b.
func isAhead(a *value.Object, i int, b *value.Object, k int) bool {
	for n := 1; n < maxAhead; n++ {
		if i+n < a.Len() && a.At(i+n).Key == b.At(k).Key {
			return true
		}
		if i < a.Len() && k+n < b.Len() && a.At(i).Key == b.At(k+n).Key {
			break
		}
	}
	return false
}

// identical reports whether two values are one; it may be false of equal ones.
func identical(a, b value.Value) bool {
	switch a.(type) {
	case *value.Object, *value.Array:
		return a == b
	}
	return value.Equal(a, b)
}
