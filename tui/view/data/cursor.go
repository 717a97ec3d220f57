package data

import (
	"strconv"

	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// clamp keeps the cursor on a row.
func (p *Pane) clamp() {
	p.doc.Step(0, p.doc.Count())
	p.doc.Aside(0)
}

// Move moves the cursor by rows, over into the notes above the data and back, and the data sideways
// by cells.
func (p *Pane) Move(rows, cells int) {
	if p.view == Definition {
		p.Text().Move(rows, cells)
		return
	}
	if p.pollsShown() {
		p.movePolls(rows)
		return
	}
	if rows != 0 {
		p.aim = ""
	}
	p.doc.Left += cells
	switch {
	case rows == 0:
	case p.inNotes:
		if p.notes.Move(rows) && p.doc.Tree.Len() > 0 {
			p.inNotes = false
		}
	case rows < 0 && p.doc.Cursor == 0 && p.notes.Reachable():
		p.inNotes = true
		p.notes.Enter(rows == -widget.Far)
	default:
		p.doc.Cursor += rows
	}
	p.clamp()
}

// Handle implements [view.View]: it takes the keys that move the selection.
func (p *Pane) Handle(k keys.Press) bool { return view.MoveBy(k.Action, p.Page(), p.Move) }

// Page returns the number of rows that were on the screen when the pane was last drawn.
func (p *Pane) Page() int {
	if p.view == Definition {
		return p.Text().Rows()
	}
	return p.doc.Height()
}

// clickText moves the cursor in the text of the definition, and folds the line under the cursor.
func (p *Pane) clickText(_, y int) {
	if p.Text().SelectAt(y) {
		p.Text().toggleLine()
	}
}

// clickNotes moves the cursor into the notes, and folds a paragraph that has it already.
func (p *Pane) clickNotes(_, y int) {
	ok, same := p.notes.SelectAt(y)
	if ok && same && p.inNotes {
		p.fold()
	}
	p.inNotes = p.inNotes || ok
}

// clickRow moves the cursor to a row of the data, and folds one that has it already.
func (p *Pane) clickRow(x, y int) {
	if _, ok := p.doc.AtLine(y); !ok {
		return
	}
	if p.doc.Open = nil; !p.inNotes {
		p.doc.Open = func() { p.fold() }
	}
	p.inNotes, p.aim = false, ""
	p.doc.Click(x, y)
}

// scroll moves the cursor by rows, as the wheel does.
func (p *Pane) scroll(rows int) { p.Move(rows, 0) }

// fold folds or unfolds the node at the cursor, and reports whether there is one.
func (p *Pane) fold() bool {
	if p.inNotes {
		return p.notes.Fold()
	}
	if p.doc.Tree.Len() == 0 {
		return false
	}
	p.aim = ""
	return p.doc.Toggle()
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
	if p.doc.Tree.Len() == 0 {
		return "$"
	}
	p.clamp()
	return p.doc.Tree.Row(p.doc.Cursor).Path()
}

// Aim moves the cursor to a path, where the document that is shown has it.
func (p *Pane) Aim(path string) {
	if row, there := p.doc.Tree.Reveal(path); there {
		p.inNotes, p.doc.Cursor, p.aim = false, row, ""
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
	if p.doc.Tree.Len() == 0 {
		return nil
	}
	p.clamp()
	row := p.doc.Tree.Row(p.doc.Cursor)
	if row.Value() == nil { // lines that did not change: the whole
		return p.Document()
	}
	return row.Value()
}

// ClearSearch takes the marks of the text that was searched for off the data.
func (p *Pane) ClearSearch() { p.doc.Needle = "" }

// Find implements [view.Pane].
func (p *Pane) Find(text string, by int) (wrapped, ok bool) {
	if p.view == Definition {
		return p.Text().Find(text, by)
	}
	if wrapped, ok = p.doc.Find(text, by); ok {
		p.doc.Left, p.inNotes, p.aim = 0, false, ""
	}
	return wrapped, ok
}

// drawFoot writes the path of the cursor with its value, and the numbers of the rows on the screen, into the last row.
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
	if p.doc.Tree.Len() == 0 || p.inNotes {
		return
	}
	row := p.doc.Tree.Row(p.doc.Cursor)
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
	if p.openQuestion(p.screen.Selection()) != nil { // its payload has the rows of the data
		return ""
	}
	if n := p.doc.Tree.Len(); p.doc.Height() > 0 && n > p.doc.Height() {
		return strconv.Itoa(p.doc.Top()+1) + "-" + strconv.Itoa(min(p.doc.Top()+p.doc.Height(), n)) + " of " + strconv.Itoa(n)
	}
	return ""
}
