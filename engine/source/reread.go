package source

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"asldb/engine/value"
)

// Rereader reads a text again and again while it is being edited. In JSON, it reads the innermost object or array with
// all changes; what is before it stays, and what is behind it is moved. The zero Rereader has read nothing, and nil
// keeps nothing.
type Rereader struct {
	data []byte // of the newest text that could be read
	root *Node
}

// Read is [Read]. Its tree may share nodes with those that were read before.
func (r *Rereader) Read(f *File, tags Tags) (*Node, *Diagnostic) {
	if r == nil || !isJSON(f) {
		return Read(f, tags)
	}
	if r.root != nil {
		if root := r.reread(f.Data); root != nil {
			r.data, r.root = f.Data, root
			return root, nil
		}
	}
	root, problem := Read(f, tags)
	if problem == nil {
		r.data, r.root = f.Data, root
	}
	return root, problem
}

// isJSON reports whether [Read] takes a text for JSON and nothing else. One with a byte order mark is not reread.
func isJSON(f *File) bool {
	switch strings.ToLower(filepath.Ext(f.Name)) {
	case ".yaml", ".yml":
		return false
	}
	head := bytes.TrimLeft(f.Data, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') && len(f.Data) <= value.DefaultBytes
}

// reread returns the tree of a text that differs in one stretch; nil where it has to be read as a whole.
func (r *Rereader) reread(data []byte) *Node {
	if bytes.Equal(data, r.data) {
		return r.root
	}
	from, most := 0, min(len(data), len(r.data))
	for from < most && data[from] == r.data[from] {
		from++
	}
	to := 0 // from the ends
	for to < most-from && data[len(data)-1-to] == r.data[len(r.data)-1-to] {
		to++
	}
	end := len(r.data) - to
	around := []*Node{r.root}
	for n := r.root; n != nil; {
		if n = n.containerAround(from, end); n != nil {
			around = append(around, n)
		}
	}
	for i := len(around) - 1; i >= 0; i-- {
		old := around[i]
		if old.Span.Start.Offset >= from || old.Span.End.Offset <= end {
			return nil // its brackets are not the same
		}
		at := old.Span.Start
		made := readAt(data[at.Offset:len(data)-len(r.data)+old.Span.End.Offset], at, i)
		if made == nil {
			continue
		}
		m := &mover{old: old.Span.End, to: made.Span.End}
		for i--; i >= 0; i-- {
			made = m.around(around[i], around[i+1], made)
		}
		return made
	}
	return nil
}

// containerAround returns the part of a container that is a container itself and has a stretch between its brackets.
func (n *Node) containerAround(from, end int) *Node {
	has := func(part *Node) bool {
		return part.Span.Start.Offset < from && part.Span.End.Offset > end &&
			(part.Kind == value.KindObject || part.Kind == value.KindArray)
	}
	for i := range n.Members {
		if has(n.Members[i].Node) {
			return n.Members[i].Node
		}
	}
	if i := slices.IndexFunc(n.Items, has); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// readAt reads a text that is one value, in a larger one at a place and a depth; nil where it isn't.
func readAt(text []byte, at Position, depth int) *Node {
	if !utf8.Valid(text) {
		return nil
	}
	r := newTreeReader(text, at)
	r.depth = depth
	root, err := r.node()
	if err != nil || int(r.tokens.InputOffset()) != len(text) {
		return nil
	}
	return root
}

// mover moves what is behind a place that has moved.
type mover struct {
	old, to Position
	spare   []Node
}

// around returns a container with another part in the place of one, and what is behind that moved.
func (m *mover) around(old, part, made *Node) *Node {
	n := &Node{Span: Span{Start: old.Span.Start, End: m.position(old.Span.End)}}
	if old.Kind == value.KindArray {
		items, at := slices.Clone(old.Items), slices.Index(old.Items, part)
		items[at] = made
		for i := at + 1; i < len(items); i++ {
			items[i] = m.node(items[i])
		}
		n.fillArray(items)
		return n
	}
	members := slices.Clone(old.Members)
	at := slices.IndexFunc(members, func(one NodeMember) bool { return one.Node == part })
	members[at].Node = made
	m.members(members[at+1:])
	n.fillObject(members)
	return n
}

func (m *mover) members(list []NodeMember) {
	for i := range list {
		list[i].KeySpan, list[i].Node = m.span(list[i].KeySpan), m.node(list[i].Node)
	}
}

func (m *mover) position(p Position) Position {
	if p.Line == m.old.Line {
		p.Col += m.to.Col - m.old.Col
	}
	p.Line += m.to.Line - m.old.Line
	p.Offset += m.to.Offset - m.old.Offset
	return p
}

func (m *mover) span(s Span) Span { return Span{Start: m.position(s.Start), End: m.position(s.End)} }

// node returns a node behind the place with the places that it has now.
func (m *mover) node(old *Node) *Node {
	if m.to == m.old {
		return old
	}
	if len(m.spare) == 0 {
		m.spare = make([]Node, 128)
	}
	n := &m.spare[0]
	m.spare = m.spare[1:]
	*n = *old
	n.Span, n.Items, n.Members = m.span(old.Span), slices.Clone(old.Items), slices.Clone(old.Members)
	for i, item := range n.Items {
		n.Items[i] = m.node(item)
	}
	m.members(n.Members)
	return n
}
