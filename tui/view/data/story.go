package data

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// The least width of the pane in which the stages are below each other, and the rows that are left to the open one at
// least.
const (
	storyWidth = 44
	storyRest  = 5
)

// The bounds of a story: branches and iterations, and breakpoints and watches.
const (
	mostInside = 6
	mostAround = 3
)

// story is the selected visit from top to bottom, as it was when the event was selected.
type story struct {
	prose.Story
	table runlog.Iterations
	log   *runlog.Log // that the table is of
	// decision is the sentence at the head, or nil.
	decision *explain.Paragraph
	// open are the differences of the stages that are shown beside the selected one; input and output are the documents
	// at the foot.
	open          map[engine.Stage]*tree.Tree
	input, output tree.View
}

// tell builds the story of the selected event.
func (st *story) tell(p *Pane) {
	s, session := p.screen.Selection(), p.screen.Session()
	st.Story, st.decision, st.open = prose.Story{Stages: &s.VisitStages, Now: s.Now,
		Limit: session.Options().Limits.Payload}, nil, nil
	st.input, st.output = tree.View{}, tree.View{}
	if s.Visit == nil {
		return
	}
	if st.log != session.Log() {
		st.table, st.log = runlog.Iterations{}, session.Log()
	}
	before := session.Log().PreviousInThread(s.Index)
	if p.screen.Newest() {
		before = session.PreviousStop()
	}
	st.Before = explain.Attempts(session, s.Index)
	st.Inside = explain.Inside(session, &st.table, s.Index, mostInside)
	st.After = explain.Around(session, s.Index, before, mostAround)
	if d, ok := explain.Decision(session, s.Index); ok {
		st.decision = &d
	}
}

// drawStory paints the stages of the visit below each other, the data of the open one between them, and reports whether
// there is room for that; outer is the pane with its border. Of an error the explanation comes first.
func (p *Pane) drawStory(outer canvas.Area, f widget.Frame, s *view.Selection) bool {
	if s.Visit == nil || f.W() < storyWidth || p.view == Definition || p.explanation.atFailedEnd() {
		return false
	}
	first, least := p.explained(s), storyRest
	y, asked := 0, p.openQuestion(s)
	switch {
	case asked != nil:
		first, least = false, dialog.InsideRows
	case first:
		y, least = p.notes.Lines(f.W())+1, 0
	case p.story.decision != nil:
		y = 1
	}
	rows, ok := p.story.Layout(f.H()-y, least)
	if !ok {
		return false
	}
	f.Mouse(nil, p.scroll)
	switch {
	case first:
		p.above = 0
		p.drawNotes(f.In(canvas.Rect{W: f.W(), H: y}), y)
	case p.story.decision != nil && asked == nil:
		f.Fit(1, 0, f.W()-2, canvas.Strong, prose.Writer(f.Glyphs(), prose.PreviewLength).Paragraph(p.story.decision))
	}
	documents := f.W() >= documentsWidth && f.H()/3 >= documentsRows && asked == nil
	room := f.H() - y - rows.Above() - rows.Below() - p.openRows(f.W()) - 1
	if documents {
		room -= f.H() / 3
	}
	if asked == nil {
		p.story.unfold(&rows, room)
	}
	p.stages = p.story.draw(f, y, &rows, false, p.stages[:0])
	if y += rows.Above(); asked != nil {
		inside := canvas.Rect{X: storyIndent, Y: y, W: f.W() - storyIndent, H: f.H() - y - rows.Below()}
		y += asked.DrawInside(f.In(inside))
	} else {
		y = p.drawOpen(outer, f, y, f.H()-rows.Below(), s)
	}
	p.drawStages(f, p.story.draw(f, y, &rows, true, p.stages))
	if documents {
		p.drawDocuments(f, y+rows.Below()+1, s)
	}
	return true
}

// openQuestion returns the question about the selected task that is on the screen, or nil.
func (p *Pane) openQuestion(s *view.Selection) *dialog.Question {
	if q, ok := p.screen.Dialog().(*dialog.Question); ok && q.Request.Visit == s.Visit {
		return q
	}
	return nil
}

// explained reports whether the explanation of the selected event comes before the stages: of an error, and of an
// expectation that the run does not meet.
func (p *Pane) explained(s *view.Selection) bool {
	return s.Event.Failure() != nil || p.options.expected() != nil
}

// draw paints the rows above or below the data from row y on, and appends their places to spots.
func (st *story) draw(f widget.Frame, y int, rows *prose.Rows, below bool, spots []prose.Spot) []prose.Spot {
	height, from := rows.Above(), len(spots)
	if below {
		height = rows.Below()
	}
	spots = st.Draw(f.Area.Area(canvas.Rect{Y: y, W: f.W(), H: height}), rows, below, spots)
	for i := from; i < len(spots); i++ {
		spots[i].Y += y
	}
	return spots
}

// mostUnfolded bounds the lines of a difference that is shown next to the difference of the open stage.
const mostUnfolded = 8

// unfold puts the differences of the other stages below their rows, the nearest before the open one first, as many as
// there is room for.
func (st *story) unfold(rows *prose.Rows, room int) {
	open := st.Open()
	for i := open - 1; i >= 0; i-- {
		m := &st.Stages.Stages[i]
		if m.Last == nil || m.Counts.Zero() || m.Last.Before == nil || m.Last.After == nil ||
			m.Info.Stage == engine.StageResult {
			continue
		}
		if newest := st.Stages.Stages[open].Newest; newest != nil && value.Identical(newest.Before, m.Last.Before) &&
			value.Identical(newest.After, m.Last.After) {
			continue // the open one is the same change
		}
		lines := st.lines(m)
		if len(lines) > room {
			return
		}
		room -= len(lines)
		rows.Insert(m.Info.Stage, lines)
	}
}

// lines returns the lines of the difference that a stage made which differ.
func (st *story) lines(m *runlog.StageMark) (lines []func(row canvas.Area)) {
	t := st.open[m.Info.Stage]
	if t == nil {
		t = tree.OfDifference(m.Last.Before, m.Last.After, tree.Unified, tree.Usual)
		if st.open == nil {
			st.open = make(map[engine.Stage]*tree.Tree)
		}
		st.open[m.Info.Stage] = t
	}
	for i := range t.Len() {
		switch {
		case t.Row(i).Change() == tree.Same || t.Row(i).Change() == tree.Inside:
		case len(lines) == mostUnfolded:
			return append(lines, func(row canvas.Area) { row.Text(5, 0, canvas.Dim, row.Glyphs().Ellipsis) })
		default:
			lines = append(lines, func(row canvas.Area) {
				t.Draw(row.Area(canvas.Rect{X: 3, W: row.W() - 4, H: 1}), 0, i, 0, "")
			})
		}
	}
	return lines
}

// openRows returns the number of rows that the data of the open stage take with all that belongs to them.
func (p *Pane) openRows(width int) int {
	rows := p.doc.Tree.Len() + 1
	if !p.explained(p.screen.Selection()) {
		rows += p.notes.Lines(width - storyIndent)
	}
	return rows
}

// storyIndent is the number of cells by which the data of the open stage are indented.
const storyIndent = 2

// drawOpen paints the data of the open stage into the rows from y to end at most, and returns the first row below them.
func (p *Pane) drawOpen(outer canvas.Area, f widget.Frame, y, end int, s *view.Selection) int {
	area := f.Area
	field, text, purpose := s.Expression()
	inside := canvas.Rect{X: storyIndent, W: area.W() - storyIndent, H: 1}
	switch exchange := (tabs{p}); {
	case end-y < 2:
	case p.view != Diff || exchange.exchange() && exchange.nameOf(Before) != "":
		outer.Line(0, y+1, outer.W(), widget.Border(f.Focused))
		p.drawTabs(outer, y+1, widget.Border(f.Focused))
		y++
	case s.Now < 0:
		x := area.Row(y).Area(inside).Fit(1, 0, area.W()-4, canvas.Strong, s.StageName())
		area.Fit(x+storyIndent+2, y, area.W()-x-storyIndent-3, canvas.Dim, p.note)
		y++
	case text != "" && end-y > storyRest && (s.Stages[s.Now].Info.Stage != engine.StageResult || p.notes.Empty()):
		if field == s.Stages[s.Now].Info.Field {
			field, inside.X = "", 0 // its row names it
		}
		prose.DrawExpression(area.Row(y).Area(inside), field, text, purpose)
		y++
	}
	body, used := f.In(canvas.Rect{X: storyIndent, Y: y, W: f.W() - storyIndent, H: end - y}), 0
	if !p.explained(s) {
		p.above = y
		used = p.drawNotes(body, p.notesHeight(body.H()))
	}
	if rest := min(body.H()-used, p.doc.Tree.Len()); rest > 0 {
		p.drawRows(body.In(canvas.Rect{Y: used, W: body.W(), H: rest}))
		used += rest
	}
	return y + used
}

// The least size in which the input and the output of the state are beside each other at the foot of the story.
const (
	documentsWidth = 72
	documentsRows  = 11
)

// drawDocuments paints the effective input and the output of the state beside each other into the rows from y on, where
// there is room.
func (p *Pane) drawDocuments(f widget.Frame, y int, s *view.Selection) {
	from := max(y, f.H()-f.H()/3)
	if f.H()-from < documentsRows {
		return
	}
	if p.story.input.Tree == nil {
		p.story.input.Put(tree.OfValue(documentOf(s, engine.StageInput), tree.Usual))
		p.story.output.Put(tree.OfValue(documentOf(s, engine.StageOutput), tree.Usual))
	}
	half := f.W() / 2
	for i, side := range [...]*tree.View{&p.story.input, &p.story.output} {
		x, name := i*half, "input"
		if i > 0 {
			name = "output"
		}
		part := f.In(canvas.Rect{X: x, Y: from, W: half, H: f.H() - from})
		part.Focused = false
		part.Line(1, 0, half-2, canvas.Border)
		part.Text(2, 0, canvas.Title, " "+name+" ")
		rest := part.In(canvas.Rect{Y: 1, W: half, H: part.H() - 1})
		if side.Tree.Len() == 0 {
			rest.Text(1, 0, canvas.Dim, "not there yet")
			continue
		}
		side.Draw(rest)
	}
}

// documentOf returns the data that a stage of the selected visit has made, or nil.
func documentOf(s *view.Selection, stage engine.Stage) value.Value {
	if i := s.IndexOf(stage); i >= 0 {
		return s.Stages[i].Data()
	}
	return nil
}
