package prose

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
)

// Height is the number of lines of a strip: the names, and the marks below them.
const Height = 2

// column is one stage as it is drawn.
type column struct {
	name, mark           string
	markStyle, nameStyle canvas.Style
	now                  bool
	stage                engine.Stage
}

func (c *column) width() int { return max(canvas.Width(c.name), canvas.Width(c.mark)) }

// Spot is the place of a stage, or of a row that refers to an event by its number, in cells from the corner of the
// area.
type Spot struct {
	canvas.Rect
	Stage engine.Stage
	Event int64
}

// Draw paints the stages of a visit into the first lines of area and appends their places to spots. now is the index of
// the selected stage, or -1. Stages without a field are left out, and where not all fit those farthest from the
// selected one.
func Draw(area canvas.Area, stages *runlog.VisitStages, now int, spots []Spot) []Spot {
	g := area.Glyphs()
	columns := columnsOf(stages, now, g)
	columns, cutLeft, cutRight := window(columns, area.W(), canvas.Width(g.Ellipsis))
	x := 1
	if cutLeft {
		x = area.Text(0, 0, canvas.Dim, g.Ellipsis) + 1
	}
	for i := range columns {
		c := &columns[i]
		if i > 0 {
			x = area.Text(x, 0, canvas.Border, " "+g.Dash+" ")
		}
		w := c.width()
		area.Text(x+(w-canvas.Width(c.name))/2, 0, c.nameStyle, c.name)
		if c.now {
			area.MarkSpan(x+(w-canvas.Width(c.name))/2, 0, canvas.Width(c.name))
		}
		area.Text(x+(w-canvas.Width(c.mark))/2, 1, c.markStyle, c.mark)
		spots = append(spots, Spot{Rect: canvas.Rect{X: x, W: w, H: Height}, Stage: c.stage})
		x += w
	}
	if cutRight {
		area.Text(x+1, 0, canvas.Dim, g.Ellipsis)
	}
	return spots
}

// DrawExpression paints the field of a stage, its text in the definition and its purpose into one row.
func DrawExpression(row canvas.Area, field, text, purpose string) {
	x := row.Text(1, 0, canvas.Strong, field)
	if text != "" {
		free := row.W() - x - 2
		if canvas.Width(text)+canvas.Width(purpose)+3 > free {
			free = max(free-canvas.Width(purpose)-3, min(free, 24))
		}
		x = row.Fit(x+2, 0, free, canvas.Text, text)
	}
	if purpose != "" && row.W()-x > 12 {
		row.Fit(x+2, 0, row.W()-x-2, canvas.Dim, purpose)
	}
}

func widthOf(columns []column) int {
	total := 2
	for i := range columns {
		if i > 0 {
			total += 3
		}
		total += columns[i].width()
	}
	return total
}

// columnsOf returns the columns of the stages that the state has: those without a field are left out, but for the
// selected one.
func columnsOf(stages *runlog.VisitStages, selected int, g *canvas.Glyphs) []column {
	var columns []column
	for i := range stages.Stages {
		s := &stages.Stages[i]
		now := i == selected
		if left(s, now) {
			continue
		}
		c := column{name: s.Info.Field, nameStyle: canvas.Plain, now: now, stage: s.Info.Stage}
		switch s.State {
		case runlog.StagePending:
			c.mark, c.markStyle, c.nameStyle = g.Pending, canvas.Dim, canvas.Dim
		case runlog.StageAbsent:
			c.nameStyle = canvas.Dim
		case runlog.StageBegun:
			c.mark, c.markStyle = g.Waiting, canvas.Warn
		case runlog.StageFailed:
			c.mark, c.markStyle = g.Failed, canvas.Bad
		case runlog.StageCompleted:
			c.mark, c.markStyle = completedMark(s, stages.Attempt, g)
		}
		if s.Edited {
			c.mark, c.markStyle = "manual", canvas.Warn
		}
		if now {
			c.name, c.nameStyle = "["+c.name+"]", canvas.Current
		}
		columns = append(columns, c)
	}
	return columns
}

// left reports whether a stage is not drawn: it has no field, and is not the selected one.
func left(s *runlog.StageMark, selected bool) bool { return s.State == runlog.StageAbsent && !selected }

func completedMark(s *runlog.StageMark, attempt int, g *canvas.Glyphs) (string, canvas.Style) {
	if s.Info.Stage == engine.StageResult || s.Counts.Zero() {
		mark := g.Visited
		if s.Info.Stage == engine.StageResult && attempt > 1 {
			mark += strconv.Itoa(attempt)
		}
		if s.Times > 1 {
			mark += "x" + strconv.Itoa(s.Times)
		}
		return mark, canvas.Good
	}
	return Changes(s.Counts, g), canvas.Changed
}

// window returns the columns around the selected one that fit, and reports whether it left out any on either side. cut
// is the width of the ellipsis in their place.
func window(columns []column, width, cut int) (left []column, cutLeft, cutRight bool) {
	now := 0
	for i := range columns {
		if columns[i].now {
			now = i
		}
	}
	from, to := 0, len(columns)
	for to-from > 1 {
		free := width
		if from > 0 {
			free -= cut + 1
		}
		if to < len(columns) {
			free -= cut + 1
		}
		if widthOf(columns[from:to]) <= free {
			break
		}
		if to-1-now > now-from || now == from {
			to--
		} else {
			from++
		}
	}
	return columns[from:to], from > 0, to < len(columns)
}
