package suite

import (
	"asldb/engine/console"
	"asldb/engine/value"
)

// Beside returns the wanted value in the form of a found one, so that a difference of the two shows what is not as wanted and
// nothing else: parts that match are the found value's, the others are as they are written. env is as in
// [Value.Compare].
func (v *Value) Beside(found value.Value, env *console.Env) value.Value {
	c := &comparison{exact: v.Exact, env: env}
	return c.wantedBeside(v, found)
}

// wantedBeside returns nil for a value that is to be absent.
func (c *comparison) wantedBeside(want *Value, found value.Value) value.Value {
	if c.matches(want, found) {
		return found
	}
	switch m := want.Match.(type) {
	case Absent:
		return nil
	case Object:
		if object, ok := found.(*value.Object); ok {
			return c.objectBeside(m, object)
		}
	case Array:
		if array, ok := found.(*value.Array); ok && array.Len() == len(m.Items) {
			items := make([]value.Value, 0, len(m.Items))
			for i, item := range m.Items {
				items = append(items, c.wantedBeside(item, array.At(i)))
			}
			return value.NewArray(items)
		}
	case Literal:
		return m.Value
	case Any, Regex, Condition:
	}
	return want.Match.written()
}

// objectBeside keeps the order of the found object; members that it lacks follow.
func (c *comparison) objectBeside(m Object, found *value.Object) value.Value {
	wanted := make(map[string]*Value, len(m.Members))
	for _, member := range m.Members {
		wanted[member.Key] = member.Want
	}
	var members []value.Member
	for key, is := range found.All() {
		want, named := wanted[key]
		switch {
		case named:
			is = c.wantedBeside(want, is)
		case c.exact:
			is = nil
		}
		if is != nil {
			members = append(members, value.Member{Key: key, Value: is})
		}
	}
	for _, member := range m.Members {
		if _, absent := member.Want.Match.(Absent); found.Get(member.Key) == nil && !absent {
			members = append(members, value.Member{Key: member.Key, Value: member.Want.Match.written()})
		}
	}
	return value.NewObject(members)
}

// matches reports whether a found value is as wanted.
func (c *comparison) matches(want *Value, found value.Value) bool {
	part := &comparison{exact: c.exact, env: c.env}
	part.value("$", want, found)
	return len(part.found) == 0
}
