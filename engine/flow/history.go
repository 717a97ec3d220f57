package flow

import (
	"strings"

	"asldb/engine/asl"
	"asldb/internal/wording"
)

// plainPath is a path of names alone, in JSONPath or JSONata.
var plainPath = wording.Pattern(`^\$(states\.input)?((\.\w+)+)$`)

// namesIn returns the names of a path up to one of them, the last with that name; nil of another text than a path of
// names.
func namesIn(text, last string) []string {
	found := plainPath().FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	names := strings.Split(found[2][1:], ".")
	for len(names) > 0 && names[len(names)-1] != last {
		names = names[:len(names)-1]
	}
	return names
}

// lastWith returns the last state whose input certainly had a member and whose output, its own or the output of the
// states behind it, does not. Where it is nil, known tells that none had: else some data are unknown, of the
// execution's input for example.
func (p *pass) lastWith(owner *Shape, names []string) (last *asl.State, known bool) {
	if names == nil {
		return nil, false
	}
	seen := make(map[*asl.State]bool)
	known = true
	pending := []*Shape{owner}
	for len(pending) > 0 {
		by := pending[0].By()
		pending = pending[1:]
		if by == nil || seen[by] {
			continue
		}
		seen[by] = true
		in := p.inputs[by]
		if in == nil {
			known = false
			continue
		}
		known = known && by.ResultSelector == nil && by.Output == nil // its result may have it
		for _, c := range p.cells(by, in) {
			switch there, before := lookup(c.data, names); {
			case there == yes:
				return by, true
			case there == perhaps:
				known = false
			default:
				pending = append(pending, before)
			}
		}
	}
	return nil, known
}

// presence reports whether a value has a member.
type presence uint8

const (
	no presence = iota
	perhaps
	yes
)

// lookup returns whether a value has a member at the end of a path of names, and, where it does not, the shape that
// lacks one of them.
func lookup(s *Shape, names []string) (presence, *Shape) {
	found := yes
	for _, name := range names {
		if s.Kind() != Object {
			if s.Kind().Scalar() {
				return no, s
			}
			return perhaps, nil
		}
		next := s.members.get(name)
		switch {
		case next == nil && s.Open():
			return perhaps, nil
		case next == nil:
			return no, s
		case next.Maybe:
			found = perhaps
		}
		s = next.Shape
	}
	if s.Kind() == Absent || s.Kind() == Union {
		return perhaps, nil
	}
	return found, nil
}
