package tui

import (
	"strconv"
	"strings"

	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/datatree"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// clamp keeps the cursor on a row and that row on the screen.
func (p *dataPane) clamp() {
	total := p.tree.Len()
	p.cursor = max(0, min(p.cursor, total-1))
	if !p.inNotes && !p.toChange && p.rows > 0 { // what comes into view is only known when the height is
		p.top = min(max(p.top, p.cursor-p.rows+1), p.cursor)
	}
	p.top = max(0, min(p.top, total-p.rows))
	p.left = max(0, p.left)
}

// scroll moves the cursor by rows, over into the notes above the data and back, and the data sideways by cells.
func (p *dataPane) scroll(rows, cells int) {
	p.toChange = false
	if rows != 0 {
		p.aim = ""
	}
	p.left += cells
	switch {
	case rows == 0:
	case p.inNotes:
		if p.notes.move(rows) && p.tree.Len() > 0 {
			p.inNotes = false
		}
	case rows < 0 && p.cursor == 0 && p.notes.reachable():
		p.inNotes = true
		p.notes.enter(rows == -widget.Far)
	default:
		p.cursor += rows
	}
	p.clamp()
}

// selectAt moves the cursor to line y of the inside of the pane.
func (p *dataPane) selectAt(y int) (same bool) {
	if at := y - p.notes.y; at >= 0 && at < p.notes.shown {
		same = p.inNotes && p.notes.cursor == p.notes.top+at
		p.inNotes, p.notes.cursor = true, p.notes.top+at
		return same
	}
	row := p.top + y - p.bodyY()
	if y < p.bodyY() || row >= p.tree.Len() {
		return false
	}
	same = !p.inNotes && p.cursor == row
	p.inNotes, p.cursor, p.aim = false, row, ""
	return same
}

// bodyY is the line of the inside at which the data begin.
func (p *dataPane) bodyY() int { return p.notes.y + p.notes.height }

// fold folds or unfolds what the cursor is at; false where there is nothing to fold.
func (p *dataPane) fold() bool {
	if p.inNotes {
		return p.notes.fold()
	}
	if p.tree.Len() == 0 {
		return false
	}
	row, ok := p.tree.Toggle(p.cursor)
	p.cursor, p.toChange, p.aim = row, false, ""
	p.clamp()
	return ok
}

// path is the JSONPath of the cursor in the document shown.
func (p *dataPane) path() string {
	if p.tree.Len() == 0 {
		return "$"
	}
	p.clamp()
	return p.tree.Row(p.cursor).Path()
}

// selected is the value at the cursor, nil where there is none.
func (p *dataPane) selected() value.Value {
	if p.tree.Len() == 0 {
		return nil
	}
	p.clamp()
	row := p.tree.Row(p.cursor)
	if row.Value() == nil { // a run: what it is a part of
		return p.shown()
	}
	return row.Value()
}

// find brings the next row with text into view, on from the cursor; by is 1 or -1. wrapped tells that it lies beyond
// an end.
func (p *dataPane) find(text string, by int) (wrapped, ok bool) {
	p.needle = strings.ToLower(text)
	row, wrapped, ok := p.tree.Find(text, p.cursor, by < 0)
	if !ok {
		return false, false
	}
	p.cursor, p.left, p.toChange, p.inNotes, p.aim = row, 0, false, false, ""
	p.clamp()
	return wrapped, true
}

// drawFoot writes into the lower border: the path of the cursor with its value, and which rows are on the screen.
func (p *dataPane) drawFoot(area canvas.Area, border canvas.Style) {
	y := area.H() - 1
	right := p.position()
	edge := area.W() - 2
	if right != "" && canvas.Width(right)+6 < area.W() {
		edge = area.Right(edge, y, border, " "+right+" ")
	}
	if p.tree.Len() == 0 || p.inNotes {
		return
	}
	row := p.tree.Row(p.cursor)
	path, about := row.Path(), "what did not change here"
	switch v := row.Value(); {
	case v != nil:
		about = aboutValue(v, area.Glyphs())
		if row.Change() == datatree.Removed {
			about += "  removed here"
		}
	case row.Change() == datatree.Removed:
		about = "what was replaced or removed here"
	}
	room := edge - 5
	if room < 8 {
		return
	}
	short := canvas.FitMiddle(path, room, area.Glyphs().Ellipsis)
	x := area.Text(2, y, theme.Title, " "+short+" ")
	if left := edge - x - 2; about != "" && left > 8 {
		x = area.Text(x, y, border, canvas.Fit(" "+about, left, area.Glyphs().Ellipsis)+" ")
	}
	if origin := p.origin(); origin != "" && edge-x > canvas.Width(origin)+3 {
		area.Text(x, y, theme.Dim, " "+origin+" ")
	}
}

// aboutValue says what a value is, its type and its size.
func aboutValue(v value.Value, g *canvas.Glyphs) string {
	const shown = 40
	size := explain.Size(value.Size(v))
	switch v := v.(type) {
	case *value.Object:
		return "object, " + explain.Plural(v.Len(), "member", "members") + ", " + size
	case *value.Array:
		return "array, " + explain.Plural(v.Len(), "item", "items") + ", " + size
	case value.Null:
		return "null"
	case value.String:
		return prose.Value(v, shown, g) + "  string, " + size
	}
	return prose.Value(v, shown, g) + "  " + value.KindOf(v)
}

// position says which rows are on the screen, where not all are.
func (p *dataPane) position() string {
	if n := p.tree.Len(); p.rows > 0 && n > p.rows {
		return strconv.Itoa(p.top+1) + "-" + strconv.Itoa(min(p.top+p.rows, n)) + " of " + strconv.Itoa(n)
	}
	return ""
}
