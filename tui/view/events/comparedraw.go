package events

import (
	"cmp"
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

// fact is something of the chosen pair that isn't data: its name, and its value on each side.
type fact struct{ what, left, right string }

// factsOf lists the differences of two events besides their data; of an event that is alone, its error.
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

// draw paints the events and the data: one below the other where there is enough height, else side by side, else the
// part that has the keys.
func (v *compareView) draw(inner widget.Frame) {
	w, h := inner.W(), inner.H()
	part := func(p part, r canvas.Rect) widget.Frame {
		f := inner.In(r)
		f.Focused = f.Focused && v.part == p
		return f
	}
	switch {
	case h >= bothHeight:
		v.prepare(w-2, inner.Glyphs())
		rows := v.eventRows(h)
		v.drawEvents(part(partEvents, canvas.Rect{W: w, H: rows}))
		v.drawDivider(inner.Area, rows)
		v.drawPair(part(partData, canvas.Rect{Y: rows + 1, W: w, H: h - rows - 1}))
	case w >= besideWidth:
		left := min(max(w/2, w-tree.MinColumns-2), max(w/2, 2*wide))
		v.prepare(w-left-3, inner.Glyphs())
		v.drawEvents(part(partEvents, canvas.Rect{W: left, H: h}))
		for y := range h {
			inner.Text(left, y, canvas.Border, inner.Glyphs().Box.Vertical)
		}
		v.drawData(part(partData, canvas.Rect{X: left + 1, W: w - left - 1, H: h}))
	case v.part == partEvents:
		v.prepare(w-2, inner.Glyphs())
		v.drawEvents(inner)
	default:
		v.prepare(w-2, inner.Glyphs())
		v.drawData(inner)
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
func (v *compareView) drawData(f widget.Frame) {
	style := canvas.Dim
	if f.Focused {
		style = canvas.Current
	}
	about := cmp.Or(v.about, "no data")
	f.Fit(1, 0, f.W()-2, style, about)
	v.drawPair(f.In(canvas.Rect{Y: 1, W: f.W(), H: max(f.H()-1, 0)}))
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
func (v *compareView) drawEvents(f widget.Frame) {
	head := 0
	if f.W() >= wide {
		column := half(f.Area)
		f.Fit(4, 0, column, canvas.Title, v.nameOf(0))
		f.Fit(4+column+1, 0, column, canvas.Title, v.nameOf(1))
		head = 1
	}
	digits := len(strconv.Itoa(max(v.left.Len(), v.right.Len())))
	v.Paint = func(line canvas.Area, i int, _ []int) { v.drawEventRow(line, i, digits) }
	list := f.In(canvas.Rect{Y: head, W: f.W(), H: max(f.H()-head, 1)})
	v.Draw(list)
	list.Mouse(func(x, y int) {
		v.part = partEvents
		v.Click(x, y)
	}, v.Move)
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
func (v *compareView) drawPair(at widget.Frame) {
	area, g := at.Area, at.Glyphs()
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
	if v.data.Tree == nil {
		return
	}
	body := at.In(canvas.Rect{X: 1, Y: y, W: area.W() - 1, H: area.H() - y})
	v.data.Open = func() { v.data.Toggle() }
	v.data.Draw(body)
	body.Mouse(func(x, y int) {
		v.part = partData
		v.data.Click(x, y)
	}, v.data.Move)
}
