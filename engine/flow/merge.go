package flow

import "slices"

// Either returns the Union of shapes. More than [MaxCases] alternatives are merged: objects to one that has the members
// of all.
func (p *Space) Either(shapes ...*Shape) *Shape {
	var cases []*Shape
	p.left -= len(shapes) / 4
	for _, s := range shapes {
		for _, c := range s.Cases() {
			i := slices.IndexFunc(cases, func(other *Shape) bool { return Equal(c, other) })
			switch {
			case i < 0 && len(cases) > 2*MaxCases: // merged now and then, since each is compared with all others
				cases = p.collapse(append(cases, c))
			case i < 0:
				cases = append(cases, c)
			case cases[i].Lack() == nil && c.Lack() != nil: // the one that has a reason
				cases[i] = c
			}
		}
	}
	if len(cases) > MaxCases {
		cases = p.collapse(cases)
	}
	return p.union(cases)
}

func (p *Space) union(cases []*Shape) *Shape {
	switch len(cases) {
	case 0:
		return nothing
	case 1:
		return cases[0]
	}
	if p.left -= 1 + len(cases); p.left <= 0 {
		return nil
	}
	s := &Shape{kind: Union, cases: cases}
	for _, c := range cases { // in whichever order
		s.hash += mix(4, hashOf(c))
		s.height = max(s.height, heightOf(c))
	}
	return s
}

// collapse merges alternatives of the same kind.
func (p *Space) collapse(cases []*Shape) []*Shape {
	var merged []*Shape
next:
	for _, c := range cases {
		for i, other := range merged {
			if other.Kind() == c.Kind() {
				merged[i] = p.merge(other, c)
				continue next
			}
		}
		merged = append(merged, c)
	}
	return merged
}

// Merge returns one shape for two objects, with the members of both.
func (p *Space) Merge(a, b *Shape) *Shape {
	if a.Kind() != Object || b.Kind() != Object {
		return nil
	}
	return p.merge(a, b)
}

// merge returns one shape that has all values of two of the same kind.
func (p *Space) merge(a, b *Shape) *Shape {
	if Equal(a, b) {
		return a
	}
	key := [2]uint64{hashOf(a), hashOf(b)}
	if known, ok := p.merged[key]; ok {
		return known
	}
	var shape *Shape
	switch a.Kind() {
	case Object:
		shape = p.mergeObjects(a, b)
	case Array:
		shape = p.mergeArrays(a, b)
	case Unknown:
	case Absent:
		shape = a
	default:
		shape = Scalar(a.kind, nil)
	}
	if shape != nil && a != nil && shape != a && shape.why == nil {
		shape.why = a.why
	}
	p.merged[key] = shape
	return shape
}

func (p *Space) mergeObjects(a, b *Shape) *Shape {
	return p.object(joining{p, a.open, b.open}.join(a.members, b.members), a.open || b.open)
}

func (p *Space) mergeArrays(a, b *Shape) *Shape {
	if !a.open && !b.open && len(a.items) == len(b.items) {
		items := make([]*Shape, len(a.items))
		for i := range items {
			items[i] = p.Either(a.items[i], b.items[i])
		}
		return p.array(items, nil, false)
	}
	all := slices.Concat(a.items, b.items)
	if a.open {
		all = append(all, a.item)
	}
	if b.open {
		all = append(all, b.item)
	}
	return p.ArrayOf(p.Either(all...))
}
