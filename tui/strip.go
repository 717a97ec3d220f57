package tui

import (
	"strconv"

	"asldb/engine"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// stripHeight is the number of lines of the stage strip: the names, what each did, and the expression
// of the one that is looked at.
const stripHeight = 3

// stripColumn is one stage as it is drawn.
type stripColumn struct {
	name, mark  string
	style, look canvas.Style // of the mark, of the name
	now         bool
	stage       engine.Stage
}

func (c *stripColumn) width() int { return max(canvas.Width(c.name), canvas.Width(c.mark)) }

// stageSpot is where a stage stands on the strip.
type stageSpot struct {
	stage engine.Stage
	x, w  int
}

// drawStrip paints the stages of the moment's visit into the first stripHeight lines of area, and adds where each stands
// to spots.
func drawStrip(area canvas.Area, m *moment, spots []stageSpot) []stageSpot {
	if m.event == nil || m.visit == nil {
		return spots
	}
	g := area.Glyphs()
	columns := m.columns(g, false)
	if stripWidth(columns) > area.W() {
		columns = m.columns(g, true)
	}
	columns, cutLeft, cutRight := window(columns, area.W(), canvas.Width(g.Ellipsis))
	x := 1
	if cutLeft {
		x = area.Text(0, 0, theme.Dim, g.Ellipsis) + 1
	}
	for i := range columns {
		c := &columns[i]
		if i > 0 {
			x = area.Text(x, 0, theme.Border, " "+g.Dash+" ")
		}
		w := c.width()
		area.Text(x+(w-canvas.Width(c.name))/2, 0, c.look, c.name)
		if c.now {
			area.MarkSpan(x+(w-canvas.Width(c.name))/2, 0, canvas.Width(c.name))
		}
		area.Text(x+(w-canvas.Width(c.mark))/2, 1, c.style, c.mark)
		spots = append(spots, stageSpot{c.stage, x, w})
		x += w
	}
	if cutRight {
		area.Text(x+1, 0, theme.Dim, g.Ellipsis)
	}
	m.drawExpression(area.Row(2))
	return spots
}

func (m *moment) drawExpression(row canvas.Area) {
	field, text, purpose := m.expression()
	if field == "" {
		row.Fit(1, 0, row.W()-2, theme.Strong, m.stageName())
		return
	}
	x := row.Text(1, 0, theme.Strong, field)
	if text != "" {
		room := row.W() - x - 2
		if canvas.Width(text)+canvas.Width(purpose)+3 > room {
			room = max(room-canvas.Width(purpose)-3, min(room, 24))
		}
		x = row.Fit(x+2, 0, room, theme.Text, text)
	}
	if purpose != "" && row.W()-x > 12 {
		row.Fit(x+2, 0, row.W()-x-2, theme.Dim, purpose)
	}
}

func stripWidth(columns []stripColumn) int {
	total := 2
	for i := range columns {
		if i > 0 {
			total += 3
		}
		total += columns[i].width()
	}
	return total
}

// columns makes the columns; short leaves out the stages whose field is absent.
func (m *moment) columns(g *canvas.Glyphs, short bool) []stripColumn {
	var columns []stripColumn
	for i := range m.stages {
		s := &m.stages[i]
		now := i == m.now
		if short && s.state == stageAbsent && !now {
			continue
		}
		c := stripColumn{name: s.info.Field, look: theme.Plain, now: now, stage: s.info.Stage}
		switch s.state {
		case stagePending:
			c.mark, c.style, c.look = g.Pending, theme.Dim, theme.Dim
		case stageAbsent:
			c.look = theme.Dim
		case stageBegun:
			c.mark, c.style = g.Waiting, theme.Warn
		case stageFailed:
			c.mark, c.style = g.Failed, theme.Bad
		case stageRan:
			c.mark, c.style = m.ranMark(s, g)
		}
		if s.edited {
			c.mark, c.style = "by hand", theme.Warn
		}
		if now {
			c.name, c.look = "["+c.name+"]", theme.Current
		}
		columns = append(columns, c)
	}
	return columns
}

func (m *moment) ranMark(s *stageMark, g *canvas.Glyphs) (string, canvas.Style) {
	if s.info.Stage == engine.StageResult || s.counts.Zero() {
		mark := g.Visited
		if s.info.Stage == engine.StageResult && m.attempt > 1 {
			mark += strconv.Itoa(m.attempt)
		}
		if s.times > 1 {
			mark += "x" + strconv.Itoa(s.times)
		}
		return mark, theme.Good
	}
	return prose.Changes(s.counts, g), theme.Changed
}

// window takes away columns at both ends until what is left, with the current one in it, fits; cut is the width of
// the sign for what was taken away.
func window(columns []stripColumn, width, cut int) (left []stripColumn, cutLeft, cutRight bool) {
	now := 0
	for i := range columns {
		if columns[i].now {
			now = i
		}
	}
	from, to := 0, len(columns)
	for to-from > 1 {
		room := width
		if from > 0 {
			room -= cut + 1
		}
		if to < len(columns) {
			room -= cut + 1
		}
		if stripWidth(columns[from:to]) <= room {
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
