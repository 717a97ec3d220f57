package widget

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Rows is the cursor of a dialog that lists rows.
type Rows struct {
	// Cursor is the selected row, Top the first one on the screen, and Height how many are there.
	Cursor, Top, Height int
}

// Move moves the cursor for an action; false where the action moves nothing.
func (l *Rows) Move(a keys.Action, length int) bool {
	by, ok := PageMove(a, max(l.Height, 1))
	if ok {
		l.Cursor += by
		l.Cursor = max(0, min(l.Cursor, length-1))
	}
	return ok
}

// Draw paints the rows that fit, with the cursor before its row, and the hint below.
func (l *Rows) Draw(inner canvas.Area, length int, hint string, row func(line canvas.Area, i int)) {
	l.Height = max(inner.H()-2, 1)
	l.Top = max(0, min(max(l.Top, l.Cursor-l.Height+1), l.Cursor))
	for y := 0; y < l.Height && l.Top+y < length; y++ {
		line := inner.Area(canvas.Rect{Y: y, W: inner.W() - 1, H: 1})
		if l.Top+y == l.Cursor {
			line.Text(0, 0, canvas.Current, inner.Glyphs().Pointer)
		}
		row(line, l.Top+y)
		if l.Top+y == l.Cursor {
			inner.Mark(y)
		}
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, hint)
}
