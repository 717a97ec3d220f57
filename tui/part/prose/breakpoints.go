// This part of the package draws a list of breakpoints with their hits and the newest messages of logpoints.

package prose

import (
	"strconv"

	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// List is the list of breakpoints, with a cursor.
type List struct {
	points func() *breakpoint.List
	widget.Entries
}

// New returns the list of the breakpoints that points returns.
func New(points func() *breakpoint.List) *List { return &List{points: points} }

// Len returns the number of breakpoints.
func (l *List) Len() int { return len(l.points().All()) }

// Messages returns the messages of the logpoints, the oldest first.
func (l *List) Messages() []breakpoint.Message { return l.points().Messages() }

// Selected returns the breakpoint under the cursor, or nil.
func (l *List) Selected() *breakpoint.Breakpoint {
	if points := l.points().All(); l.Cursor < len(points) {
		return points[l.Cursor]
	}
	return nil
}

// Find selects the next breakpoint whose spec contains text; wrapped reports whether it lies beyond an end of the list.
func (l *List) Find(text string, by int) (wrapped, ok bool) {
	points := l.points().All()
	at, wrapped, ok := widget.FindFrom(l.Cursor, len(points), by, func(i int) bool { return widget.ContainsFold(points[i].String(), text) })
	if ok {
		l.Cursor = at
	}
	return wrapped, ok
}

// Lines returns the number of lines of the whole list.
func (l *List) Lines(g *canvas.Glyphs) int {
	rows := l.rows(g)
	return widget.LinesOf(0, len(rows), func(i int) int { return rows[i].lines() })
}

// Draw paints the list.
func (l *List) Draw(area canvas.Area, focused bool) {
	rows := l.rows(area.Glyphs())
	l.Entries.Draw(area, len(rows), focused, func(i int) int { return rows[i].lines() }, func(area canvas.Area, i int) { rows[i].draw(area) })
}

// row is a breakpoint of the list.
type row struct {
	point *breakpoint.Breakpoint
	// note is a line below it: its fault, or the newest message.
	note      string
	noteStyle canvas.Style
}

func (l *List) rows(g *canvas.Glyphs) []row {
	newest := make(map[int]string)
	for _, m := range l.points().Messages() {
		newest[m.Breakpoint] = m.Text
	}
	var rows []row
	for _, b := range l.points().All() {
		r := row{point: b}
		switch message, wrote := newest[b.ID]; {
		case b.Fault != nil:
			r.note, r.noteStyle = g.Failed+" "+b.Fault.Error(), canvas.Bad
		case wrote:
			r.note, r.noteStyle = g.To+" "+message, canvas.Text
		}
		rows = append(rows, r)
	}
	return rows
}

func (r *row) lines() int {
	if r.note != "" {
		return 2
	}
	return 1
}

// draw paints a breakpoint: whether it is on, its number, its spec, and its hits at the right.
func (r *row) draw(area canvas.Area) {
	b, g := r.point, area.Glyphs()
	style, glyph, right := canvas.Plain, g.Breakpoint, ""
	if b.Hits > 0 {
		right = wording.Count(b.Hits, "hit")
	}
	if !b.Enabled {
		style, glyph, right = canvas.Dim, g.BreakpointOff, "off"
	}
	number := ""
	if !b.Standing {
		number = " " + strconv.Itoa(b.ID)
	}
	x := max(area.Text(1, 0, style, glyph+number)+1, 5)
	space := area.W() - x - 1
	if right != "" && space > 2*len(right) {
		area.Right(area.W()-1, 0, canvas.Dim, right)
		space -= len(right) + 2
	}
	area.Text(x, 0, style, canvas.FitMiddle(explain.Breakpoint(b), space, g.Ellipsis))
	if r.note != "" && area.H() > 1 {
		area.Fit(x, 1, area.W()-x-1, r.noteStyle, r.note)
	}
}
