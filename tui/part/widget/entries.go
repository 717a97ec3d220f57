package widget

import "asldb/tui/part/canvas"

// Entries is the selection and the scrolling of a list whose entries take one line or more.
type Entries struct {
	// Cursor is the index of the selected entry.
	Cursor int
	top    int // the first entry on the screen
	height int // in lines, when it was last drawn
	lines  []int
}

// Height returns the number of lines of the list when it was last drawn.
func (l *Entries) Height() int { return l.height }

// Move selects an entry by entries further, of length.
func (l *Entries) Move(by, length int) { l.Cursor = max(0, min(l.Cursor+by, length-1)) }

// SelectAt selects the entry on line y of the list as it was last drawn.
func (l *Entries) SelectAt(y int) {
	if y >= 0 && y < len(l.lines) {
		l.Cursor = l.lines[y]
	}
}

// Draw paints length entries. lines returns the number of lines of an entry, and paint paints one into an area of as many.
func (l *Entries) Draw(area canvas.Area, length int, focused bool, lines func(i int) int, paint func(area canvas.Area, i int)) {
	l.height = max(area.H(), 1)
	l.Move(0, length)
	l.top = max(0, min(l.top, l.Cursor))
	for l.top < l.Cursor && LinesOf(l.top, l.Cursor+1, lines) > l.height {
		l.top++
	}
	for l.top > 0 && LinesOf(l.top-1, length, lines) <= l.height { // no line stays empty while there is more
		l.top--
	}
	l.lines = l.lines[:0]
	y := 0
	for i := l.top; i < length && y < area.H(); i++ {
		n := min(lines(i), area.H()-y)
		entry := area.Area(canvas.Rect{Y: y, W: area.W(), H: n})
		paint(entry, i)
		if i == l.Cursor && focused {
			entry.Text(0, 0, canvas.Current, area.Glyphs().Pointer)
			entry.Mark(0)
		}
		for range n {
			l.lines = append(l.lines, i)
		}
		y += n
	}
	Scrollbar(area, LinesOf(0, l.top, lines), LinesOf(0, length, lines))
}

// LinesOf returns the number of lines of the entries from one index to before another.
func LinesOf(from, to int, lines func(i int) int) int {
	total := 0
	for i := from; i < to; i++ {
		total += lines(i)
	}
	return total
}
