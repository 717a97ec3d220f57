package lint

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// shape is the knowledge of a value at a place of the definition: the members that it may have. A nil shape is a value
// of which nothing is known. Shapes are never changed once they are made.
type shape struct {
	kind shapeKind
	// members are those that an object may have; nil ones are values of which nothing is known.
	members map[string]*shape
	// open: the object may have other members too.
	open bool
	// why are the steps that made the value.
	why []asl.Reason
	// by is the state that made it.
	by *asl.State
}

type shapeKind uint8

const (
	objectShape shapeKind = iota
	arrayShape
	scalarShape
)

// maxDepth bounds how deep shapes are followed, so that a loop that wraps its data ends.
const maxDepth = 8

// get follows names from a shape. ok is false where there certainly is nothing; then lacks is the shape that lacks
// the name number i.
func (s *shape) get(names []string) (found, lacks *shape, i int, ok bool) {
	for i, name := range names {
		if s == nil {
			return nil, nil, 0, true
		}
		next, known := s.members[name]
		if !known {
			if s.kind == objectShape && s.open {
				return nil, nil, 0, true
			}
			return nil, s, i, false
		}
		s = next
	}
	return s, nil, 0, true
}

// set returns the shape with a member replaced, as a ResultPath does.
func (s *shape) set(names []string, v *shape) *shape {
	if len(names) == 0 {
		return v
	}
	twin := &shape{open: true}
	if s != nil {
		if s.kind != objectShape { // the run refuses it
			return nil
		}
		*twin = *s
	}
	twin.members = maps.Clone(twin.members)
	if twin.members == nil {
		twin.members = make(map[string]*shape)
	}
	inner, known := twin.members[names[0]]
	if !known && !twin.open {
		inner = &shape{why: twin.why, by: twin.by} // it is created
	}
	twin.members[names[0]] = inner.set(names[1:], v)
	return twin
}

// join returns the shape after two ways have met.
func join(a, b *shape, depth int) *shape {
	switch {
	case a == b:
		return a
	case a == nil || b == nil || a.kind != b.kind || depth > maxDepth:
		return nil
	case a.covers(b, depth):
		return a
	}
	joined := &shape{kind: a.kind, open: a.open || b.open, why: mergeReasons(a.why, b.why), by: a.by}
	if a.members == nil && b.members == nil {
		return joined
	}
	joined.members = maps.Clone(a.members)
	if joined.members == nil {
		joined.members = make(map[string]*shape)
	}
	for name, other := range b.members {
		if own, ok := a.members[name]; ok {
			joined.members[name] = join(own, other, depth+1)
		} else {
			joined.members[name] = other
		}
	}
	return joined
}

// covers reports whether everything that b may have, s may have too.
func (s *shape) covers(b *shape, depth int) bool {
	switch {
	case s == b || s == nil:
		return true
	case b == nil || s.kind != b.kind || b.open && !s.open || depth > maxDepth:
		return false
	}
	for name, other := range b.members {
		own, ok := s.members[name]
		if !ok && !s.open || ok && !own.covers(other, depth+1) {
			return false
		}
	}
	return true
}

func mergeReasons(a, b []asl.Reason) []asl.Reason {
	merged := slices.Clone(a)
	for _, reason := range b {
		if len(merged) < maxReasons && !slices.Contains(merged, reason) {
			merged = append(merged, reason)
		}
	}
	return merged
}

// because returns the shape with one more step behind those that made it.
func (s *shape) because(by *asl.State, span source.Span, text string) *shape {
	if s == nil {
		return nil
	}
	twin := *s
	reason := asl.Reason{Text: text, Span: span}
	if len(s.why) < maxReasons && !slices.Contains(s.why, reason) {
		twin.why = append(slices.Clip(slices.Clone(s.why)), reason)
	}
	if by != nil {
		twin.by = by
	}
	return &twin
}

// has describes the members of a shape in words.
func (s *shape) has() string {
	switch s.kind {
	case arrayShape:
		return "is an array"
	case scalarShape:
		return "is no object"
	case objectShape:
	}
	if len(s.members) == 0 {
		return "is an empty object"
	}
	const most = 8
	list := names(s.members)
	if len(list) > most {
		list = append(list[:most], "and "+strconv.Itoa(len(list)-most)+" more")
	}
	return "has only " + strings.Join(list, ", ")
}

// shapeOf returns the shape of a literal.
func shapeOf(v value.Value, depth int) *shape {
	switch v := v.(type) {
	case *value.Object:
		if depth > maxDepth {
			return nil
		}
		s := &shape{members: make(map[string]*shape, v.Len())}
		for key, member := range v.All() {
			s.members[key] = shapeOf(member, depth+1)
		}
		return s
	case *value.Array:
		return &shape{kind: arrayShape}
	}
	return &shape{kind: scalarShape}
}
