package asl

import (
	"strconv"
	"strings"

	"asldb/engine/value"
)

// Source returns the text that the state was read from.
func (s *State) Source() *Source { return s.source }

// Place is where something of a state is in the text.
type Place struct {
	Source *Source
	// Pointer is the JSON Pointer (RFC 6901) in the definition.
	Pointer string
	// Key is where the name of the field is, the zero Span for an item of an array; Span is its value. Of the state
	// as a whole, Key and Span both are its name.
	Key, Span Span
}

// Place finds a field of the state by its place as errors give it: a field's name, and then names behind slashes and
// numbers in brackets ("Parameters/city.$", "Choices[1]/Condition"); names may be escaped as in a JSON Pointer. Of a
// place that the text does not have (a member that is missing, say) it is the last part that is there, and of an empty
// one the state's name.
func (s *State) Place(field string) Place {
	p, _ := s.place(field)
	return p
}

// At returns the value at a place of [State.Place]; nil of a state without text.
func (s *State) At(field string) *Node {
	_, n := s.place(field)
	return n
}

// PlaceOf is [State.Place] of a text inside of a field, such as a path in a Choice rule; of the field where it has the
// text several times or not at all.
func (s *State) PlaceOf(field, text string) Place {
	whole, n := s.place(field)
	p, times := whole, 0
	var find func(at Place, n *Node)
	find = func(at Place, n *Node) {
		if n == nil {
			return
		}
		if n.Text() == text {
			p, times = at, times+1
		}
		for i, item := range n.Items {
			find(Place{at.Source, at.Pointer + "/" + strconv.Itoa(i), Span{}, item.Span}, item)
		}
		for _, m := range n.Members {
			find(Place{at.Source, at.Pointer + "/" + value.EscapePointer(m.Key), m.KeySpan, m.Node.Span}, m.Node)
		}
	}
	if find(whole, n); times != 1 {
		return whole
	}
	return p
}

func (s *State) place(field string) (p Place, n *Node) {
	p = Place{Source: s.source, Pointer: s.Pointer, Key: s.NameSpan, Span: s.NameSpan}
	for n = s.Node; n != nil && field != ""; {
		if n.Kind == value.KindArray {
			index, rest := leadingIndex(field)
			if index < 0 || index >= len(n.Items) {
				break
			}
			n, field = n.Items[index], rest
			p.Pointer += "/" + strconv.Itoa(index)
			p.Key, p.Span = Span{}, n.Span
			continue
		}
		m, rest := longest(n, field)
		if m == nil {
			break
		}
		n, field = m.Node, rest
		p.Pointer += "/" + value.EscapePointer(m.Key)
		p.Key, p.Span = m.KeySpan, n.Span
	}
	return p, n
}

// leadingIndex reads the number of an item at the beginning of a place, "[2]" or "/2"; -1 where there is none.
func leadingIndex(field string) (index int, rest string) {
	digits := strings.TrimLeft(field, "[/")
	end := 0
	for end < len(digits) && digits[end] >= '0' && digits[end] <= '9' {
		end++
	}
	index, err := strconv.Atoi(digits[:end])
	if err != nil {
		return -1, field
	}
	return index, strings.TrimPrefix(digits[end:], "]")
}

// longest returns the member whose key begins a place, the longest of several: keys may have slashes and brackets too.
func longest(n *Node, field string) (found *NodeMember, rest string) {
	field = strings.TrimPrefix(field, "/")
	for i := range n.Members {
		m := &n.Members[i]
		for _, key := range []string{m.Key, value.EscapePointer(m.Key)} {
			after, ok := strings.CutPrefix(field, key)
			ends := after == "" || after[0] == '/' || after[0] == '['
			if ok && ends && (found == nil || len(after) < len(rest)) {
				found, rest = m, after
			}
		}
	}
	return found, rest
}
