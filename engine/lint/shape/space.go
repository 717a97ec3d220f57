package shape

import (
	"slices"
	"sort"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

const (
	// maxHeight bounds how deep shapes are; what is deeper is unknown.
	maxHeight = 48
	// maxMembers bounds an object's members and an array's items; of an object with more nothing but the first ones is known.
	maxMembers = 400
	// MaxCases bounds the alternatives of a Union; more are merged.
	MaxCases = 8
)

// A Space makes shapes. When its budget is spent, everything that it makes is unknown: that bounds the time and memory that a
// definition can take.
type Space struct {
	left   int
	merged map[[2]uint64]*Shape
}

// NewSpace returns a space with a budget: the number of shapes, members and items that it makes.
func NewSpace(budget int) *Space {
	return &Space{left: budget, merged: make(map[[2]uint64]*Shape)}
}

// Spent reports whether the budget is used up.
func (p *Space) Spent() bool { return p.left <= 0 }

// Spend takes n from the budget, for work that makes no shapes.
func (p *Space) Spend(n int) { p.left -= n }

// nothing is a place without value, of which the reason is not known.
var nothing = &Shape{kind: Absent, hash: mix(0, uint64(Absent))}

// Missing is the absent member Name of a shape, or item.
func Missing(owner *Shape, name string) *Shape {
	return &Shape{kind: Absent, hash: nothing.hash, lack: &Lack{owner, name}}
}

// Scalar returns the shape of scalars of a kind, with a known value or nil.
func Scalar(kind Kind, constant value.Value) *Shape {
	s := &Shape{kind: kind, constant: constant, hash: mix(1, uint64(kind))}
	if constant != nil {
		for _, b := range []byte(value.Compact(constant)) {
			s.hash = mix(s.hash, uint64(b))
		}
	}
	return s
}

// Object returns the shape of an object; open ones may have other members. Of members with the same name the last one counts.
func (p *Space) Object(members []Member, open bool) *Shape {
	list := slices.Clone(members)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	kept := list[:0]
	for i, m := range list {
		if i+1 == len(list) || list[i+1].Name != m.Name {
			kept = append(kept, m)
		}
	}
	return p.object(kept, open)
}

// ObjectOf returns the shape of an object of any members.
func (p *Space) ObjectOf(member *Shape) *Shape {
	s := p.object(nil, true)
	if s == nil || heightOf(member) >= maxHeight {
		return s
	}
	s.item, s.height, s.hash = member, heightOf(member)+1, mix(s.hash, hashOf(member))
	return s
}

// object makes an object of sorted members, which it keeps.
func (p *Space) object(members []Member, open bool) *Shape {
	if len(members) > maxMembers {
		members, open = members[:maxMembers:maxMembers], true
	}
	if p.left -= 1 + len(members); p.left <= 0 {
		return nil
	}
	s := &Shape{kind: Object, members: members, open: open, hash: mix(2, bit(open))}
	for i := range members {
		m := &members[i]
		if m.Shape != nil && m.Shape.height >= maxHeight {
			m.Shape = nil
		}
		s.height = max(s.height, heightOf(m.Shape)+1)
		for _, b := range []byte(m.Name) {
			s.hash = mix(s.hash, uint64(b))
		}
		s.hash = mix(mix(s.hash, bit(m.Maybe)), hashOf(m.Shape))
	}
	return s
}

// Array returns the shape of an array of these items.
func (p *Space) Array(items ...*Shape) *Shape { return p.array(slices.Clone(items), nil, false) }

// ArrayOf returns the shape of an array of any length.
func (p *Space) ArrayOf(item *Shape) *Shape { return p.array(nil, item, true) }

func (p *Space) array(items []*Shape, item *Shape, open bool) *Shape {
	if len(items) > maxMembers {
		items, item, open = items[:maxMembers:maxMembers], nil, true
	}
	if p.left -= 1 + len(items); p.left <= 0 {
		return nil
	}
	s := &Shape{kind: Array, items: items, item: item, open: open, hash: mix(3, bit(open))}
	if heightOf(item) >= maxHeight {
		s.item = nil
	}
	s.height, s.hash = heightOf(s.item)+1, mix(s.hash, hashOf(s.item))
	for i, inner := range items {
		if heightOf(inner) >= maxHeight {
			items[i] = nil
		}
		s.height = max(s.height, heightOf(items[i])+1)
		s.hash = mix(s.hash, hashOf(items[i]))
	}
	return s
}

// Of returns the shape of a value that is known.
func (p *Space) Of(v value.Value) *Shape {
	switch v := v.(type) {
	case *value.Object:
		list := make([]Member, 0, v.Len())
		for name, member := range v.All() {
			list = append(list, Member{Name: name, Shape: p.Of(member)})
			if len(list) > maxMembers {
				break
			}
		}
		return p.Object(list, false)
	case *value.Array:
		var list []*Shape
		for _, item := range v.All() {
			list = append(list, p.Of(item))
			if len(list) > maxMembers {
				break
			}
		}
		return p.array(list, nil, false)
	case value.String:
		return Scalar(String, v)
	case value.Bool:
		return Scalar(Bool, v)
	case nil, value.Null:
		return Scalar(Null, v)
	}
	return Scalar(Number, v)
}

// Either returns the Union of shapes. More than [MaxCases] alternatives are merged: objects to one that has the members of all.
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
	var made *Shape
	switch a.Kind() {
	case Object:
		made = p.mergeObjects(a, b)
	case Array:
		made = p.mergeArrays(a, b)
	case Unknown:
	case Absent:
		made = a
	default:
		made = Scalar(a.kind, nil)
	}
	if made != nil && a != nil && made != a && made.why == nil {
		made.why = a.why
	}
	p.merged[key] = made
	return made
}

func (p *Space) mergeObjects(a, b *Shape) *Shape {
	var list []Member
	i, j := 0, 0
	for i < len(a.members) || j < len(b.members) {
		switch {
		case j == len(b.members) || i < len(a.members) && a.members[i].Name < b.members[j].Name:
			list = append(list, p.alone(a.members[i], b))
			i++
		case i == len(a.members) || a.members[i].Name > b.members[j].Name:
			list = append(list, p.alone(b.members[j], a))
			j++
		default:
			m := a.members[i]
			list = append(list, Member{m.Name, p.Either(m.Shape, b.members[j].Shape), m.Maybe || b.members[j].Maybe})
			i++
			j++
		}
	}
	return p.object(list, a.open || b.open)
}

// alone returns a member that the other object does not list. On which of the ways it is there is forgotten: later choices may
// know.
func (p *Space) alone(m Member, other *Shape) Member {
	if other.open {
		return Member{m.Name, nil, true}
	}
	return Member{m.Name, m.Shape, true}
}

// Present returns the shape without the alternative that there is nothing; false where there is no other.
func (p *Space) Present(s *Shape) (*Shape, bool) {
	return p.Only(s, func(c *Shape) bool { return c.Kind() != Absent })
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

// Member returns the shape of the member of a name.
func (p *Space) Member(s *Shape, name string) *Shape {
	return p.each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Unknown, Absent:
			return c
		case Object:
			if m := c.member(name); m != nil {
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

// inherit gives a part without steps of its own those of the whole.
func (p *Space) inherit(part, whole *Shape) *Shape {
	if part == nil || part.why != nil || whole.why == nil || part.kind == Union || part.kind == Absent {
		return part
	}
	if p.left--; p.left <= 0 {
		return nil
	}
	twin := *part
	twin.why = whole.why
	return &twin
}

// member returns the member of a name that is listed, or nil.
func (s *Shape) member(name string) *Member {
	i := sort.Search(len(s.members), func(i int) bool { return s.members[i].Name >= name })
	if i < len(s.members) && s.members[i].Name == name {
		return &s.members[i]
	}
	return nil
}

// Item returns the shape of the item of an index, from 0, or counted from the end if it is negative.
func (p *Space) Item(s *Shape, index int) *Shape {
	return p.each(s, func(c *Shape) *Shape {
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
	return p.each(s, func(c *Shape) *Shape {
		switch c.Kind() {
		case Unknown, Absent:
			return c
		case Array:
			all := slices.Clone(c.items)
			if c.open {
				all = append(all, c.item)
			}
			return p.Either(all...)
		default:
			return Missing(c, "[*]")
		}
	})
}

// each returns the union of a function's results for the alternatives of a shape.
func (p *Space) each(s *Shape, f func(*Shape) *Shape) *Shape {
	if s.Kind() != Union {
		return f(s)
	}
	list := make([]*Shape, 0, len(s.cases))
	for _, c := range s.cases {
		list = append(list, f(c))
	}
	return p.Either(list...)
}

// Each is the union of a function's results for the alternatives of a shape.
func (p *Space) Each(s *Shape, f func(*Shape) *Shape) *Shape { return p.each(s, f) }

// Set returns the shape with the value at names replaced, as a ResultPath does; objects on the way are made.
func (p *Space) Set(s *Shape, names []string, v *Shape) *Shape {
	if len(names) == 0 {
		return v
	}
	return p.each(s, func(c *Shape) *Shape {
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
		i := sort.Search(len(twin.members), func(i int) bool { return twin.members[i].Name >= names[0] })
		list := make([]Member, 0, len(twin.members)+1)
		list = append(list, twin.members[:i]...)
		rest := twin.members[i:]
		inner := nothing
		if twin.open {
			inner = nil
		}
		if len(rest) > 0 && rest[0].Name == names[0] {
			inner, rest = rest[0].Shape, rest[1:]
		}
		list = append(list, Member{Name: names[0], Shape: p.Set(inner, names[1:], v)})
		made := p.object(append(list, rest...), twin.open)
		if made != nil {
			made.why = twin.why
		}
		return made
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

// Because returns the shape with one more step behind those that made it.
func (p *Space) Because(s *Shape, by *asl.State, span source.Span, text string) *Shape {
	return p.because(s, Step{By: by, Text: text, Span: span})
}

// OnWay is Because for a step that is one of several ways.
func (p *Space) OnWay(s *Shape, by *asl.State, span source.Span, text string) *Shape {
	return p.because(s, Step{By: by, Text: text, Span: span, Way: true})
}

func (p *Space) because(s *Shape, step Step) *Shape {
	if s == nil || s.kind == Absent {
		return s
	}
	if s.kind == Union {
		return p.each(s, func(c *Shape) *Shape { return p.because(c, step) })
	}
	if p.left--; p.left <= 0 {
		return nil
	}
	step.before = s.why
	if s.why != nil {
		step.count = s.why.count + 1
	}
	for known := s.why; known != nil; known = known.before {
		if known.Text == step.Text && known.Span == step.Span {
			return s
		}
	}
	if step.count >= maxSteps {
		return s
	}
	twin := *s
	twin.why = &step
	return &twin
}

// Compared with a hash that has to withstand nothing, two shapes that differ have the same one about once in 2^64.
func mix(a, b uint64) uint64 {
	a ^= b + 0x9e3779b97f4a7c15 + a<<6 + a>>2
	a *= 0xff51afd7ed558ccd
	return a ^ a>>32
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func hashOf(s *Shape) uint64 {
	if s == nil {
		return 0
	}
	return s.hash
}

func heightOf(s *Shape) int {
	if s == nil {
		return 0
	}
	return s.height
}
