package tui

import (
	"strconv"

	"asldb/engine/diff"
	"asldb/engine/value"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/datatree"
	"asldb/tui/part/prose"
	"asldb/tui/part/strip"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// dataView is which side of the data is shown.
type dataView uint8

const (
	viewDiff dataView = iota
	viewSide
	viewBefore
	viewAfter
	viewCount
)

func (v dataView) String() string { return [...]string{"diff", "side", "before", "after"}[v] }

// dataPane shows the stage strip, what the event means in words, and the data as a tree with a cursor.
type dataPane struct {
	view    dataView
	folding datatree.Folding

	selection *pane.Selection
	notes     notes
	tree      *datatree.Tree
	// reason is what the status line has no room to say about why the run stands still.
	reason string
	// origin says where the value at the cursor came from, or "".
	origin func() string
	// unchanged: before and after are the same.
	unchanged bool
	note      string // about the data: how much changed, how large it is
	// cursor is the selected row, top and left are the first row and the first cell on the screen. toChange asks for
	// the first change to be brought into view as soon as the height is known. inNotes: the cursor is in the notes.
	cursor, top, left int
	toChange, inNotes bool
	// aim is the path that the person has chosen, where the cursor could not stay at it: another view may have it.
	aim    string
	needle string // in lower case: what was looked for, which is marked

	measured value.Value // what size was found of
	size     int
	rows     int // on the screen when it was last drawn
	width    int
	above    int // lines of the inside above the notes and the data
	stages   []strip.Spot
}

// show looks at another event; words explain it.
func (p *dataPane) show(s *pane.Selection, words []para, g *canvas.Glyphs) {
	p.selection = s
	p.notes.set(words)
	p.folding = datatree.Usual
	p.build(g)
	p.cursor, p.top, p.left, p.toChange, p.aim = 0, 0, 0, p.tree.Differs(), ""
	if p.toChange {
		p.cursor = p.tree.FirstChange() // keys may come before the next frame
	}
	p.inNotes = p.tree.Len() == 0
}

// build makes the tree of the data in the present view.
func (p *dataPane) build(g *canvas.Glyphs) {
	p.unchanged, p.note = false, ""
	m := p.selection
	switch {
	case p.view == viewBefore:
		p.tree = datatree.OfValue(m.Before, p.folding)
	case p.view == viewAfter || m.Before == nil:
		p.tree = datatree.OfValue(m.After, p.folding)
	case m.After == nil:
		p.tree, p.note = datatree.OfValue(m.Before, p.folding), "what the stage read"
	default:
		p.buildDiff(g)
	}
	if m.Event != nil && m.Source != m.Event {
		p.note = "the data of event " + strconv.FormatInt(m.Source.Seq, 10)
	}
}

func (p *dataPane) buildDiff(g *canvas.Glyphs) {
	m := p.selection
	counts := diff.Count(m.Before, m.After)
	if p.unchanged = counts.Zero(); p.unchanged {
		p.tree, p.note = datatree.OfValue(m.After, p.folding), "no change"
		return
	}
	layout := datatree.Unified
	if p.view == viewSide && p.width >= datatree.MinColumns {
		layout = datatree.SideBySide
	}
	p.tree, p.note = datatree.OfDifference(m.Before, m.After, layout, p.folding), prose.Changes(counts, g)
	if p.view == viewSide && layout == datatree.Unified {
		p.note = "needs " + strconv.Itoa(datatree.MinColumns) + " cells"
	}
}

// rebuild makes the tree anew, the cursor staying where it is as far as that is still there.
func (p *dataPane) rebuild(g *canvas.Glyphs) {
	path := p.path()
	p.build(g)
	p.cursor, p.toChange = p.tree.Locate(path), false
	p.inNotes = p.inNotes || p.tree.Len() == 0
}

// setView changes the view. The cursor stays at its path, and what is folded around that is unfolded; missing is the
// path where the view does not have it. A later view that has it goes back to it.
func (p *dataPane) setView(v dataView, g *canvas.Glyphs) (missing string) {
	path := p.path()
	if p.aim != "" {
		path = p.aim
	}
	p.view = v
	p.rebuild(g)
	row, there := p.tree.Reveal(path)
	p.cursor, p.aim = row, ""
	if there || p.tree.Len() == 0 {
		return ""
	}
	p.aim = path
	return path
}

// foldAll goes on from one folding of everything to the next, and says which it is.
func (p *dataPane) foldAll(g *canvas.Glyphs) string {
	p.folding = (p.folding + 1) % (datatree.AllFolded + 1)
	if p.folding == datatree.AllOpen && !p.tree.Differs() {
		p.folding = datatree.AllFolded // a value usually is unfolded
	}
	p.rebuild(g)
	switch p.folding {
	case datatree.AllOpen:
		return "Everything is unfolded."
	case datatree.AllFolded:
		return "Everything is folded."
	}
	return "Folded as usual."
}

// shown is the value whose size is told.
func (p *dataPane) shown() value.Value {
	if p.view == viewBefore || p.selection.After == nil {
		return p.selection.Before
	}
	return p.selection.After
}

// draw paints the pane with its frame; limit is the greatest size of a payload, or 0.
func (p *dataPane) draw(area canvas.Area, limit int, focused bool) {
	border := widget.Border(focused)
	title, note := p.selection.Heading()
	inner := area.Frame(canvas.Frame{
		Title: title, Note: note, Border: border, TitleStyle: theme.Title, Focused: focused,
	})
	y := 0
	p.stages = p.stages[:0]
	if p.selection.Visit != nil && inner.H() > strip.Height+4 {
		p.stages = strip.Draw(inner, &p.selection.VisitStages, p.selection.Now, p.stages)
		p.drawExpression(inner.Row(strip.Height))
		y = strip.Height + 1
	} else if p.selection.Visit != nil && inner.H() > 5 {
		p.drawExpression(inner.Row(0))
		y = 1
	}
	p.fitColumns(inner.W(), area.Glyphs())
	if y > 0 {
		area.Separator(y+1, border, focused)
		p.drawTabs(area, y+1, limit, border)
		y++
	}
	p.above = y
	body := inner.Area(canvas.Rect{Y: y, W: inner.W(), H: inner.H() - y})
	used := p.drawNotes(body, focused)
	if used > 0 && used < body.H() && p.tree.Len() > 0 && body.H()-used > 3 {
		used++
	}
	p.drawRows(body.Area(canvas.Rect{Y: used, W: body.W(), H: body.H() - used}), focused)
	p.drawFoot(area, border)
}

// drawExpression writes the expression of the event's stage, or the name of an event that has none.
func (p *dataPane) drawExpression(row canvas.Area) {
	field, text, purpose := p.selection.Expression()
	if field == "" {
		row.Fit(1, 0, row.W()-2, theme.Strong, p.selection.StageName())
		return
	}
	strip.DrawExpression(row, field, text, purpose)
}

// fitColumns goes over between one column and two when the width has changed.
func (p *dataPane) fitColumns(width int, g *canvas.Glyphs) {
	before := p.width
	p.width = width
	if p.view == viewSide && before != width && p.tree.Differs() && p.tree.Columns() != (width >= datatree.MinColumns) {
		toChange := p.toChange
		p.setView(p.view, g)
		p.toChange = toChange
	}
}

// drawTabs writes the views into the line above the data; the one shown is in brackets.
func (p *dataPane) drawTabs(area canvas.Area, y, limit int, border canvas.Style) {
	x := 2
	g := area.Glyphs()
	for v := range viewCount {
		if x > 2 {
			x = area.Text(x, y, border, g.Dash)
		}
		if v == p.view {
			x = area.Text(x, y, theme.Current, " ["+v.String()+"] ")
		} else {
			x = area.Text(x, y, theme.Dim, " "+v.String()+" ")
		}
	}
	room := area.W() - x - 4
	size, style := p.measure(limit, g)
	for _, right := range p.tabNotes(size, g) {
		if right == "" || canvas.Width(right) > room {
			continue
		}
		area.Right(area.W()-2, y, style, " "+right+" ")
		return
	}
}

// tabNotes is what stands at the right of the views, the fuller before the shorter.
func (p *dataPane) tabNotes(size sizeNote, g *canvas.Glyphs) []string {
	var list []string
	if p.note != "" && size.full != "" {
		list = append(list, p.note+" "+g.Dash+" "+size.full, p.note+" "+g.Dash+" "+size.text)
	}
	if size.near {
		return append(list, size.full, size.text)
	}
	if p.note != "" {
		list = append(list, p.note)
	}
	return append(list, size.full, size.text)
}

// failed reports whether the event looked at is about an error.
func (p *dataPane) failed() bool {
	return p.selection.Event != nil && p.selection.Event.Failure() != nil
}

func (p *dataPane) drawRows(area canvas.Area, focused bool) {
	p.rows = max(area.H(), 1)
	if p.toChange {
		p.toChange = false
		p.cursor = p.tree.FirstChange()
		if p.cursor >= p.rows {
			p.top = p.cursor - p.rows/3
		}
	}
	p.clamp()
	total := p.tree.Len()
	body := area.Area(canvas.Rect{X: 1, W: area.W() - 1, H: area.H()})
	if total > p.rows { // the thumb is in the last column
		body = area.Area(canvas.Rect{X: 1, W: area.W() - 2, H: area.H()})
	}
	for y := 0; y < area.H() && p.top+y < total; y++ {
		p.tree.Draw(body, y, p.top+y, p.left, p.needle)
		if focused && !p.inNotes && p.top+y == p.cursor {
			area.Text(0, y, theme.Current, area.Glyphs().Pointer)
			area.MarkSpan(0, y, 1)
		}
	}
	if total == 0 && p.notes.empty() && area.H() > 0 {
		area.Text(1, 0, theme.Dim, "nothing "+p.view.String())
	}
	widget.Scrollbar(area, p.top, total)
}
