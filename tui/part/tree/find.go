package tree

import (
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// Contains reports whether text has needle in it, upper and lower case being alike. lower is the needle in lower case.
func Contains(text, lower string) bool { return Index(text, lower) >= 0 }

// Index returns where the first needle in text begins, in bytes, or -1. lower is the needle in lower case.
func Index(text, lower string) int {
	if lower == "" || len(text) < len(lower) {
		return -1
	}
	if !ascii(lower) || !ascii(text) {
		folded := strings.ToLower(text)
		at := strings.Index(folded, lower)
		if at < 0 || len(folded) == len(text) {
			return at
		}
		return min(at, len(text))
	}
	first, upper := lower[0], strings.ToUpper(lower[:1])[0]
	for i := 0; i+len(lower) <= len(text); i++ {
		if (text[i] == first || text[i] == upper) && strings.EqualFold(text[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// search visits all nodes, folded or not, in the order of the rows.
type search struct {
	tree   *Tree
	needle string
	from   []int // the place from which on is searched, as the numbers of the children from the top
	back   bool
	place  []int // of the node being searched
	// first is the first match, last the last one, beyond the first match behind from, and before the last one before
	// it. Nil where there is none.
	first, last, beyond, before []int
}

// Find looks for a text in the names and values from row i on, downwards or, with back, upwards, and continues at the
// other end. Folded nodes are searched, too, and unfolded. It returns the row of the match and whether the search went
// past an end; ok is false where there is none at all.
func (t *Tree) Find(text string, i int, back bool) (row int, wrapped, ok bool) {
	if t.Len() == 0 || text == "" {
		return i, false, false
	}
	s := &search{tree: t, needle: strings.ToLower(text), back: back, from: t.Row(i).place()}
	s.node(t.top)
	target := s.beyond
	if back {
		target = s.before
	}
	if target == nil {
		wrapped, target = true, s.first
		if back {
			target = s.last
		}
	}
	if target == nil {
		return i, false, false
	}
	return t.reveal(target), wrapped, true
}

// place returns the numbers of the children that lead from the top to the node.
func (n *Node) place() []int {
	if n.parent == nil {
		return nil
	}
	return append(n.parent.place(), n.at)
}

// reveal unfolds everything around the node at a place, and returns its row.
func (t *Tree) reveal(place []int) int {
	n := t.top
	for _, at := range place {
		if !n.open {
			n.open = true
			n.changed()
		}
		t.inner(n)
		n = t.child(n, at)
	}
	return t.RowOf(n)
}

// node searches below a node that exists. It reports false when the search is over.
func (s *search) node(n *Node) bool {
	if !n.group && s.matches(n.key, n.member, n.value(), n.before) && !s.found() {
		return false
	}
	if n.pending { // the comparison is due, for the places to be right
		n.pending = false
		s.tree.compare(n)
	}
	if n.children == nil {
		return s.parts(n.value(), 0, length(n.value()))
	}
	for i, child := range n.children {
		s.place = append(s.place, i)
		on := true
		if child != nil {
			on = s.node(child)
		} else {
			key, member, child := part(n.value(), n.from+i)
			on = s.value(key, member, child)
		}
		s.place = s.place[:len(s.place)-1]
		if !on {
			return false
		}
	}
	return true
}

func (s *search) value(key string, member bool, v value.Value) bool {
	if s.matches(key, member, v, nil) && !s.found() {
		return false
	}
	return s.parts(v, 0, length(v))
}

func (s *search) parts(v value.Value, from, to int) bool {
	for i := from; i < to; i++ {
		key, member, child := part(v, i)
		s.place = append(s.place, i)
		on := s.value(key, member, child)
		s.place = s.place[:len(s.place)-1]
		if !on {
			return false
		}
	}
	return true
}

func (s *search) matches(key string, member bool, v, other value.Value) bool {
	return (member && Contains(key, s.needle)) || scalarHas(v, s.needle) || (other != nil && scalarHas(other, s.needle))
}

func scalarHas(v value.Value, lower string) bool {
	switch v := v.(type) {
	case value.String:
		return Contains(string(v), lower)
	case value.Number:
		return Contains(v.Text(), lower)
	case value.Bool, value.Null:
		return Contains(value.Compact(v), lower)
	}
	return false
}

// found notes the match at the present place and reports whether the search continues.
func (s *search) found() bool {
	here := append([]int(nil), s.place...)
	if s.first == nil {
		s.first = here
	}
	s.last = here
	switch order := compare(here, s.from); {
	case order > 0 && s.beyond == nil:
		s.beyond = here
		return s.back
	case order < 0:
		s.before = here
	}
	return true
}

// compare orders places as their rows are.
func compare(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] - b[i]
		}
	}
	return len(a) - len(b)
}
