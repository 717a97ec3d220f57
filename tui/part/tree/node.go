package tree

import "asldb/engine/value"

// Change is the difference of a node between the two values.
type Change uint8

// The changes.
const (
	Same Change = iota
	Added
	Removed
	// Replaced: one scalar is where another one was. Only a tree of two columns has such nodes; elsewhere
	// there is one that was removed and one that was added.
	Replaced
	// Inside: the container is in both values, and something in it differs.
	Inside
)

// Node is one value of a tree, or a run of values that stay out of sight until it is opened. Nodes are made when they
// are first looked at.
type Node struct {
	parent *Node
	at     int // its place among the parent's children

	key    string
	member bool // key is its name; otherwise index is its place in an array
	index  int
	was    int // its place in the array before
	// before and after are the two values; one of them where only one side has it, and both are the same one
	// where there is nothing to compare with.
	before, after value.Value
	change        Change
	// group: the node has no separate rows. It is a run of the members from, from+1, ... of its values, as many
	// as children, or the top of the tree.
	group bool
	from  int
	more  bool // a comma follows
	// texts are the texts that have before and after inside, as JSON; nil of other nodes.
	texts *texts
	other *Node

	open bool
	// children are in the order of the rows; those not visited yet are nil. starts are the rows at which they
	// begin, counted from the first one's, and after them the number of all; nil where it is not known.
	children []*Node
	starts   []int32
	// pending: the children of a container that differs have yet to be found.
	pending bool
}

// value returns the value that the node shows.
func (n *Node) value() value.Value {
	if n.after != nil {
		return n.after
	}
	return n.before
}

// Change returns the node's change.
func (n *Node) Change() Change { return n.change }

// Value returns the value shown: the value after, or that before where it is gone; nil for a run.
func (n *Node) Value() value.Value {
	switch {
	case n.group:
		return nil
	case n.texts != nil:
		return n.texts.after
	}
	return n.value()
}

// texts are two texts that have JSON inside.
type texts struct{ before, after value.Value }

// Texts returns the texts of a node that was changed, before and after.
func (n *Node) Texts() (before, after string, ok bool) {
	was, is := n.before, n.after
	switch {
	case n.texts != nil:
		was, is = n.texts.before, n.texts.after
	case n.change == Removed && n.other != nil:
		is = n.other.after
	case n.change == Added && n.other != nil:
		was = n.other.before
	case n.change != Replaced:
		return "", "", false
	}
	a, left := was.(value.String)
	b, right := is.(value.String)
	return string(a), string(b), left && right
}

// InText reports whether the node is a part of JSON inside of a text.
func (n *Node) InText() bool {
	for p := n.parent; p != nil; p = p.parent {
		if p.texts != nil {
			return true
		}
	}
	return false
}

// Open reports whether the node's children have their own rows.
func (n *Node) Open() bool { return n.open }

// Foldable reports whether the node can be folded and unfolded: a container with something in it, or a run.
func (n *Node) Foldable() bool { return n.group || length(n.value()) > 0 }

// within returns the nearest node above n that can be folded, nil where there is none.
func (n *Node) within() *Node {
	for p := n.parent; p != nil && p.parent != nil; p = p.parent {
		if p.Foldable() {
			return p
		}
	}
	return nil
}

// depth is how far the node's rows are indented.
func (n *Node) depth() int32 {
	depth := int32(0)
	for p := n.parent; p != nil; p = p.parent {
		if !p.group {
			depth++
		}
	}
	return depth
}

// length is the number of members or items of a container, 0 for other values.
func length(v value.Value) int {
	switch v := v.(type) {
	case *value.Object:
		return v.Len()
	case *value.Array:
		return v.Len()
	}
	return 0
}

// part returns member or item i of a container.
func part(v value.Value, i int) (key string, member bool, child value.Value) {
	switch v := v.(type) {
	case *value.Object:
		m := v.At(i)
		return m.Key, true, m.Value
	case *value.Array:
		return "", false, v.At(i)
	}
	return "", false, nil
}

// size is the number of children.
func (n *Node) size() int {
	if n.children != nil {
		return len(n.children)
	}
	return length(n.value())
}

// child returns child i, made at the first visit.
func (t *Tree) child(n *Node, i int) *Node {
	if n.children == nil {
		n.children = make([]*Node, length(n.value()))
	}
	if n.children[i] == nil {
		n.children[i] = t.plain(n, n.from+i, i)
	}
	return n.children[i]
}

// plain makes the node of member i of a container, child number at, which has the container's change.
func (t *Tree) plain(n *Node, i, at int) *Node {
	v := n.value()
	child := &Node{parent: n, at: at, index: i, was: i, change: n.change, more: i < length(v)-1}
	if child.change == Inside {
		child.change = Same
	}
	child.key, child.member, child.after = part(v, i)
	child.before = child.after
	switch child.change {
	case Removed:
		child.after = nil
	case Added:
		child.before = nil
	case Same, Replaced, Inside:
	}
	child.open = t.opensChildren(n) && length(child.value()) > 0
	return child
}

// opensChildren reports whether the children of a node are unfolded at first.
func (t *Tree) opensChildren(n *Node) bool {
	if t.differs && n.change == Same && n.group {
		return t.opensSame
	}
	return t.opensBelow
}

// rows returns the number of rows of a node.
func (t *Tree) rows(n *Node) int {
	switch {
	case !n.open:
		return 1
	case n.group:
		return t.inner(n)
	}
	return 2 + t.inner(n)
}

// inner returns the number of rows of a node's children.
func (t *Tree) inner(n *Node) int {
	if n.starts == nil {
		t.measure(n)
	}
	return int(n.starts[len(n.starts)-1])
}

func (t *Tree) measure(n *Node) {
	if n.pending {
		n.pending = false
		t.compare(n)
	}
	count, opens := n.size(), t.opensChildren(n)
	n.starts = make([]int32, count+1)
	v, at := n.value(), int32(0)
	for i := range count {
		n.starts[i] = at
		switch {
		case n.children != nil && n.children[i] != nil:
			at += int32(t.rows(n.children[i]))
		case opens:
			_, _, child := part(v, n.from+i)
			at += int32(value.Lines(child))
		default:
			at++
		}
	}
	n.starts[count] = at
}

// changed clears the counts in and above a node.
func (n *Node) changed() {
	for p := n; p != nil; p = p.parent {
		p.starts = nil
	}
}
