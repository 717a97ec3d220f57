package flow

import (
	"slices"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

const (
	// maxHeight bounds how deep shapes are; what is deeper is unknown.
	maxHeight = 48
	// maxMembers bounds an array's items, and the members of a value that is read; of one with more nothing but the
	// first ones is known.
	maxMembers = 1 << 16
	// MaxCases bounds the alternatives of a Union; more are merged.
	MaxCases = 8
)

// A Space makes shapes. When its budget is spent, everything that it makes is unknown: that bounds the time and memory
// that a definition can take.
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

// Refill sets what is left. What was made without a budget is forgotten.
func (p *Space) Refill(n int) {
	if p.Spent() {
		clear(p.merged)
	}
	p.left = n
}

// Left returns what is left of the budget.
func (p *Space) Left() int { return p.left }

// Spend takes n from the budget, for work that makes no shapes.
func (p *Space) Spend(n int) { p.left -= n }

// nothing is a place without a value, for an unknown reason.
var nothing = &Shape{kind: Absent, hash: mix(0, uint64(Absent))}

// Missing is the absent member Name of a shape, or item.
func Missing(owner *Shape, name string) *Shape {
	return &Shape{kind: Absent, hash: nothing.hash, lack: &Lack{Owner: owner, Name: name}}
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

// oneOf returns the shape of strings that are one of some words.
func oneOf(words []string) *Shape {
	s := Scalar(String, nil)
	s.words = words
	for _, word := range words {
		s.hash = mix(s.hash, nameHash(word))
	}
	return s
}

// Object returns the shape of an object; open ones may have other members. Of members with the same name the last one
// counts.
func (p *Space) Object(members []Member, open bool) *Shape {
	var all *node[Member]
	for _, m := range members {
		if all = p.put(all, m); p.left <= 0 {
			return nil
		}
	}
	return p.object(all, open)
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

// object makes an object of members.
func (p *Space) object(members *node[Member], open bool) *Shape {
	if p.left--; p.left <= 0 {
		return nil
	}
	s := &Shape{kind: Object, members: members, open: open, hash: mix(2, bit(open)), height: 1}
	if members != nil {
		s.hash, s.height = mix(s.hash, members.hash), members.height
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

// Present returns the shape without the alternative that there is nothing; false where there is no other.
func (p *Space) Present(s *Shape) (*Shape, bool) {
	return p.Only(s, func(c *Shape) bool { return c.Kind() != Absent })
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
		return p.Each(s, func(c *Shape) *Shape { return p.because(c, step) })
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
