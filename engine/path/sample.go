package path

import "asldb/engine/value"

// Sample returns a value that the filter of segment i takes, made of the operands of the filter; an empty object where
// nothing can be made of it. It does not know every relation: the value of "size", for example, has no such size.
func (p *Path) Sample(i int) value.Value {
	var v value.Value = value.ObjectOf()
	if s := &p.steps[i]; s.kind == filterStep {
		v = s.more.filter.sample(v)
	}
	return v
}

// sample returns v changed to satisfy the condition.
func (c *condition) sample(v value.Value) value.Value {
	switch c.kind {
	case exists:
		if c.absent {
			return v
		}
		return c.left.set(v, value.String(""))
	case compare:
		inner, constant := &c.left, &c.right
		if inner.path == nil {
			inner, constant = constant, inner
		}
		if inner.path == nil || constant.path != nil {
			return v
		}
		return inner.set(v, constant.constant.near(c.relation))
	case anyOf:
		return c.parts[0].sample(v)
	case allOf:
		for _, part := range c.parts {
			v = part.sample(v)
		}
	case noneOf:
	}
	return v
}

// set stores the target of an inner path in v; it leaves v as it is where the path does not determine a place.
func (o *operand) set(v, leaf value.Value) value.Value {
	if o.path == nil || o.fromRoot {
		return v
	}
	if with, err := o.path.Set(v, leaf); err == nil {
		return with
	}
	return v
}

// near returns a value for which a relation to the constant holds.
func (n *node) near(by relation) value.Value {
	switch n.kind {
	case nullNode:
		return value.Null{}
	case booleanNode:
		held, _ := n.value.(value.Bool)
		return value.Bool(bool(held) != (relationNames[by] == "!="))
	case numberNode:
		whole, _ := n.number.Int64()
		switch relationNames[by] {
		case ">", "!=":
			return value.Int(whole + 1)
		case "<":
			return value.Int(whole - 1)
		}
		return n.number
	case stringNode:
		switch relationNames[by] {
		case "!=", ">":
			return value.String(n.text + "-")
		case "<":
			return value.String("")
		}
		return value.String(n.text)
	case jsonNode:
		if list, ok := n.value.(*value.Array); ok && relationNames[by] == "in" && list.Len() > 0 {
			return list.At(0)
		}
		return n.value
	case undefinedNode, patternNode:
	}
	return value.String("")
}

// Names returns the names of segment i where it is a NamesSegment, else nil. They must not be changed.
func (p *Path) Names(i int) []string {
	if s := &p.steps[i]; s.kind == keysStep {
		return s.more.keys
	}
	return nil
}

// Greatest returns the greatest number of items that segment i needs so that it selects something: for an index, the
// union of several, or the beginning of a slice; 1 for any other kind.
func (p *Path) Greatest(i int) int {
	needed := 1
	need := func(index int) {
		if index < 0 {
			index = -index - 1
		}
		needed = max(needed, index+1)
	}
	switch s := &p.steps[i]; s.kind {
	case indexStep:
		need(s.index)
	case indexesStep:
		for _, index := range s.more.indexes {
			need(index)
		}
	case sliceStep:
		if s.more.hasFrom {
			need(s.more.from)
		}
	default:
	}
	return needed
}
