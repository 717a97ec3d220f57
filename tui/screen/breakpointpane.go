package screen

import (
	"strconv"

	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// breakpointPane lists the breakpoints with their hits, and what the logpoints wrote last.
type breakpointPane struct{ list pointList }

// breakpointRow is a breakpoint as the list shows it.
type breakpointRow struct {
	point *breakpoint.Breakpoint
	// note is a line below it: its fault, or the newest message.
	note      string
	noteStyle canvas.Style
}

// breakpointRows puts together what the list shows.
func breakpointRows(s *debug.Session, g *canvas.Glyphs) []breakpointRow {
	newest := make(map[int]string)
	for _, m := range s.Breakpoints().Messages() {
		newest[m.Breakpoint] = m.Text
	}
	var rows []breakpointRow
	for _, b := range s.Breakpoints().All() {
		row := breakpointRow{point: b}
		switch message, wrote := newest[b.ID]; {
		case b.Fault != nil:
			row.note, row.noteStyle = g.Failed+" "+b.Fault.Error(), theme.Bad
		case wrote:
			row.note, row.noteStyle = g.To+" "+message, theme.Text
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *breakpointRow) lines() int {
	if r.note != "" {
		return 2
	}
	return 1
}

// draw paints a breakpoint: whether it is on, its number, its spec, and its hits at the right.
func (r *breakpointRow) draw(area canvas.Area) {
	b, g := r.point, area.Glyphs()
	style, glyph, right := theme.Plain, g.Breakpoint, ""
	if b.Hits > 0 {
		right = explain.Plural(b.Hits, "hit", "hits")
	}
	if !b.Enabled {
		style, glyph, right = theme.Dim, g.BreakpointOff, "off"
	}
	x := max(area.Text(1, 0, style, glyph+" "+strconv.Itoa(b.ID))+1, 5)
	room := area.W() - x - 1
	if right != "" && room > 2*len(right) {
		area.Right(area.W()-1, 0, theme.Dim, right)
		room -= len(right) + 2
	}
	area.Text(x, 0, style, canvas.FitMiddle(explain.Breakpoint(b), room, g.Ellipsis))
	if r.note != "" && area.H() > 1 {
		area.Fit(x, 1, area.W()-x-1, r.noteStyle, r.note)
	}
}

func (p *breakpointPane) draw(area canvas.Area, rows []breakpointRow, focused bool) {
	p.list.draw(area, len(rows), focused, func(i int) int { return rows[i].lines() }, func(area canvas.Area, i int) { rows[i].draw(area) })
}

// selected returns the breakpoint that the list stands at, or nil.
func (p *breakpointPane) selected(s *debug.Session) *breakpoint.Breakpoint {
	if points := s.Breakpoints().All(); p.list.cursor < len(points) {
		return points[p.list.cursor]
	}
	return nil
}

// find selects the next breakpoint whose spec contains text.
func (p *breakpointPane) find(s *debug.Session, text string, by int) (wrapped, ok bool) {
	points := s.Breakpoints().All()
	at, wrapped, ok := widget.FindFrom(p.list.cursor, len(points), by, func(i int) bool { return widget.ContainsFold(points[i].String(), text) })
	if ok {
		p.list.cursor = at
	}
	return wrapped, ok
}

func breakpointsSection() section {
	return section{
		title: "Breakpoints",
		count: func(u *ui) string { return countText(len(u.session.Breakpoints().All())) },
		lines: func(u *ui) int {
			rows := breakpointRows(u.session, u.glyphs)
			return max(1, linesOf(0, len(rows), func(i int) int { return rows[i].lines() }))
		},
		worth: func(u *ui) int { return min(2*len(u.session.Breakpoints().All()), 2) },
		panel: panel{
			draw: func(u *ui, area canvas.Area, focused bool) {
				if len(u.session.Breakpoints().All()) == 0 {
					area.Fit(5, 0, area.W()-6, theme.Dim, "none ("+u.keys.Key(keys.ToggleBreak)+" sets one)")
				}
				u.points.breakpoints.draw(area, breakpointRows(u.session, u.glyphs), focused)
			},
			move: func(u *ui, rows, _ int) { u.points.breakpoints.list.move(rows, len(u.session.Breakpoints().All())) },
			page: func(u *ui) int { return u.points.breakpoints.list.height },
			find: func(u *ui, text string, by int) (wrapped, ok bool) {
				return u.points.breakpoints.find(u.session, text, by)
			},
			click: func(u *ui, _, y int) { u.points.breakpoints.list.selectAt(y) },
		},
	}
}

// breakpointDialog is the list as a dialog, for screens on which the side pane has no room.
type breakpointDialog struct{ u *ui }

// Handle implements [pane.Dialog].
func (d *breakpointDialog) Handle(_ pane.Context, k keys.Press) {
	u := d.u
	points := &u.points.breakpoints
	if by, ok := widget.PageMove(k.Action, max(points.list.height-1, 1)); ok {
		points.list.move(by, len(u.session.Breakpoints().All()))
		return
	}
	switch {
	case k.Action == keys.AddBreak, k.Name == "a":
		u.askForBreak(nil)
	case k.Action == keys.BreakOnError:
		u.toggleErrorBreak()
	case k.Action == keys.DataView, k.Action == keys.ToggleBreak: // d and b are near at hand
		u.deleteBreak()
	case k.Action == keys.Fold:
		u.switchBreak()
	case k.Action == keys.Look:
		u.editBreak()
	case k.Action == keys.Delete:
		u.deleteBreak()
	default:
		u.dialog = nil
	}
}

// Mode implements [pane.Dialog].
func (*breakpointDialog) Mode() pane.Mode { return pane.Choosing }

// Draw implements [pane.Dialog].
func (d *breakpointDialog) Draw(_ pane.Context, area canvas.Area) {
	u := d.u
	rows := breakpointRows(u.session, u.glyphs)
	messages := u.session.Breakpoints().Messages()
	lines := linesOf(0, len(rows), func(i int) int { return rows[i].lines() })
	shown := 0 // lines of messages, a heading among them
	if len(messages) > 0 {
		shown = min(len(messages)+2, max(area.H()-lines-7, 0))
	}
	inner := widget.Window(area, 90, max(lines, 1)+shown+5, "Breakpoints", "")
	if len(rows) == 0 {
		inner.Text(1, 0, theme.Dim, "There are none.")
	}
	body := max(inner.H()-2-shown, 1)
	u.points.breakpoints.draw(inner.Area(canvas.Rect{W: inner.W(), H: body}), rows, true)
	if shown > 2 {
		inner.Fit(1, body+1, inner.W()-2, theme.Title, "Messages of logpoints")
		for i, m := range messages[max(0, len(messages)-shown+2):] {
			text := "event " + strconv.Itoa(m.Event+1) + "  " + m.Text
			inner.Fit(2, body+2+i, inner.W()-3, theme.Plain, text)
		}
	}
	hint := "space on/off  enter edit  delete  a add  " + u.keys.Key(keys.BreakOnError) + " any error  esc close"
	inner.Fit(1, inner.H()-1, inner.W()-2, theme.Hint, hint)
}
