package tree

import (
	"strings"

	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

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
