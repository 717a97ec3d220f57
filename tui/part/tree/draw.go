package tree

import (
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// gutter is the width for the sign at the beginning of a row.
const gutter = 2

// MinColumns is the least width, in cells, on which two columns can be read.
const MinColumns = 52

// Draw paints row i on line y of area, scrolled left cells to the side. needle is a text in lower case to be marked, or
// empty. Text that does not fit ends with an ellipsis.
func (t *Tree) Draw(area canvas.Area, y, i, left int, needle string) {
	row := t.Row(i)
	if !t.columns {
		t.drawSide(area, y, row, left, needle, row.change == Removed)
		return
	}
	half := (area.W() - 3) / 2
	if row.change != Added {
		t.drawSide(area.Area(canvas.Rect{W: half, H: area.H()}), y, row, left, needle, true)
	}
	area.Text(half+1, y, canvas.Border, area.Glyphs().Box.Vertical)
	if row.change != Removed {
		t.drawSide(area.Area(canvas.Rect{X: half + 3, W: area.W() - half - 3, H: area.H()}), y, row, left, needle, false)
	}
}

// drawSide paints a row as it is before, or as it is after.
func (t *Tree) drawSide(area canvas.Area, y int, row Row, left int, needle string, before bool) {
	g := area.Glyphs()
	style, part := canvas.Plain, canvas.Plain
	switch {
	case row.change == Same:
	case row.change == Inside:
		if !row.open {
			area.Text(0, y, canvas.Changed, g.Changed)
		}
	case before:
		style, part = canvas.Removed, canvas.RemovedPart
	default:
		style, part = canvas.Added, canvas.AddedPart
	}
	if sign := row.sign(g); sign != "" {
		area.Text(0, y, style, sign)
	}
	body := area.Area(canvas.Rect{X: gutter, W: area.W() - gutter, H: area.H()})
	line := t.line(row, before)
	var end int
	if row.group {
		end = body.Text(2*int(line.Depth)-left, y, or(style, canvas.Dim), row.runText(g.Ellipsis))
	} else {
		x := -left - t.window(row, &line, before, body.W(), g.Ellipsis)
		end = line.Draw(body, x, y, style)
		t.markChange(body, row, line, x, y, before, part)
		if row.Part != Close {
			markNeedle(body, line.Text(g.Ellipsis), x, y, needle)
		}
		if x < -left {
			body.Text(0, y, canvas.Dim, g.Ellipsis)
		}
	}
	if end > body.W() {
		body.Right(body.W(), y, canvas.Dim, g.Ellipsis)
	}
}

func or(style, other canvas.Style) canvas.Style {
	if style == canvas.Plain {
		return other
	}
	return style
}

func (r Row) sign(g *canvas.Glyphs) string {
	switch r.change {
	case Added:
		return g.Added
	case Removed:
		return g.Removed
	case Replaced:
		return g.Changed
	case Same, Inside:
	}
	return ""
}

// line is the row's line of JSON.
func (t *Tree) line(r Row, before bool) Line {
	l := Line{
		Key: r.key, HasKey: r.member, Value: r.value(), Depth: r.depth(), Part: r.Part, Comma: r.more && r.Part != Open, Inside: r.texts != nil,
	}
	if before && r.before != nil {
		l.Value = r.before
	}
	if r.Part == Whole && !r.group && length(l.Value) > 0 {
		l.Note = t.note(r.Node, l.Value)
	}
	l.Exact = t.looksLikeOther(r, l, before)
	return l
}

// note describes the content of a folded container.
func (t *Tree) note(n *Node, v value.Value) string {
	count := length(v)
	if t.differs && n.change == Same {
		return strconv.Itoa(count) + " unchanged"
	}
	text := "item"
	if v.Kind() == value.KindObject {
		text = "member"
	}
	if count != 1 {
		text += "s"
	}
	text = strconv.Itoa(count) + " " + text
	switch n.change {
	case Inside:
		text += ", changed inside"
	case Removed, Added:
		text += ", " + strconv.Itoa(value.Lines(v)) + " lines"
	case Same, Replaced:
	}
	return text
}

// runText is the row of a run that is folded.
func (r Row) runText(ellipsis string) string {
	lines, v := 0, r.value()
	for i := range r.children {
		_, _, child := part(v, r.from+i)
		lines += value.Lines(child)
	}
	text := strconv.Itoa(lines) + " unchanged lines"
	if r.change == Removed {
		text = strconv.Itoa(len(r.children)) + " items replaced"
		if v.Kind() == value.KindObject {
			text = r.names(v) + " replaced"
		}
	}
	return ellipsis + " " + text + " " + ellipsis
}

// maxNames is the greatest number of members that a folded run names.
const maxNames = 8

// names lists the members of a run.
func (r Row) names(v value.Value) string {
	var names []string
	for i := range r.children {
		if len(names) == maxNames {
			names = append(names, "and "+strconv.Itoa(len(r.children)-maxNames)+" more")
			break
		}
		key, _, _ := part(v, r.from+i)
		names = append(names, wording.Line(key))
	}
	return strings.Join(names, ", ")
}

// counterpart is the scalar on the other side, nil where there is none.
func (r Row) counterpart(before bool) (v value.Value, ok bool) {
	switch {
	case r.change == Replaced && before:
		return r.after, true
	case r.change == Replaced:
		return r.before, true
	case r.other != nil && r.Part == Whole && !r.other.open:
		return r.other.value(), true
	}
	return nil, false
}

// leastChange is how many cells of a change are on the screen.
const leastChange = 8

// window begins a text shortly before its first change where that is not on the screen otherwise. It returns how many
// cells of the line are left out besides, where a change is far to the right all the same.
func (t *Tree) window(r Row, l *Line, before bool, cells int, ellipsis string) (skip int) {
	column := func() int {
		other, ok := t.otherLine(r, *l, before)
		if !ok {
			return 0
		}
		mine := l.Text(ellipsis)
		return canvas.Column(mine, value.Common(other.Text(ellipsis), mine))
	}
	at := column()
	if at+leastChange <= cells {
		return 0
	}
	a, b, ok := r.Texts()
	if ok && r.texts == nil {
		empty := *l
		empty.Value = value.String("")
		room := cells - canvas.Width(empty.Text(ellipsis))
		l.From = value.Before(a, value.Common(a, b), max(room/3, 4))
		at = column()
	}
	if at+leastChange > cells {
		return at - cells/2
	}
	return 0
}

// otherLine is the line on the other side in place of a scalar.
func (t *Tree) otherLine(r Row, l Line, before bool) (other Line, ok bool) {
	v, ok := r.counterpart(before)
	if !ok || length(v) > 0 || length(l.Value) > 0 {
		return l, false
	}
	l.Value = v
	return l, true
}

// looksLikeOther reports whether a line and its counterpart have no visible difference.
func (t *Tree) looksLikeOther(r Row, l Line, before bool) bool {
	other, ok := t.otherLine(r, l, before)
	return ok && wording.Bare(l.Text("")) == wording.Bare(other.Text(""))
}

// markChange paints again the part of the line that differs from its counterpart.
func (t *Tree) markChange(area canvas.Area, r Row, l Line, x, y int, before bool, style canvas.Style) {
	l.Comma = false
	other, ok := t.otherLine(r, l, before)
	if !ok {
		return
	}
	ellipsis := area.Glyphs().Ellipsis
	mine := l.Text(ellipsis)
	for _, span := range value.Changed(other.Text(ellipsis), mine) {
		from, to := canvas.Whole(mine, span.From, span.To)
		area.Text(x+canvas.Column(mine, from), y, style, mine[from:to])
	}
}

// markNeedle marks every place of a line with a text.
func markNeedle(area canvas.Area, text string, x, y int, needle string) {
	for at := 0; needle != ""; {
		found := Index(text[at:], needle)
		if found < 0 {
			return
		}
		at += found
		end := min(at+len(needle), len(text))
		from, to := canvas.Whole(text, at, end)
		area.MarkSpan(x+canvas.Column(text, from), y, canvas.Width(text[from:to]))
		at = end
	}
}

// Text returns row i as text with its sign: for tests and copies.
func (t *Tree) Text(i int) string {
	row := t.Row(i)
	g := canvas.Unicode()
	sign := row.sign(g)
	if sign == "" {
		sign = " "
		if row.change == Inside && !row.open {
			sign = g.Changed
		}
	}
	l := t.line(row, row.change == Removed)
	if row.group {
		return sign + " " + strings.Repeat("  ", int(l.Depth)) + row.runText(g.Ellipsis)
	}
	return sign + " " + l.Text(g.Ellipsis)
}
