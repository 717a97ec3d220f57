package prose

import (
	"slices"
	"strconv"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// Story is a visit of a state from top to bottom: its stages in the order of the run, and rows of text between and
// behind them.
type Story struct {
	Stages *runlog.VisitStages
	// Now is the index of the selected stage, or -1. Limit is the greatest size of a document, 0 where there is none.
	Now, Limit int
	// Before are the rows above the work of the state, and Inside those below it; After are the last rows.
	Before, Inside, After explain.Text
}

// storyRow is a row of a story: a stage, or text, or stages that have not run on one row, or a line that another part
// paints.
type storyRow struct {
	stage  *runlog.StageMark
	index  int
	text   *explain.Paragraph
	folded []*runlog.StageMark
	paint  func(row canvas.Area)
}

// Rows are the rows of a story: those down to the open stage, whose data come below them, and the others.
type Rows struct{ above, below []storyRow }

// Above and Below return the numbers of rows above and below the data of the open stage.
func (r *Rows) Above() int { return len(r.above) }

// Below returns the number of rows below the data.
func (r *Rows) Below() int { return len(r.below) }

// Insert puts lines below the row of a stage.
func (r *Rows) Insert(stage engine.Stage, lines []func(row canvas.Area)) {
	for _, list := range [...]*[]storyRow{&r.above, &r.below} {
		at := slices.IndexFunc(*list, func(row storyRow) bool {
			return row.stage != nil && row.stage.Info.Stage == stage
		})
		for i := 0; at >= 0 && i < len(lines); i++ {
			*list = slices.Insert(*list, at+1+i, storyRow{paint: lines[i]})
		}
	}
}

// Open returns the index of the stage whose data are shown: the selected one, or else the newest that has run.
func (s *Story) Open() int {
	open := s.Now
	for i := 0; i < len(s.Stages.Stages) && s.Now < 0; i++ {
		if m := &s.Stages.Stages[i]; m.Newest != nil && m.State != runlog.StageAbsent && (open < 0 ||
			m.Newest.Seq >= s.Stages.Stages[open].Newest.Seq) {
			open = i
		}
	}
	return open
}

// fold is how much of a story is left out where it does not fit.
type fold uint8

const (
	foldNothing fold = iota
	foldPending      // stages that have not run are on one row
	foldAfter        // the last rows are left out
	foldInside       // branches and iterations have one row, their numbers
	foldSame         // stages without a change are left out
	foldCount
)

// Layout returns the rows of a story that leave at least some rows of height to its data; ok is false where that is not
// possible.
func (s *Story) Layout(height, least int) (rows Rows, ok bool) {
	for how := range foldCount {
		if rows = s.rows(how); rows.Above()+rows.Below()+least <= height {
			return rows, true
		}
	}
	return Rows{}, false
}

func (s *Story) rows(how fold) (rows Rows) {
	open, list := s.Open(), []storyRow(nil)
	add := func(text explain.Text) {
		for i := range text {
			list = append(list, storyRow{text: &text[i]})
		}
	}
	var folded []*runlog.StageMark
	for i := range s.Stages.Stages {
		m := &s.Stages.Stages[i]
		work := m.Info.Stage == engine.StageResult
		if work {
			add(s.Before)
		}
		switch {
		case left(m, i == s.Now):
		case how >= foldPending && m.State == runlog.StagePending && i != open:
			if folded = append(folded, m); len(folded) == 1 {
				list = append(list, storyRow{folded: folded})
			}
		case how >= foldSame && i != open && m.State == runlog.StageCompleted && m.Counts.Zero() &&
			m.Info.Stage != engine.StageInput && !work:
		default:
			list = append(list, storyRow{stage: m, index: i})
		}
		if i == open {
			rows.above, list, folded = gathered(list, folded), nil, nil
		}
		if work && how >= foldInside {
			add(s.Inside[:min(1, len(s.Inside))])
		} else if work {
			add(s.Inside)
		}
	}
	list = gathered(list, folded)
	if how < foldAfter {
		add(s.After)
	}
	rows.below = list
	return rows
}

// gathered puts all stages that have not run into the row of the first of them.
func gathered(list []storyRow, folded []*runlog.StageMark) []storyRow {
	for i := range list {
		if list[i].folded != nil {
			list[i].folded = folded
		}
	}
	return list
}

// The columns of a story: a sign, the name of the stage, its change in words, and at the right its counts and the size
// of the data.
const (
	signCells = 2
	nameCells = 16
	sizeCells = 9
)

// Draw paints the rows above the data, or those below them, from the first row of area on. It appends the places of the
// stages, and of the rows that refer to an event, to spots.
func (s *Story) Draw(area canvas.Area, rows *Rows, below bool, spots []Spot) []Spot {
	list := rows.above
	if below {
		list = rows.below
	}
	for y := range list {
		r, row := &list[y], area.Row(y)
		place := canvas.Rect{X: 1, Y: y, W: area.W() - 2, H: 1}
		switch {
		case r.paint != nil:
			r.paint(row)
		case r.text != nil:
			drawText(row, r.text)
			for i := range r.text.Spans {
				if event := r.text.Spans[i].Event; event > 0 {
					spots = append(spots, Spot{Rect: place, Event: event})
				}
			}
		case r.folded != nil:
			x := 1
			for _, m := range r.folded {
				x = row.Text(row.Text(x, 0, canvas.Dim, row.Glyphs().Pending), 0, canvas.Dim, " "+m.Info.Field) + 2
			}
		default:
			s.drawStage(row, r.stage, r.index == s.Now)
			spots = append(spots, Spot{Rect: place, Stage: r.stage.Info.Stage})
		}
	}
	return spots
}

// drawText paints a row of text: its sign, its label in the column of the names, and its words.
func drawText(row canvas.Area, p *explain.Paragraph) {
	w := Writer(row.Glyphs(), PreviewLength)
	x, name := 1+2*p.Level, nameCells
	if p.Level > 0 {
		name = 3 + len(p.Label)/4*4
	}
	row.Text(x, 0, StyleOf(p.Tone), w.Signs[p.Sign])
	x += signCells
	labelStyle := canvas.Plain
	if p.Tone == explain.ToneQuiet {
		labelStyle = canvas.Dim
	}
	to := row.Fit(x, 0, max(name, row.W()/3), labelStyle, wording.Line(p.Label))
	x = max(to+1, x+name)
	for i := range p.Spans {
		style := styleOf(p.Tone, &p.Spans[i])
		if style == canvas.Plain {
			style = labelStyle
		}
		x = row.Fit(x, 0, max(row.W()-1-x, 0), style, w.Spans(p.Spans[i:i+1]))
	}
}

// drawStage paints the row of one stage.
func (t *Story) drawStage(row canvas.Area, s *runlog.StageMark, now bool) {
	g, limit := row.Glyphs(), t.Limit
	mark, markStyle, nameStyle := stageSign(s, g)
	row.Text(1, 0, markStyle, mark)
	name := s.Info.Field
	if now {
		name, nameStyle = "["+name+"]", canvas.Current
	}
	x := row.Text(1+signCells, 0, nameStyle, name)
	if now {
		row.MarkSpan(1+signCells, 0, canvas.Width(name))
	}
	if s.Info.Stage == engine.StageResult && t.Stages.Attempt > 1 && len(t.Before) == 0 {
		x = row.Text(x+1, 0, canvas.Warn, g.Retried+strconv.Itoa(t.Stages.Attempt-1))
	}
	x = max(x+1, 1+signCells+nameCells)
	edge := row.W() - 1
	e := s.Newest
	if e == nil || s.State == runlog.StagePending {
		row.Fit(x, 0, edge-x, canvas.Dim, wording.Line(s.Info.Text))
		return
	}
	if s.Size > 0 {
		size, style := wording.Size(s.Size), canvas.Dim
		if limit > 0 && s.Size*100 > limit*storyWarns {
			size, style = g.Warning+" "+strconv.Itoa(s.Size*100/limit)+"% of "+wording.Size(limit)+"  "+size,
				canvas.Warn
		}
		edge = min(row.Right(edge, 0, style, size)-1, edge-sizeCells)
	}
	if s.State == runlog.StageFailed {
		row.Fit(x, 0, edge-x, canvas.Bad, Spans(explain.FailureDetail(e.Failure()), g))
		return
	}
	if s.Edited {
		edge = row.Right(edge, 0, canvas.Warn, "by hand") - 1
	} else if counts := value.Count(e.Before, e.After); s.Info.Stage != engine.StageResult && e.Before != nil &&
		e.After != nil && !counts.Zero() {
		edge = row.Right(edge, 0, canvas.Changed, Changes(counts, g)) - 1
	}
	drawChange(row, x, edge, s, e)
}

// storyWarns is the share of the greatest size of a document, in per cent, above which its size is in the style of a
// warning.
const storyWarns = 80

// stageSign returns the sign of a stage, its style, and the style of its name.
func stageSign(s *runlog.StageMark, g *canvas.Glyphs) (mark string, markStyle, nameStyle canvas.Style) {
	switch s.State {
	case runlog.StageBegun:
		return g.Waiting, canvas.Warn, canvas.Plain
	case runlog.StageCompleted:
		return g.Visited, canvas.Good, canvas.Plain
	case runlog.StageFailed:
		return g.Failed, canvas.Bad, canvas.Plain
	case runlog.StagePending, runlog.StageAbsent:
	}
	return g.Pending, canvas.Dim, canvas.Dim
}

// drawChange names the changes of the data by a stage, in the cells from x to edge: the members that it added, removed
// and changed; of the input, and of the result of the work, the members that it has.
func drawChange(row canvas.Area, x, edge int, s *runlog.StageMark, e *engine.Event) {
	g := row.Glyphs()
	before, isObject := e.Before.(*value.Object)
	after, _ := e.After.(*value.Object)
	switch {
	case s.State == runlog.StageBegun && s.Data() == nil:
		row.Fit(x, 0, edge-x, canvas.Dim, "under way")
	case s.State == runlog.StageBegun:
		row.Fit(x, 0, edge-x, canvas.Text, "begun with "+shapeText(s.Data(), g))
	case s.Info.Stage == engine.StageInput || s.Info.Stage == engine.StageResult || e.Before == nil || !isObject ||
		after == nil:
		text := shapeText(s.Data(), g)
		if s.Info.Stage == engine.StageResult {
			text = g.To + " " + text
		}
		row.Fit(x, 0, edge-x, canvas.Text, text)
	default:
		if text := s.Info.Text; selects(s.Info.Stage) && text != "" && x+canvas.Width(text)+8 < edge {
			x = row.Text(x, 0, canvas.Key, wording.Line(text)) + 2
		}
		if drawMembers(row, x, edge, before, after) == 0 {
			row.Fit(x, 0, edge-x, canvas.Dim, "no change")
		}
	}
}

// selects reports whether the text of a stage's field is a path, which is short and describes the stage.
func selects(stage engine.Stage) bool {
	return stage == engine.StageInputPath || stage == engine.StageResultPath || stage == engine.StageOutputPath ||
		stage == engine.StageItemsPath
}

// shapeText names the members of an object, and shows other values as they are.
func shapeText(v value.Value, g *canvas.Glyphs) string {
	object, ok := v.(*value.Object)
	if !ok || object.Len() == 0 {
		return Value(v, PreviewLength, g)
	}
	text := "{ "
	for i := range min(object.Len(), storyMembers) {
		if i > 0 {
			text += ", "
		}
		text += wording.Line(object.At(i).Key)
	}
	if object.Len() > storyMembers {
		text += ", " + g.Ellipsis
	}
	return text + " }"
}

// storyMembers bounds the members that a row names.
const storyMembers = 24

// drawMembers names the members that differ between two objects, as many as fit, and returns how many differ.
func drawMembers(row canvas.Area, x, edge int, before, after *value.Object) (n int) {
	g := row.Glyphs()
	full := false
	put := func(style canvas.Style, sign, key string) {
		n++
		if full {
			return
		}
		text := sign + wording.Line(key)
		if full = x+canvas.Width(text) > edge-canvas.Width(g.Ellipsis)-1; full {
			row.Fit(x, 0, max(edge-x, 0), canvas.Dim, g.Ellipsis)
			return
		}
		x = row.Text(x, 0, style, text) + 1
	}
	for i := range after.Len() {
		member := after.At(i)
		switch old := before.Get(member.Key); {
		case old == nil:
			put(canvas.Added, g.Added, member.Key)
		case !value.Equal(old, member.Value):
			put(canvas.Changed, g.Changed, member.Key)
		}
	}
	for i := range before.Len() {
		if key := before.At(i).Key; after.Get(key) == nil {
			put(canvas.Removed, g.Removed, key)
		}
	}
	return n
}
