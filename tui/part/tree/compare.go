package tree

import "asldb/engine/value"

// pair is a value of one side and its counterpart on the other.
type pair struct {
	key                     string
	member                  bool
	indexBefore, indexAfter int
	before, after           value.Value
	// moreBefore and moreAfter: a comma follows.
	moreBefore, moreAfter bool
}

// longRemoval is the number of lines from which on a removed container is folded.
const longRemoval = 60

// pair returns the nodes of a pair of values: one, or the removed and the added one.
func (t *Tree) pair(p pair) []*Node {
	t.budget--
	switch {
	case p.before == nil:
		return []*Node{t.added(p)}
	case p.after == nil:
		return []*Node{t.removed(p)}
	}
	n := &Node{
		key: p.key, member: p.member, index: p.indexAfter, was: p.indexBefore, before: p.before, after: p.after,
		more: p.moreAfter,
	}
	if t.same.Equal(p.before, p.after) {
		n.open = t.opensSame && length(p.after) > 0
		return []*Node{n}
	}
	both := func(a, b value.Value) bool { return a.Kind() == b.Kind() && length(a) > 0 && length(b) > 0 }
	if x, y, ok := value.Unpack(p.before, p.after); ok && both(x, y) {
		n.texts, n.before, n.after = &texts{p.before, p.after}, x, y
	}
	switch {
	case both(n.before, n.after):
		n.change, n.pending, n.open = Inside, true, t.budget > 0 && (t.opensBelow || t.opensSame)
		return []*Node{n}
	case t.columns && length(p.before) == 0 && length(p.after) == 0:
		n.change = Replaced
		return []*Node{n}
	}
	removed, added := t.removed(p), t.added(p)
	removed.other, added.other = added, removed
	return []*Node{removed, added}
}

func (t *Tree) removed(p pair) *Node {
	n := &Node{key: p.key, member: p.member, index: p.indexBefore, was: p.indexBefore, before: p.before, more: p.moreBefore, change: Removed}
	if count := length(p.before); count > 0 {
		n.open = t.opensBelow && (t.opensSame || value.Lines(p.before) <= longRemoval)
	}
	return n
}

func (t *Tree) added(p pair) *Node {
	n := &Node{key: p.key, member: p.member, index: p.indexAfter, after: p.after, more: p.moreAfter, change: Added}
	n.open = t.opensBelow && length(p.after) > 0
	return n
}

// comparison finds the children of a container that differs.
type comparison struct {
	tree     *Tree
	node     *Node
	children []*Node
	// The members from (inclusive) to (exclusive) of the value after are the same on both sides and have no children yet.
	from, to int
}

// compare finds the children of a container in both values.
func (t *Tree) compare(n *Node) {
	c := &comparison{tree: t, node: n}
	switch before := n.before.(type) {
	case *value.Object:
		c.objects(before, n.after.(*value.Object))
	case *value.Array:
		c.arrays(before, n.after.(*value.Array))
	}
	c.flush(nil)
	n.children = c.children
}

func (c *comparison) objects(a, b *value.Object) {
	head, tail := c.tree.same.TrimMembers(a, b)
	c.unchanged(0, head)
	endA, endB := a.Len()-tail, b.Len()-tail
	moved := map[string]bool{} // members at another place: removed here and added there
	for i, j := head, head; i < endA || j < endB; {
		if i < endA && (moved[a.At(i).Key] || b.Index(a.At(i).Key) < 0) {
			c.members(a, i, b, -1)
			i++
			continue
		}
		if j < endB && (moved[b.At(j).Key] || a.Index(b.At(j).Key) < 0) {
			c.members(a, -1, b, j)
			j++
			continue
		}
		keyA, keyB := a.At(i).Key, b.At(j).Key
		switch {
		case keyA == keyB:
			c.members(a, i, b, j)
			i, j = i+1, j+1
		case a.Index(keyB)-i > b.Index(keyA)-j:
			moved[keyB] = true
			c.members(a, -1, b, j)
			j++
		default:
			moved[keyA] = true
			c.members(a, i, b, -1)
			i++
		}
	}
	c.unchanged(b.Len()-tail, b.Len())
	c.link(moved)
}

// link links the rows of a member that was moved and changed, so that they show the change.
func (c *comparison) link(moved map[string]bool) {
	went := make(map[string]*Node)
	for _, n := range c.children {
		if n != nil && n.change == Removed && moved[n.key] {
			went[n.key] = n
		}
	}
	for _, n := range c.children {
		if n == nil || n.change != Added || went[n.key] == nil {
			continue
		}
		if was := went[n.key]; !c.tree.same.Equal(was.before, n.after) {
			was.other, n.other = n, was
		}
	}
}

// members adds a member of a, of b, or of both; -1 means none.
func (c *comparison) members(a *value.Object, i int, b *value.Object, j int) {
	p := pair{member: true}
	if i >= 0 {
		m := a.At(i)
		p.key, p.before, p.moreBefore, p.indexBefore = m.Key, m.Value, i < a.Len()-1, i
	}
	if j >= 0 {
		m := b.At(j)
		p.key, p.after, p.moreAfter, p.indexAfter = m.Key, m.Value, j < b.Len()-1, j
	}
	c.pair(p)
}

func (c *comparison) arrays(a, b *value.Array) {
	head, tail := c.tree.same.Trim(a, b)
	c.unchanged(0, head)
	i, j := head, head
	endA, endB := a.Len()-tail, b.Len()-tail
	for _, m := range common(a.Slice(head, endA), b.Slice(head, endB)) {
		c.gap(a, i, head+m.a, b, j, head+m.b)
		i, j = head+m.a+1, head+m.b+1
		c.unchanged(j-1, j)
	}
	c.gap(a, i, endA, b, j, endB)
	c.unchanged(b.Len()-tail, b.Len())
}

// gap compares items of a with items of b by their places.
func (c *comparison) gap(a *value.Array, i, endA int, b *value.Array, j, endB int) {
	for ; i < endA || j < endB; i, j = i+1, j+1 {
		p := pair{}
		if i < endA {
			p.before, p.moreBefore, p.indexBefore = a.At(i), i < a.Len()-1, i
		}
		if j < endB {
			p.after, p.moreAfter, p.indexAfter = b.At(j), j < b.Len()-1, j
		}
		c.pair(p)
	}
}

func (c *comparison) pair(p pair) {
	if p.before != nil && p.after != nil && c.tree.same.Equal(p.before, p.after) {
		c.unchanged(p.indexAfter, p.indexAfter+1)
		return
	}
	nodes := c.tree.pair(p)
	c.flush(nodes[0])
	for _, n := range nodes {
		c.add(n)
	}
}

func (c *comparison) add(n *Node) {
	n.parent, n.at = c.node, len(c.children)
	c.children = append(c.children, n)
}

// unchanged notes that the members from (inclusive) to (exclusive) of the value after are the same.
func (c *comparison) unchanged(from, to int) {
	if c.from == c.to {
		c.from = from
	}
	c.to = to
}

const (
	// foldFrom is the number of unchanged members in a row from which on they become a run; foldContext of
	// them stay next to a change.
	foldFrom    = 5
	foldContext = 1
)

// flush makes the children for unchanged members; next is the node after them.
func (c *comparison) flush(next *Node) {
	first, end := c.from, c.to
	c.from = end
	from, to := first, end
	if last := len(c.children) - 1; last >= 0 && c.children[last].edge() {
		from += foldContext
	}
	if next != nil && next.edge() {
		to -= foldContext
	}
	if to-from < foldFrom {
		from, to = end, end
	}
	for i := first; i < from; i++ {
		c.sameKid(i)
	}
	if to > from {
		v := c.node.after
		c.add(&Node{group: true, before: v, after: v, from: from, open: c.tree.opensSame, children: make([]*Node, to-from)})
	}
	for i := to; i < end; i++ {
		c.sameKid(i)
	}
}

// edge reports whether an unchanged neighbour helps to locate the node: the brackets around a change do that
// by themselves.
func (n *Node) edge() bool { return n.change == Added || n.change == Removed || n.change == Replaced }

func (c *comparison) sameKid(i int) {
	child := c.tree.plain(c.node, i, len(c.children))
	child.open = c.tree.opensSame && length(child.after) > 0
	c.children = append(c.children, child)
}

// namedRemovals is how many removed members are named one by one where none is left.
const namedRemovals = 12

// shortenReplaced folds removed members where none is left, and moves them behind the added ones: the present value is
// then more important. The removed members have a row with their name each; of very many the last share one.
func (t *Tree) shortenReplaced(folding Folding) {
	const few = 3
	if t.columns || folding != Usual || len(t.top.children) != 1 || t.top.children[0].change != Inside {
		return
	}
	root := t.top.children[0]
	t.inner(root)
	_, named := root.before.(*value.Object)
	lines := 0
	var gone, came []*Node
	for _, child := range root.children {
		switch {
		case named && child.other != nil: // a member of this name stayed
			return
		case child.change == Removed:
			lines += value.Lines(child.before)
			gone = append(gone, child)
		case child.change == Added:
			came = append(came, child)
		default:
			return
		}
	}
	if lines <= few || len(came) == 0 {
		return
	}
	shown := 0
	if named {
		if shown = len(gone); shown > namedRemovals {
			shown = namedRemovals - 1
		}
	}
	for _, child := range gone {
		child.open = false
	}
	children := append(came, gone[:shown]...)
	if rest := len(gone) - shown; rest > 0 {
		children = append(children, &Node{parent: root, group: true, change: Removed, before: root.before, from: shown, children: make([]*Node, rest)})
	}
	root.children = children
	for i, child := range root.children {
		child.at, child.other = i, nil
	}
	root.changed()
}
