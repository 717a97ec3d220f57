package tree

import (
	"asldb/engine/path"
	"strconv"
	"strings"
)

// Path returns the JSONPath of the node, from the value that the tree shows: "$.lines[2].name". The path of a run is
// its container's, and the path of a part of JSON inside of a text is the text's. A removed node has its path in the
// value before.
func (n *Node) Path() string { return n.pathIn(n.change == Removed) }

func (n *Node) pathIn(before bool) string {
	if n.parent == nil {
		return "$"
	}
	up := n.parent.pathIn(before)
	switch {
	case n.group || n.InText() || (n.parent.group && n.parent.parent == nil):
		return up
	case n.member:
		return up + path.Member(n.key)
	case before:
		return up + "[" + strconv.Itoa(n.was) + "]"
	}
	return up + "[" + strconv.Itoa(n.index) + "]"
}

// Locate returns the row of the node that a path of [Node.Path] leads to, as far as it can be followed through nodes that are
// unfolded; 0 where nothing of it is there.
func (t *Tree) Locate(path string) int {
	if t.Len() == 0 {
		return 0
	}
	n := t.top.children[len(t.top.children)-1]
	for n.open && n.Path() != path {
		next := t.towards(n, path)
		if next == nil {
			break
		}
		n = next
	}
	return t.RowOf(n)
}

// Reveal is [Tree.Locate], but unfolds the nodes that hide it. there is false where the path leads to nothing in the tree;
// the row is then the row of the last node on the way.
func (t *Tree) Reveal(path string) (row int, there bool) {
	if t.Len() == 0 {
		return 0, false
	}
	n := t.top.children[len(t.top.children)-1]
	for n.group || n.Path() != path {
		folded := !n.open
		if folded {
			if !n.Foldable() {
				break
			}
			t.unfold(n, true)
		}
		next := t.towards(n, path)
		if next == nil {
			if folded {
				t.unfold(n, false)
			}
			break
		}
		n = next
	}
	return t.RowOf(n), !n.group && n.Path() == path
}

// towards returns the child of n that path leads through, nil where none does.
func (t *Tree) towards(n *Node, path string) *Node {
	t.inner(n)
	base := n.Path()
	rest, ok := strings.CutPrefix(path, base)
	if !ok {
		return nil
	}
	var gone *Node
	for i := range n.size() {
		if n.children != nil && n.children[i] != nil && n.children[i].group {
			if run := n.children[i]; run.open {
				if found := t.towards(run, path); found != nil {
					return found
				}
			} else if run.covers(rest) {
				return run
			}
			continue
		}
		if n.leads(i, rest) {
			child := t.child(n, i)
			if child.change != Removed || n.change == Removed {
				return child
			}
			gone = child // the present member is preferred, if any
		}
	}
	return gone
}

// covers reports whether a run has the member that rest begins with.
func (n *Node) covers(rest string) bool {
	for i := range n.children {
		if n.leads(i, rest) {
			return true
		}
	}
	return false
}

// leads reports whether rest begins with child i.
func (n *Node) leads(i int, rest string) bool {
	var step string
	if n.children != nil && n.children[i] != nil {
		if child := n.children[i]; child.member {
			step = path.Member(child.key)
		} else {
			step = "[" + strconv.Itoa(child.index) + "]"
		}
	} else if key, member, _ := part(n.value(), n.from+i); member {
		step = path.Member(key)
	} else {
		step = "[" + strconv.Itoa(n.from+i) + "]"
	}
	after, ok := strings.CutPrefix(rest, step)
	return ok && (after == "" || after[0] == '.' || after[0] == '[')
}
