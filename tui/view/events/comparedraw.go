package events

import (
	"strconv"
	"strings"
	"time"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
)

// bothHeight is the height, in lines, from which on the events and the data are on the screen together.
const bothHeight = 16

// wide is the width, in cells, from which on the events have a column for each run.
const wide = 60

// fact is something of the chosen pair that is no data: its name, and its value on each side.
type fact struct{ what, left, right string }

// factsOf lists the differences of two events besides their data; of an event that stands alone, its error.
func factsOf(left, right *engine.Event, differs []string, start time.Time, g *canvas.Glyphs) []fact {
	var facts []fact
	add := func(what string, text func(*engine.Event) string) {
		f := fact{what: what}
		if left != nil {
			f.left = text(left)
		}
		if right != nil {
			f.right = text(right)
		}
		if f.left != "" || f.right != "" {
			facts = append(facts, f)
		}
	}
	if left == nil || right == nil {
		differs = []string{"error", "cause"}
	}
	for _, what := range differs {
		switch what {
		case "before", "after":
		case "time":
			add(what, func(e *engine.Event) string { return explain.SinceStart(start, e.At()) })
		case "thread":
			add(what, func(e *engine.Event) string { return strconv.FormatInt(int64(e.Thread), 10) })
		case "type":
			add(what, func(e *engine.Event) string { return e.Type.String() })
		case "state":
			add(what, explain.EventPlace)
		case "error":
			add(what, func(e *engine.Event) string { return failureField(e).Name })
		case "cause":
			add(what, func(e *engine.Event) string { return failureField(e).Cause })
		case "next":
			add(what, func(e *engine.Event) string {
				if d, ok := e.Detail.(*engine.ExitDetail); ok {
					return d.Next
				}
				return ""
			})
		case "until", "due":
			add(what, func(e *engine.Event) string {
				switch d := e.Detail.(type) {
				case *engine.WaitDetail:
					return explain.SinceStart(start, d.Until)
				case *engine.RetryDetail:
					return explain.SinceStart(start, d.Due)
				}
				return ""
			})
		default:
			add(what, func(e *engine.Event) string {
				if v := runlog.Member(e, what); v != nil {
					return value.Compact(v)
				}
				return ""
			})
		}
	}
	return facts
}

// failureField is the error that an event is about, an empty one where it is about none.
func failureField(e *engine.Event) *engine.Failure {
	switch d := e.Detail.(type) {
	case *engine.RetryDetail:
		if d.Failure != nil {
			return d.Failure
		}
	case *engine.CatchDetail:
		if d.Failure != nil {
			return d.Failure
		}
	}
	if f := e.Failure(); f != nil {
		return f
	}
	return &engine.Failure{}
}

// besideWidth is the width, in cells, from which on a low pane has the events and the data side by side.
const besideWidth = 64

// draw paints the events and the data: one below the other where there is enough height, else side by side, else the part that has
// the keys.
func (v *compareView) draw(inner canvas.Area, focused bool) {
	w, h := inner.W(), inner.H()
	switch {
	case h >= bothHeight:
		v.prepare(w-2, inner.Glyphs())
		rows := v.eventRows(h)
		v.drawEvents(inner.Area(canvas.Rect{W: w, H: rows}), focused && v.part == partEvents)
		v.drawDivider(inner, rows)
		v.drawPair(inner.Area(canvas.Rect{Y: rows + 1, W: w, H: h - rows - 1}), focused && v.part == partData)
	case w >= besideWidth:
		left := min(max(w/2, w-tree.MinColumns-2), max(w/2, 2*wide))
		v.prepare(w-left-3, inner.Glyphs())
		v.drawEvents(inner.Area(canvas.Rect{W: left, H: h}), focused && v.part == partEvents)
		for y := range h {
			inner.Text(left, y, canvas.Border, inner.Glyphs().Box.Vertical)
		}
		v.drawData(inner.Area(canvas.Rect{X: left + 1, W: w - left - 1, H: h}), focused && v.part == partData)
	case v.part == partEvents:
		v.prepare(w-2, inner.Glyphs())
		v.drawEvents(inner, focused)
	default:
		v.prepare(w-2, inner.Glyphs())
		v.drawData(inner, focused)
	}
}

// eventRows is how many lines the events take: no more than there are, and no more than leave the data their part.
func (v *compareView) eventRows(rows int) int {
	return min(v.c.Len()+1, max(rows*45/100, 6))
}

// title names the runs.
func (v *compareView) title() string {
	if v.a == 0 && !v.versions {
		return "recorded beside this run"
	}
	return v.nameOf(0) + " beside " + v.nameOf(1)
}

// drawData paints the data below their name.
func (v *compareView) drawData(area canvas.Area, focused bool) {
	style := canvas.Dim
	if focused {
		style = canvas.Current
	}
	about := v.about
	if about == "" {
		about = "no data"
	}
	area.Fit(1, 0, area.W()-2, style, about)
	v.drawPair(area.Area(canvas.Rect{Y: 1, W: area.W(), H: max(area.H()-1, 0)}), focused)
}

func (v *compareView) drawDivider(inner canvas.Area, y int) {
	inner.Line(0, y, inner.W(), canvas.Border)
	if v.about == "" {
		inner.Text(2, y, canvas.Dim, " no data ")
		return
	}
	style := canvas.Dim
	if v.part == partData {
		style = canvas.Current
	}
	inner.Fit(2, y, inner.W()-4, style, " "+v.about+" ")
}

// drawEvents paints the events of both runs in step, below the names of the runs.
func (v *compareView) drawEvents(area canvas.Area, focused bool) {
	head := 0
	if area.W() >= wide {
		column := half(area)
		area.Fit(4, 0, column, canvas.Title, v.nameOf(0))
		area.Fit(4+column+1, 0, column, canvas.Title, v.nameOf(1))
		head = 1
	}
	v.Height, v.head, v.width = max(area.H()-head, 1), head, area.W()
	if v.opened {
		v.opened = false
		v.Top = v.Cursor - v.Height/3
	}
	v.Top = max(0, min(max(v.Top, v.Cursor-v.Height+1), v.Cursor))
	if v.Top == v.Cursor && v.Top > 0 && v.Height > 3 {
		v.Top-- // so that the lines before a difference are seen
	}
	digits := len(strconv.Itoa(max(v.left.Len(), v.right.Len())))
	for y := 0; y < v.Height && v.Top+y < v.c.Len(); y++ {
		line := area.Row(head + y)
		v.drawEventRow(line, v.Top+y, digits)
		if v.Top+y == v.Cursor {
			line.Text(0, 0, canvas.Current, area.Glyphs().Pointer)
			if focused {
				line.Mark(0)
			}
		}
	}
	widget.Scrollbar(area.Area(canvas.Rect{Y: head, W: area.W(), H: area.H() - head}), v.Top, v.c.Len())
}

// half is the width of one of two columns.
func half(area canvas.Area) int { return (area.W() - 5) / 2 }

// drawEventRow paints a pair of events, or in one column the newer of the two.
func (v *compareView) drawEventRow(line canvas.Area, i, digits int) {
	g, row := line.Glyphs(), v.c.Row(i)
	sign, style := " ", canvas.Plain
	switch {
	case row.A < 0:
		sign, style = g.Added, canvas.Added
	case row.B < 0:
		sign, style = g.Removed, canvas.Removed
	case len(row.Differs) > 0:
		sign, style = g.Changed, canvas.Warn
	}
	line.Text(1, 0, style, sign)
	side := func(x, room int, log *runlog.Log, at int, differs []string) {
		if at < 0 {
			return
		}
		e := log.At(at)
		line.Right(x+digits, 0, canvas.Dim, strconv.FormatInt(e.Seq, 10))
		line.Fit(x+digits+1, 0, room-digits-1, style, eventText(e, differs))
	}
	column := half(line)
	switch {
	case line.W() >= wide:
		line.Text(3+column, 0, canvas.Border, g.Box.Vertical)
		side(3, column-1, v.left, row.A, nil)
		side(5+column, column-1, v.right, row.B, row.Differs)
	case row.B >= 0:
		side(3, line.W()-4, v.right, row.B, row.Differs)
	default:
		side(3, line.W()-4, v.left, row.A, nil)
	}
}

// eventText names an event and its differences.
func eventText(e *engine.Event, differs []string) string {
	text := explain.EventName(e)
	if place := explain.EventPlace(e); place != "" {
		text = place + " " + text
	}
	if len(differs) > 0 {
		text += ": " + strings.Join(differs, ", ")
	}
	return text
}

// drawPair paints the differences of the chosen events, and their data.
func (v *compareView) drawPair(area canvas.Area, focused bool) {
	g := area.Glyphs()
	column, y := half(area), 0
	for _, f := range v.facts {
		if y >= max(area.H()/2, 1) {
			break
		}
		label := f.what + " "
		if f.left != "" && f.right != "" {
			room := column
			if area.W() < wide {
				room = (area.W() - 6) / 2
			}
			f.left, f.right = value.Window(f.left, f.right, max(room-len(label), 8))
		}
		switch {
		case f.left == "" || f.right == "" || area.W() < wide:
			text := f.left
			if f.right != "" && f.left != "" {
				text += " " + g.To + " "
			}
			area.Fit(2, y, area.W()-3, canvas.Warn, label+text+f.right)
		default:
			area.Fit(2, y, column, canvas.Warn, label+f.left)
			area.Text(3+column, y, canvas.Border, g.Box.Vertical)
			area.Fit(5+column, y, column-1, canvas.Warn, f.right)
		}
		y++
	}
	if v.tree == nil {
		return
	}
	v.drawTree(area.Area(canvas.Rect{X: 1, Y: y, W: area.W() - 1, H: area.H() - y}), focused)
}

func (v *compareView) drawTree(area canvas.Area, focused bool) {
	d := &v.data
	d.rows = max(area.H(), 1)
	total := v.tree.Len()
	d.cursor = max(0, min(d.cursor, total-1))
	d.top = max(0, min(min(max(d.top, d.cursor-d.rows+1), d.cursor), total-d.rows))
	body := area.Area(canvas.Rect{X: 1, W: area.W() - 2, H: area.H()})
	for y := 0; y < area.H() && d.top+y < total; y++ {
		v.tree.Draw(body, y, d.top+y, d.left, "")
		if focused && d.top+y == d.cursor {
			area.Text(0, y, canvas.Current, area.Glyphs().Pointer)
			area.MarkSpan(0, y, 1)
		}
	}
	widget.Scrollbar(area, d.top, total)
}
