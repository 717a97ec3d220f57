package data

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Draw implements [view.Pane].
func (p *Pane) Draw(f widget.Frame) {
	area, focused := f.Area, f.Focused
	border := widget.Border(focused)
	if state := p.screen.Unshown(); state != nil {
		p.drawUnshown(f, state)
		return
	}
	s := p.screen.Selection()
	if p.pollsShown() {
		p.drawPolls(f, s)
		return
	}
	title, note := s.Heading()
	if !p.screen.Newest() && s.Visit != nil {
		note += ", not here"
	}
	if p.view == Definition && s.Visit == nil {
		title = p.Text().of.Source.Name
	}
	inner := f.Titled(canvas.Frame{Title: "2 " + title, Note: note})
	inner = inner.In(canvas.Rect{W: inner.W(), H: max(inner.H()-1, 0)}) // the foot is below it
	p.fitColumns(inner.W())
	if p.drawStory(area, inner, s) {
		p.drawFoot(area, border)
		return
	}
	y := 0
	switch {
	case p.explanation.atFailedEnd(): // it is about the whole run
	case p.view == Diff && p.explanation.atUncaught() && p.notes.Lines(inner.W()) > inner.H()-prose.Height-4:
		// the fix at its end counts more than the stages
	case s.Visit != nil && inner.H() > prose.Height+4:
		p.drawStages(inner, prose.Draw(inner.Area, &s.VisitStages, s.Now, p.stages[:0]))
		p.drawExpression(inner.Row(prose.Height), s)
		y = prose.Height + 1
	case s.Visit != nil && inner.H() > 5:
		p.drawExpression(inner.Row(0), s)
		y = 1
	default:
	}
	if y > 0 {
		area.Line(0, y+1, area.W(), border)
		p.drawTabs(area, y+1, border)
		y++
	}
	p.above = y
	body := inner.In(canvas.Rect{Y: y, W: inner.W(), H: inner.H() - y})
	if p.view == Definition {
		p.Text().Draw(body.Area, focused)
		body.Mouse(p.clickText, p.scroll)
		p.drawFoot(area, border)
		return
	}
	inner.Mouse(nil, p.scroll)
	used := p.drawNotes(body, p.notesHeight(body.H()))
	if used > 0 && used < body.H() && p.doc.Tree.Len() > 0 && body.H()-used > 3 {
		used++
	}
	p.drawRows(body.In(canvas.Rect{Y: used, W: body.W(), H: p.drawBelow(area, body.Area, y+1, used)}))
	p.drawFoot(area, border)
}

// drawUnshown shows the text of a state that was selected in the graph, where no visit of it is on the screen.
func (p *Pane) drawUnshown(f widget.Frame, state *asl.State) {
	note := ", not run"
	if session := p.screen.Session(); session.MarksAt(session.Position()-1).Of(state).Visits > 0 {
		note = ", long ago: " + p.screen.Key(keys.Look) + " goes there"
	}
	inner := f.Titled(canvas.Frame{Title: "2 " + wording.Line(state.Name), Note: state.Type.String() + note})
	p.Text().Draw(inner.Area, f.Focused)
	inner.Mouse(p.clickText, p.scroll)
}

// leastText is the number of rows from which on the text of the selected state is below the input.
const leastText = 6

// drawBelow shows, before anything has run, the text of the selected state in the rows of body below the input, and
// returns the number of rows that are left to the input from row used on. top is the row of area in which body begins.
func (p *Pane) drawBelow(area, body canvas.Area, top, used int) (rows int) {
	rows = body.H() - used
	state := p.screen.State()
	from := used + max(p.doc.Tree.Len(), 1)
	if p.screen.Selection().Event != nil || state == nil || body.H()-from-1 < leastText {
		return rows
	}
	border := widget.Border(false)
	area.Line(0, top+from, area.W(), border)
	x := area.Text(2, top+from, canvas.Title, " "+wording.Line(state.Name)+" ")
	area.Text(x, top+from, canvas.Dim, " "+state.Type.String()+", not run ")
	p.Text().Draw(body.Area(canvas.Rect{Y: from + 1, W: body.W(), H: body.H() - from - 1}), false)
	return from - used
}

// drawStages takes the places of the stages. A click on one looks at it.
func (p *Pane) drawStages(f widget.Frame, spots []prose.Spot) {
	p.stages = spots
	for _, spot := range p.stages {
		f.Click(spot.Rect, func() {
			if spot.Event > 0 {
				p.screen.Inspect(int(spot.Event) - 1)
				return
			}
			lookAtStage(p.screen, spot.Stage)
		})
	}
}

// drawExpression writes the expression of the event's stage, or the name of an event that has none.
func (p *Pane) drawExpression(row canvas.Area, s *view.Selection) {
	field, text, purpose := s.Expression()
	if field == "" {
		row.Fit(1, 0, row.W()-2, canvas.Strong, s.StageName())
		return
	}
	prose.DrawExpression(row, field, text, purpose)
}

// fitColumns changes between one column and two when the width has changed.
func (p *Pane) fitColumns(width int) {
	before := p.width
	p.width = width
	if p.view == Side && before != width && p.doc.Tree.Differs() && p.doc.Tree.Columns() != (width >= tree.MinColumns) {
		p.setView(p.view)
	}
}

// drawTabs writes the views into the line above the data; the one shown is in brackets. The name of the definition is
// cut short where a note about the data needs the cells.
func (p *Pane) drawTabs(area canvas.Area, y int, border canvas.Style) {
	g := area.Glyphs()
	size, style := p.size.note(p.Document(), p.screen.Session().Options().Limits.Payload, g)
	free := area.W() - 1 - 2
	for v := range viewCount {
		free -= tabWidth(p, v, tabs{p}.nameOf(v))
	}
	saved := 0
	if p.Text().Fits() && p.view != Definition {
		saved = len(Definition.String()) - len(shortDefinition)
	}
	label, right := Definition.String(), ""
	for _, note := range tabNotes(p, size, g) {
		width := canvas.Width(note)
		if note == "" || width > free+saved {
			continue
		}
		if right = note; width > free {
			label = shortDefinition
		}
		break
	}
	x := 1
	for v := range viewCount {
		name := tabs{p}.nameOf(v)
		if v == Definition {
			name = label
		}
		if tabWidth(p, v, name) == 0 {
			continue
		}
		if x > 1 {
			x = area.Text(x, y, border, g.Dash)
		}
		if v == (tabs{p}).tab() {
			x = area.Text(x, y, canvas.Current, " ["+name+"] ")
		} else {
			x = area.Text(x, y, canvas.Dim, " "+name+" ")
		}
	}
	if right != "" {
		area.Right(area.W()-1, y, style, " "+right+" ")
	}
}

// shortDefinition is the name of the definition where there are few cells.
const shortDefinition = "def"

// tabWidth returns the cells that the name of a view takes with the line behind it, 0 where it is not there.
func tabWidth(p *Pane, v View, name string) int {
	switch {
	case name == "":
		return 0
	case v == (tabs{p}).tab():
		return len(name) + 5
	case v == Definition && !p.Text().Fits():
		return 0
	}
	return len(name) + 3
}

// tabNotes returns the texts for the right of the views, the fuller before the shorter.
func tabNotes(p *Pane, size sizeNote, g *canvas.Glyphs) []string {
	if p.view == Definition {
		return []string{p.Text().of.Source.Name}
	}
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

// drawNotes writes the explanation down to row end, and returns the number of lines. Where not all fits the cursor can
// be moved into it, and it scrolls.
func (p *Pane) drawNotes(f widget.Frame, end int) int {
	area := f.Area
	p.notes.Layout(area.W())
	y := 0
	if reason := p.options.Reason(); reason != "" {
		area.Text(1, 0, canvas.Strong, canvas.FitMiddle(reason, area.W()-2, area.Glyphs().Ellipsis))
		y++
	}
	y = p.notes.Draw(area, y, end, p.inNotes, f.Focused)
	f.In(canvas.Rect{W: f.W(), H: y}).Mouse(p.clickNotes, p.scroll)
	for _, link := range p.notes.Links() {
		f.Click(canvas.Rect{X: link.X, Y: link.Y, W: link.W, H: 1}, func() { p.follow(link.Target) })
	}
	return y
}

// follow goes to the target of a link, and reports whether there is one.
func (p *Pane) follow(t prose.Target) bool {
	switch {
	case t.Event > 0:
		p.screen.Inspect(int(t.Event) - 1)
	case t.Place != nil:
		p.screen.Do(keys.Source, "")
	default:
		return false
	}
	return true
}

// notesHeight returns how many lines of h the explanation may take.
func (p *Pane) notesHeight(h int) int {
	if p.doc.Tree.Len() == 0 {
		return h
	}
	event := p.screen.Selection().Event
	if p.explanation.atFailedEnd() {
		return h
	}
	height := max(1, h/2)
	if p.unchanged || p.inNotes || event != nil && event.Failure() != nil { // the words say more than the data
		height = max(height, h-4, h*3/4)
	}
	height = max(height, h-1-p.doc.Tree.Len()) // short data leave more
	if event == nil {                          // how to begin
		height = max(height, h-1)
	}
	return height
}

func (p *Pane) drawRows(f widget.Frame) {
	if p.doc.Tree.Len() == 0 && p.notes.Empty() && f.H() > 0 {
		f.Text(1, 0, canvas.Dim, "nothing "+p.view.String())
	}
	f.Focused = f.Focused && !p.inNotes
	p.doc.Draw(f)
	f.Mouse(p.clickRow, p.scroll)
}

// sizeNote is the size of the document: in full, with its share of the limit, and in short. near reports that it is near the
// limit or above it.
type sizeNote struct {
	full, text string
	near       bool
}

// nearLimit is the share of the limit, in per cent, above which there is a warning about a document.
const nearLimit = 90

// barCells is the width of the small bar.
const barCells = 6

// measured is a document with its size, which is computed once.
type measured struct {
	document value.Value
	bytes    int
}

// note returns the size of a document and its style. limit is the greatest size, or 0 where there is none.
func (m *measured) note(v value.Value, limit int, g *canvas.Glyphs) (sizeNote, canvas.Style) {
	if v == nil {
		return sizeNote{}, canvas.Dim
	}
	if !value.Identical(v, m.document) || m.document == nil {
		m.document, m.bytes = v, value.Size(v)
	}
	note := sizeNote{text: wording.SizeOf(m.bytes, limit)}
	note.full = note.text
	if limit <= 0 {
		return note, canvas.Dim
	}
	percent := m.bytes * 100 / limit
	if percent >= 1 {
		filled := min(barCells, (m.bytes*barCells+limit-1)/limit)
		bar := strings.Repeat(g.Filled, filled) + strings.Repeat(g.Empty, barCells-filled)
		note.full = bar + " " + strconv.Itoa(percent) + "% " + g.Dash + " " + note.text
	}
	if note.near = percent >= nearLimit; note.near {
		note.full, note.text = g.Warning+" "+note.full, g.Warning+" "+note.text
		if m.bytes > limit {
			return note, canvas.Bad
		}
		return note, canvas.Warn
	}
	return note, canvas.Dim
}

// tabs are the views of the pane by the names that they have for the present event.
type tabs struct{ pane *Pane }

// exchange reports whether the data of the event are the request of a task, its response or both, which are two documents and
// not one before and after a change.
func (t tabs) exchange() bool {
	s := t.pane.screen.Selection()
	if s.Event == nil || s.Source != s.Event {
		return false
	}
	switch s.Event.Type {
	case engine.TaskScheduled, engine.TaskSubmitted, engine.TaskSucceeded, engine.TaskFailed, engine.TaskTimedOut:
		return true
	default:
		return false
	}
}

// nameOf returns the name of a view for the present event, "" where the event does not have it: of an exchange there are the
// response, in place of the difference, and the request.
func (t tabs) nameOf(v View) string {
	s := t.pane.screen.Selection()
	switch {
	case v == Wanted && t.pane.options.expected() == nil:
		return ""
	case !t.exchange() || v == Definition || v == Wanted:
		return v.String()
	case v == Side || v == After:
		return ""
	case s.Event.Type == engine.TaskScheduled || s.After == nil || s.Before == nil: // one document
		switch {
		case v == Before:
			return ""
		case s.After == nil || s.Event.Type == engine.TaskScheduled:
			return "request"
		}
		return "response"
	case v == Before:
		return "request"
	}
	return "response"
}

// tab is the view whose name is marked.
func (t tabs) tab() View {
	if t.nameOf(t.pane.view) == "" {
		return Diff
	}
	return t.pane.view
}

// nextDocument is the view after the present one in an exchange.
func (t tabs) nextDocument() View {
	for v := t.tab() + 1; v < viewCount; v++ {
		if t.nameOf(v) != "" && (v != Definition || t.pane.Text().Fits()) {
			return v
		}
	}
	return Diff
}
