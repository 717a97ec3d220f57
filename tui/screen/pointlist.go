package screen

import (
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// pointPanes are the lists of what a person set up: watches and breakpoints.
type pointPanes struct {
	watches     watchPane
	breakpoints breakpointPane
}

// pointList is the selection and the scrolling of a list whose entries take one line or more.
type pointList struct {
	cursor int
	top    int // the first entry on the screen
	height int // of the pane, in lines
	// rows are the entries on the lines of the screen when it was last drawn.
	rows []int
}

func (l *pointList) move(by, length int) { l.cursor = max(0, min(l.cursor+by, length-1)) }

// selectAt selects the entry at line y.
func (l *pointList) selectAt(y int) {
	if y >= 0 && y < len(l.rows) {
		l.cursor = l.rows[y]
	}
}

// draw paints length entries. lines says how many lines an entry takes, and paint paints one into an area of so many.
func (l *pointList) draw(area canvas.Area, length int, focused bool, lines func(i int) int, paint func(area canvas.Area, i int)) {
	l.height = max(area.H(), 1)
	l.move(0, length)
	l.top = max(0, min(l.top, l.cursor))
	for l.top < l.cursor && linesOf(l.top, l.cursor+1, lines) > l.height {
		l.top++
	}
	for l.top > 0 && linesOf(l.top-1, length, lines) <= l.height { // no line stays empty while there is more
		l.top--
	}
	l.rows = l.rows[:0]
	y := 0
	for i := l.top; i < length && y < area.H(); i++ {
		n := min(lines(i), area.H()-y)
		entry := area.Area(canvas.Rect{Y: y, W: area.W(), H: n})
		paint(entry, i)
		if i == l.cursor && focused {
			entry.Text(0, 0, theme.Current, area.Glyphs().Pointer)
			entry.Mark(0)
		}
		for range n {
			l.rows = append(l.rows, i)
		}
		y += n
	}
	widget.Scrollbar(area, linesOf(0, l.top, lines), linesOf(0, length, lines))
}

func linesOf(from, to int, lines func(i int) int) int {
	total := 0
	for i := from; i < to; i++ {
		total += lines(i)
	}
	return total
}
