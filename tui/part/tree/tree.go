// Package tree shows a JSON value, or the difference of two, as a tree whose containers are folded and
// unfolded one by one. Nothing is formatted but the rows that are drawn, nodes are made when they are first
// visited, and shared parts of two values are recognized by identity: the cost follows the change and the screen, not the document.
package tree

import (
	"sort"
	"strings"

	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Tree is a value or a difference with the state of its folds. It is not safe for several goroutines.
type Tree struct {
	top *Node
	// columns: before and after are side by side.
	columns bool
	// differs: it is the difference of two values.
	differs bool
	// opensBelow: containers not visited yet are unfolded. opensSame: those in a difference that did
	// not change, and runs, are unfolded too.
	opensBelow, opensSame bool
	same                  value.Comparer
	budget                int
}

// Layout says how the difference of two values is laid out.
type Layout uint8

// The layouts.
const (
	Unified    Layout = iota // removed lines above added ones
	SideBySide               // before on the left, after on the right
)

// Folding chooses the folded nodes of a new tree.
type Folding uint8

// The foldings.
const (
	// Usual: everything unfolded in a value; in a difference all but the differences are folded.
	Usual Folding = iota
	AllOpen
	AllFolded
)

// OfValue returns the tree of one value, nil for an absent one, which has no rows.
func OfValue(v value.Value, folding Folding) *Tree {
	t := &Tree{opensBelow: folding != AllFolded, opensSame: true}
	t.top = &Node{group: true, open: true, children: []*Node{}}
	if v != nil {
		t.addTop(&Node{before: v, after: v, open: length(v) > 0})
	}
	return t
}

// maxNodes bounds the nodes that a comparison makes at once. Nodes beyond it are folded, and compared when it is
// unfolded.
const maxNodes = 20_000

// OfDifference returns the tree of the difference of two values; either may be absent.
func OfDifference(before, after value.Value, layout Layout, folding Folding) *Tree {
	t := &Tree{
		columns: layout == SideBySide, differs: true, opensBelow: folding != AllFolded, opensSame: folding == AllOpen,
		same: value.Comparer{}, budget: maxNodes,
	}
	t.top = &Node{group: true, open: true, children: []*Node{}}
	for _, n := range t.pair(pair{before: before, after: after}) {
		n.open = length(n.value()) > 0
		t.addTop(n)
	}
	t.shortenReplaced(folding)
	return t
}

func (t *Tree) addTop(n *Node) {
	n.parent, n.at = t.top, len(t.top.children)
	t.top.children = append(t.top.children, n)
}

// Differs reports whether the tree shows a difference.
func (t *Tree) Differs() bool { return t.differs }

// Columns reports whether before and after are side by side.
func (t *Tree) Columns() bool { return t.columns }

// Len returns the number of rows.
func (t *Tree) Len() int { return t.rows(t.top) }

// Row is one row of a tree.
type Row struct {
	*Node
	// Part is which row of the node it is.
	Part Part
}

// Row returns row i, which must be from 0 to below Len.
func (t *Tree) Row(i int) Row {
	n := t.top
	for {
		if !n.group || !n.open {
			switch {
			case !n.open:
				return Row{n, Whole}
			case i == 0:
				return Row{n, Open}
			case i == t.rows(n)-1:
				return Row{n, Close}
			}
			i-- // the opening bracket
		}
		t.inner(n)
		starts := n.starts
		at := sort.Search(len(starts)-1, func(k int) bool { return int(starts[k+1]) > i })
		i -= int(starts[at])
		n = t.child(n, at)
	}
}

// RowOf returns the first row of a node, or of the outermost folded node around it.
func (t *Tree) RowOf(n *Node) int {
	for p := n.parent; p != nil; p = p.parent {
		if !p.open {
			n = p
		}
	}
	row := 0
	for p := n.parent; p != nil; n, p = p, p.parent {
		t.inner(p)
		row += int(p.starts[n.at])
		if !p.group {
			row++
		}
	}
	return row
}

// Toggle folds or unfolds the node of row i: its container or run, or the one around a scalar. It returns
// the row where the node then is, and false where there is nothing to fold.
func (t *Tree) Toggle(i int) (row int, ok bool) {
	n := t.Row(i).Node
	if !n.Foldable() {
		if n = n.within(); n == nil {
			return i, false
		}
	}
	t.unfold(n, !n.open)
	return t.RowOf(n), true
}

// unfold unfolds or folds a node.
func (t *Tree) unfold(n *Node, open bool) {
	if n.pending && t.budget < maxNodes {
		t.budget = maxNodes
	}
	n.open = open
	n.changed()
}

// FirstChange returns the first row that is not the same on both sides, or 0.
func (t *Tree) FirstChange() int {
	t.Len() // so that everything unfolded is compared
	n := t.top
	for {
		if n.pending {
			return t.RowOf(n)
		}
		next := (*Node)(nil)
		for _, child := range n.children {
			if child != nil && child.change != Same {
				next = child
				break
			}
		}
		if next == nil || next.change != Inside {
			if next != nil {
				n = next
			}
			if n == t.top {
				return 0
			}
			return t.RowOf(n)
		}
		n = next
	}
}

// View is a tree on the screen, with a cursor.
type View struct {
	widget.List[int]
	// Tree is the tree; nil: there is none.
	Tree *Tree
	// Left is how many cells the rows are scrolled to the side. Needle, in lower case, is marked in them.
	Left   int
	Needle string
}

// Put shows another tree, with the cursor on its first row.
func (v *View) Put(t *Tree) {
	v.Tree, v.Left = t, 0
	v.Home()
	v.Count()
}

// Count returns the number of rows.
func (v *View) Count() int {
	n := 0
	if v.Tree != nil {
		n = v.Tree.Len()
	}
	v.Rows = widget.Count(n)
	return n
}

// Row returns the row under the cursor; ok is false where there is none.
func (v *View) Row() (row Row, ok bool) {
	if v.Step(0, v.Count()); v.Count() == 0 {
		return row, false
	}
	return v.Tree.Row(v.Cursor), true
}

// Toggle folds or unfolds the node under the cursor, and reports whether there is one.
func (v *View) Toggle() (ok bool) {
	if v.Count() > 0 {
		v.Cursor, ok = v.Tree.Toggle(v.Cursor)
	}
	return ok
}

// Aside scrolls to the side by cells.
func (v *View) Aside(cells int) { v.Left = max(0, v.Left+cells) }

// Find selects the next row with a text, which is marked from then on; by is 1 or -1.
func (v *View) Find(text string, by int) (wrapped, ok bool) {
	v.Needle = strings.ToLower(text)
	row := 0
	if row, wrapped, ok = v.Tree.Find(text, v.Cursor, by < 0); ok {
		v.Cursor = row
	}
	return wrapped, ok
}

// Draw paints the rows on the screen.
func (v *View) Draw(f widget.Frame) {
	cells := f.W() - 1
	if v.Count() > f.H() { // the thumb is in the last column
		cells--
	}
	v.Paint = func(line canvas.Area, i int, _ []int) {
		v.Tree.Draw(line.Area(canvas.Rect{X: 1, W: cells, H: 1}), 0, i, v.Left, v.Needle)
	}
	v.Mark = func(line canvas.Area, _ int) { line.MarkSpan(0, 0, 1) }
	v.List.Draw(f)
}
