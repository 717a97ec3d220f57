package data

import (
	"strconv"
	"strings"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// clamp keeps the cursor on a row and that row on the screen.
func (p *Pane) clamp() {
	total := p.tree.Len()
	p.cursor = max(0, min(p.cursor, total-1))
	if !p.inNotes && !p.toChange && p.rows > 0 { // which rows are in view depends on the height
		p.top = min(max(p.top, p.cursor-p.rows+1), p.cursor)
	}
	p.top = max(0, min(p.top, total-p.rows))
	p.left = max(0, p.left)
}

// Move implements [pane.Pane]: it moves the cursor by rows, over into the notes above the data and back, and the data sideways
// by cells.
func (p *Pane) Move(rows, cells int) {
	if p.view == Definition {
		p.Text().Move(rows, cells)
		return
	}
	p.toChange = false
	if rows != 0 {
		p.aim = ""
	}
	p.left += cells
	switch {
	case rows == 0:
	case p.inNotes:
		if p.notes.Move(rows) && p.tree.Len() > 0 {
			p.inNotes = false
		}
	case rows < 0 && p.cursor == 0 && p.notes.Reachable():
		p.inNotes = true
		p.notes.Enter(rows == -widget.Far)
	default:
		p.cursor += rows
	}
	p.clamp()
}

// Pan implements [pane.Pane].
func (p *Pane) Pan(rows int) { p.Move(rows, 0) }

// Need implements [pane.Pane].
func (p *Pane) Need(w, h int) int {
	rows := p.tree.Len()
	if p.view == Definition {
		rows = view.Plenty
	}
	if p.screen.Selection().Visit != nil && !p.explanation.atFailedEnd() {
		rows += max(prose.Height, prose.StoryRows(&p.screen.Selection().VisitStages, p.screen.Selection().Now)) + 2
	}
	if lines := p.notes.Lines(w); lines > 0 {
		rows += lines + 1
	}
	return rows
}

// Page implements [pane.Pane].
func (p *Pane) Page() int { return p.rows }

// Click implements [pane.Pane]: it moves the cursor, and folds a row that has it already.
func (p *Pane) Click(_, y int) {
	if p.view == Definition {
		if p.Text().SelectAt(y - p.above) {
			p.Text().toggleLine()
		}
		return
	}
	if p.selectAt(y - p.above) {
		p.fold()
	}
}

// selectAt moves the cursor to a line below the strip, and reports whether it was there.
func (p *Pane) selectAt(y int) (same bool) {
	if ok, same := p.notes.SelectAt(y); ok {
		same = same && p.inNotes
		p.inNotes = true
		return same
	}
	row := p.top + y - p.notes.Below()
	if y < p.notes.Below() || row >= p.tree.Len() {
		return false
	}
	same = !p.inNotes && p.cursor == row
	p.inNotes, p.cursor, p.aim = false, row, ""
	return same
}

// fold folds or unfolds the node at the cursor, and reports whether there is one.
func (p *Pane) fold() bool {
	if p.inNotes {
		return p.notes.Fold()
	}
	if p.tree.Len() == 0 {
		return false
	}
	row, ok := p.tree.Toggle(p.cursor)
	p.cursor, p.toChange, p.aim = row, false, ""
	p.clamp()
	return ok
}

// Path returns the path of the cursor in the document that is shown.
func (p *Pane) Path() string {
	if p.view == Definition {
		if event, path, ok := p.Text().Reading(); ok && event == p.screen.Selection().Index {
			return path
		}
	}
	if p.NoData() != "" {
		return "$" // the tree has no paths of the run
	}
	return p.treePath()
}

// treePath returns the path of the cursor in the tree of the data.
func (p *Pane) treePath() string {
	if p.tree.Len() == 0 {
		return "$"
	}
	p.clamp()
	return p.tree.Row(p.cursor).Path()
}

// Aim moves the cursor to a path, where the document that is shown has it.
func (p *Pane) Aim(path string) {
	if row, there := p.tree.Reveal(path); there {
		p.inNotes, p.toChange, p.cursor, p.aim = false, false, row, ""
		p.clamp()
	}
}

// Chosen reports whether the cursor was moved to a value: it is not in the notes, nor at the beginning of the document.
func (p *Pane) Chosen() bool { return !p.inNotes && p.Path() != "$" }

// Selected returns the value at the cursor, nil where there is none.
func (p *Pane) Selected() value.Value {
	if p.view == Definition {
		return p.Text().selected()
	}
	if p.tree.Len() == 0 {
		return nil
	}
	p.clamp()
	row := p.tree.Row(p.cursor)
	if row.Value() == nil { // lines that did not change: the whole
		return p.Document()
	}
	return row.Value()
}

// ClearSearch takes the marks of the text that was searched for off the data.
func (p *Pane) ClearSearch() { p.needle = "" }

// Find implements [pane.Pane].
func (p *Pane) Find(text string, by int) (wrapped, ok bool) {
	if p.view == Definition {
		return p.Text().Find(text, by)
	}
	p.needle = strings.ToLower(text)
	row, wrapped, ok := p.tree.Find(text, p.cursor, by < 0)
	if !ok {
		return false, false
	}
	p.cursor, p.left, p.toChange, p.inNotes, p.aim = row, 0, false, false, ""
	p.clamp()
	return wrapped, true
}

// drawFoot writes the path of the cursor with its value, and the numbers of the rows on the screen, into the lower border.
func (p *Pane) drawFoot(area canvas.Area, border canvas.Style) {
	y := area.H() - 1
	right := p.position()
	edge := area.W() - 2
	if right != "" && canvas.Width(right)+6 < area.W() {
		edge = area.Right(edge, y, border, " "+right+" ")
	}
	if p.view == Definition {
		if title, about := p.Text().foot(area.Glyphs()); title != "" && edge > 13 {
			x := area.Text(2, y, canvas.Title, " "+canvas.FitMiddle(title, edge-5, area.Glyphs().Ellipsis)+" ")
			if left := edge - x - 2; about != "" && left > 8 {
				area.Text(x, y, border, canvas.Fit(" "+about, left, area.Glyphs().Ellipsis)+" ")
			}
		}
		return
	}
	if p.tree.Len() == 0 || p.inNotes {
		return
	}
	row := p.tree.Row(p.cursor)
	path, about := row.Path(), "unchanged lines"
	if name := p.NoData(); name != "" {
		path = name
	}
	switch v := row.Value(); {
	case v != nil:
		about = aboutValue(v, area.Glyphs())
		if row.Change() == tree.Removed {
			about += "  removed here"
		}
	case row.Change() == tree.Removed:
		about = "replaced or removed here"
	}
	if row.InText() {
		about = "in its JSON: " + about
	}
	width := edge - 5
	if width < 8 {
		return
	}
	short := canvas.FitMiddle(path, width, area.Glyphs().Ellipsis)
	x := area.Text(2, y, canvas.Title, " "+short+" ")
	if left := edge - x - 2; about != "" && left > 8 {
		x = area.Text(x, y, border, canvas.Fit(" "+about, left, area.Glyphs().Ellipsis)+" ")
	}
	if origin := p.originText(); origin != "" && edge-x > canvas.Width(origin)+3 {
		area.Text(x, y, canvas.Dim, " "+origin+" ")
	}
}

// aboutValue names the type of a value and its size.
func aboutValue(v value.Value, g *canvas.Glyphs) string {
	const shown = 40
	size := wording.Size(value.Size(v))
	switch v := v.(type) {
	case *value.Object:
		return "object, " + wording.Count(v.Len(), "member") + ", " + size
	case *value.Array:
		return "array, " + wording.Count(v.Len(), "item") + ", " + size
	case value.Null:
		return "null"
	case value.String:
		return prose.Value(v, shown, g) + "  string, " + size
	}
	return prose.Value(v, shown, g) + "  " + value.KindOf(v)
}

// position returns the numbers of the rows on the screen, where not all are.
func (p *Pane) position() string {
	if p.view == Definition {
		text := "line " + strconv.Itoa(p.Text().Number(p.Text().Cursor())) + " of " + strconv.Itoa(p.Text().Number(p.Text().Len()-1))
		if n := len(p.options.Problems()); n > 0 {
			text += "; " + p.screen.Key(keys.AddWatch) + " next of " + wording.Count(n, "warning")
		}
		return text
	}
	if n := p.tree.Len(); p.rows > 0 && n > p.rows {
		return strconv.Itoa(p.top+1) + "-" + strconv.Itoa(min(p.top+p.rows, n)) + " of " + strconv.Itoa(n)
	}
	return ""
}
