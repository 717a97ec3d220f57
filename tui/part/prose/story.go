package prose

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
)

// StoryRows returns the number of rows that [DrawStory] takes.
func StoryRows(stages *runlog.VisitStages, now int) (n int) {
	for i := range stages.Stages {
		if !left(&stages.Stages[i], i == now) {
			n++
		}
	}
	return n
}

// The columns of a story: a sign, the name of the stage, its change in words, and at the right its counts and the size of the data.
const (
	signCells = 2
	nameCells = 16
	sizeCells = 9
)

// DrawStory paints the stages of a visit below each other, in the order of the run: each with its sign, its name, the members that it
// changed and the size of the data behind it. now is the index of the selected stage, or -1. limit is the greatest size of a document,
// 0 where there is none. It appends the places of the stages to spots.
func DrawStory(area canvas.Area, stages *runlog.VisitStages, now, limit int, spots []Spot) []Spot {
	y := 0
	for i := range stages.Stages {
		s := &stages.Stages[i]
		if left(s, i == now) {
			continue
		}
		drawStage(area.Row(y), s, stages, i == now, limit)
		spots = append(spots, Spot{s.Info.Stage, canvas.Rect{X: 1, Y: y, W: area.W() - 2, H: 1}})
		y++
	}
	return spots
}

// drawStage paints the row of one stage.
func drawStage(row canvas.Area, s *runlog.StageMark, stages *runlog.VisitStages, now bool, limit int) {
	g := row.Glyphs()
	mark, style, look := stageSign(s, g)
	row.Text(1, 0, style, mark)
	name := s.Info.Field
	if now {
		name, look = "["+name+"]", canvas.Current
	}
	x := row.Text(1+signCells, 0, look, name)
	if now {
		row.MarkSpan(1+signCells, 0, canvas.Width(name))
	}
	if s.Info.Stage == engine.StageResult && stages.Attempt > 1 {
		x = row.Text(x+1, 0, canvas.Warn, g.Retried+strconv.Itoa(stages.Attempt-1))
	}
	x = max(x+1, 1+signCells+nameCells)
	edge := row.W() - 1
	e := s.Newest
	if e == nil || s.State == runlog.StagePending {
		return
	}
	if s.Size > 0 {
		style := canvas.Dim
		if limit > 0 && s.Size*100 > limit*storyWarns {
			style = canvas.Warn
		}
		row.Right(edge, 0, style, wording.Size(s.Size))
		edge -= sizeCells
	}
	if s.State == runlog.StageFailed {
		row.Fit(x, 0, edge-x, canvas.Bad, Spans(explain.FailureDetail(e.Failure()), g))
		return
	}
	if s.Edited {
		edge = row.Right(edge, 0, canvas.Warn, "by hand") - 1
	} else if counts := value.Count(e.Before, e.After); s.Info.Stage != engine.StageResult && e.Before != nil && e.After != nil && !counts.Zero() {
		edge = row.Right(edge, 0, canvas.Changed, Changes(counts, g)) - 1
	}
	drawChange(row, x, edge, s, e)
}

// storyWarns is the share of the greatest size of a document, in per cent, above which its size is in the style of a warning.
const storyWarns = 80

// stageSign returns the sign of a stage, its style, and that of its name.
func stageSign(s *runlog.StageMark, g *canvas.Glyphs) (mark string, style, look canvas.Style) {
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

// drawChange names what a stage did to the data, in the cells from x to edge: the members that it added, removed and changed; of the
// input, and of the result of the work, the members that it has.
func drawChange(row canvas.Area, x, edge int, s *runlog.StageMark, e *engine.Event) {
	g := row.Glyphs()
	before, isObject := e.Before.(*value.Object)
	after, _ := e.After.(*value.Object)
	switch {
	case s.State == runlog.StageBegun && s.Data() == nil:
		row.Fit(x, 0, edge-x, canvas.Dim, "under way")
	case s.State == runlog.StageBegun:
		row.Fit(x, 0, edge-x, canvas.Text, "begun with "+shapeText(s.Data(), g))
	case s.Info.Stage == engine.StageInput || s.Info.Stage == engine.StageResult || e.Before == nil || !isObject || after == nil:
		text := shapeText(s.Data(), g)
		if s.Info.Stage == engine.StageResult {
			text = g.To + " " + text
		}
		row.Fit(x, 0, edge-x, canvas.Text, text)
	default:
		if drawMembers(row, x, edge, before, after) == 0 {
			row.Fit(x, 0, edge-x, canvas.Dim, "no change")
		}
	}
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
