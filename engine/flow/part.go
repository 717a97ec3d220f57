package flow

import (
	"asldb/engine/value"
	"slices"
	"strconv"
)

// Member returns the shape of the member of a name.
func (p *Space) Member(s *Shape, name string) *Shape {
	return p.Each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Unknown, Absent:
			return c
		case Object:
			if m := c.members.get(name); m != nil {
				found := p.inherit(m.Shape, c)
				if m.Maybe {
					found = p.Either(found, nothing)
				}
				return found
			}
			if c.open {
				return p.inherit(c.item, c)
			}
		default:
		}
		return Missing(c, name)
	})
}

// inherit gives a part without its own steps the steps of the whole.
func (p *Space) inherit(part, whole *Shape) *Shape {
	switch {
	case part == nil || part.why != nil || whole.why == nil || part.kind == Absent:
		return part
	case part.kind == Union:
		return p.Each(part, func(c *Shape) *Shape { return p.inherit(c, whole) })
	}
	if p.left--; p.left <= 0 {
		return nil
	}
	twin := *part
	twin.why = whole.why
	return &twin
}

// Item returns the shape of the item of an index, from 0, or counted from the end if it is negative.
func (p *Space) Item(s *Shape, index int) *Shape {
	return p.Each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Unknown, Absent:
			return c
		case Array:
			i := index
			if i < 0 && !c.open {
				i += len(c.items)
			}
			switch {
			case i >= 0 && i < len(c.items):
				return p.inherit(c.items[i], c)
			case c.open && i >= 0:
				return p.inherit(c.item, c)
			case c.open:
				return nil
			}
		default:
		}
		return Missing(c, "["+strconv.Itoa(index)+"]")
	})
}

// AnyItem returns the shape of any item of an array; absent of a value that is none, and of an empty one.
func (p *Space) AnyItem(s *Shape) *Shape {
	return p.Each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Unknown, Absent:
			return c
		case Array:
			all := slices.Clone(c.items)
			if c.open {
				all = append(all, c.item)
			}
			return p.inherit(p.Either(all...), c)
		default:
			return Missing(c, "[*]")
		}
	})
}

// Each returns the union of a function's results for the alternatives of a shape.
func (p *Space) Each(s *Shape, f func(*Shape) *Shape) *Shape {
	if s.Kind() != Union {
		return f(s)
	}
	list := value.Each(s.cases, f)
	return p.Either(list...)
}

// Set returns the shape with the value at names replaced, as a ResultPath does; objects on the way are made.
func (p *Space) Set(s *Shape, names []string, v *Shape) *Shape {
	if len(names) == 0 {
		return v
	}
	return p.Each(s, func(c *Shape) *Shape {
		twin := &Shape{open: true}
		switch c.Kind() {
		case Object:
			twin = c
		case Absent:
			twin.open = false
		case Unknown:
		default: // the run refuses it
			return nil
		}
		inner := nothing
		if twin.open {
			inner = nil
		}
		if m := twin.members.get(names[0]); m != nil {
			inner = m.Shape
		}
		shape := p.object(p.put(twin.members, Member{Name: names[0], Shape: p.Set(inner, names[1:], v)}), twin.open)
		if shape != nil {
			shape.why = twin.why
		}
		return shape
	})
}

// Only returns the alternatives that satisfy a condition; false where there is none.
func (p *Space) Only(s *Shape, f func(*Shape) bool) (*Shape, bool) {
	cases := s.Cases()
	var kept []*Shape
	for _, c := range cases {
		if f(c) {
			kept = append(kept, c)
		}
	}
	switch len(kept) {
	case 0:
		return nil, false
	case len(cases):
		return s, true
	}
	return p.union(kept), true
}
