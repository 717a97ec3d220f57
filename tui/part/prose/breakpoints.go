package prose

import (
	"iter"
	"strconv"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// List is the list of breakpoints, with a cursor.
type List struct {
	widget.List[row]
	points func() *breakpoint.List
}

// New returns the list of the breakpoints that points returns.
func New(points func() *breakpoint.List) *List {
	l := &List{points: points}
	l.Paint = func(area canvas.Area, r row, _ []int) { r.draw(area) }
	l.Text = func(r row) string { return r.point.String() }
	l.Lines = func(r row) int { return r.lines() }
	return l
}

// Read reads the breakpoints, and returns their number.
func (l *List) Read() int {
	l.Rows = widget.Slice[row](l.rows())
	l.Step(0, l.Len())
	return l.Len()
}

// Messages returns the messages of the logpoints, the oldest first.
func (l *List) Messages() []breakpoint.Message { return l.points().Messages() }

// Selected returns the breakpoint under the cursor, or nil.
func (l *List) Selected() *breakpoint.Breakpoint {
	l.Read()
	r, _ := l.List.Selected()
	return r.point
}

// Find selects the next breakpoint whose spec contains a text; wrapped reports whether it is beyond an end of the list.
func (l *List) Find(text string, by int) (wrapped, ok bool) {
	l.Read()
	return l.List.Find(text, by)
}

// Words yields the words of the specs.
func (l *List) Words() iter.Seq[string] {
	l.Read()
	return l.List.Words()
}

// Draw paints the list.
func (l *List) Draw(f widget.Frame) {
	l.Read()
	l.List.Draw(f)
}

// row is a breakpoint of the list.
type row struct {
	point *breakpoint.Breakpoint
	// message is the newest one of a logpoint; it has a line below, as a fault has.
	message string
}

func (l *List) rows() []row {
	newest := make(map[int]string)
	for _, m := range l.points().Messages() {
		newest[m.Breakpoint] = m.Text
	}
	return value.Each(l.points().All(), func(b *breakpoint.Breakpoint) row { return row{b, newest[b.ID]} })
}

func (r *row) lines() int {
	if r.point.Fault != nil || r.message != "" {
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
	switch {
	case area.H() < 2:
	case b.Fault != nil:
		area.Fit(x, 1, area.W()-x-1, canvas.Bad, g.Failed+" "+b.Fault.Error())
	default:
		area.Fit(x, 1, area.W()-x-1, canvas.Text, g.To+" "+r.message)
	}
}

// PlainLines returns the list, and the messages of logpoints, as lines for --plain.
func (l *List) PlainLines() (lines []string) {
	l.Read()
	for i := range l.Len() {
		b := l.At(i).point
		line := explain.Breakpoint(b)
		if !b.Standing {
			line = "breakpoint " + strconv.Itoa(b.ID) + ", " + line
		}
		if i == l.Cursor {
			line += ", selected"
		}
		parts := []string{"on"}
		if !b.Enabled {
			parts[0] = "off"
		}
		if b.Hits > 0 {
			parts = append(parts, wording.Count(b.Hits, "hit"))
		}
		if b.Fault != nil {
			parts = append(parts, b.Fault.Error())
		}
		lines = append(lines, line+": "+strings.Join(parts, ", "))
	}
	for _, m := range l.Messages() {
		lines = append(lines, "event "+strconv.Itoa(m.Event+1)+": "+m.Text)
	}
	return lines
}
