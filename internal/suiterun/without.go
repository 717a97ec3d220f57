package suiterun

import (
	"asldb/engine/path"
	"asldb/engine/value"
)

// Without returns a value without those at a path of names, indexes, wildcards and descents. Items of arrays become
// null, so that the others keep their places.
func Without(v value.Value, p *path.Path) value.Value {
	segments := make([]path.Segment, 0, p.Len())
	for i := range p.Len() {
		segments = append(segments, p.Segment(i))
	}
	if len(segments) == 0 {
		return value.Null{}
	}
	return without(v, segments)
}

// without leaves out the values at the segments below v.
func without(v value.Value, segments []path.Segment) value.Value {
	if segments[0].Kind == path.DescentSegment {
		rest := segments[1:]
		return every(without(v, rest), func(string, int) bool { return true }, func(member value.Value) value.Value { return without(member, segments) })
	}
	fits := func(name string, index int) bool {
		switch s := segments[0]; s.Kind {
		case path.NameSegment:
			return index < 0 && name == s.Name
		case path.IndexSegment:
			return index == s.Index
		case path.WildcardSegment:
			return true
		default:
			return false
		}
	}
	if len(segments) == 1 {
		return every(v, fits, func(value.Value) value.Value { return nil })
	}
	return every(v, fits, func(member value.Value) value.Value { return without(member, segments[1:]) })
}

// every returns a value with change applied to the members and items that fit. A member that becomes nil is left out;
// an item becomes null.
func every(v value.Value, fits func(name string, index int) bool, change func(value.Value) value.Value) value.Value {
	switch v := v.(type) {
	case *value.Object:
		members := make([]value.Member, 0, v.Len())
		for key, member := range v.All() {
			if fits(key, -1) {
				member = change(member)
			}
			if member != nil {
				members = append(members, value.Member{Key: key, Value: member})
			}
		}
		return value.NewObject(members)
	case *value.Array:
		items := make([]value.Value, 0, v.Len())
		for i := range v.Len() {
			item := v.At(i)
			if fits("", i) {
				item = change(item)
			}
			if item == nil {
				item = value.Null{}
			}
			items = append(items, item)
		}
		return value.NewArray(items)
	}
	return v
}
