package findings

import (
	"strconv"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Sizes of the parts.
const (
	stacked       = 60 // below it the list stands above the graph
	leastCoverage = 36 // cells of the list beside the graph
)

// Draw implements [pane.Dialog].
func (v *CoverageView) Draw(c view.Context, area canvas.Area) {
	w, h := area.W(), area.H()-1
	area.Area(canvas.Rect{W: w, H: h + 1}).Blank(canvas.Plain)
	if w < stacked {
		upper := max(h/2, 5)
		v.drawList(c, area.Area(canvas.Rect{W: w, H: upper}))
		v.drawGraph(area.Area(canvas.Rect{Y: upper, W: w, H: h - upper}))
	} else {
		left := v.graph.Width(min(w*6/10, w-leastCoverage), h, w/2)
		v.drawGraph(area.Area(canvas.Rect{W: left, H: h}))
		v.drawList(c, area.Area(canvas.Rect{X: left, W: w - left, H: h}))
	}
	v.drawHint(c, area.Row(h))
}

// drawGraph paints the graph.
func (v *CoverageView) drawGraph(area canvas.Area) {
	v.graph.Draw(area, "light and "+area.Glyphs().BreakpointOff+": never taken", v.selected())
}

func (v *CoverageView) drawList(c view.Context, area canvas.Area) {
	foot := "not covered: " + strconv.Itoa(len(v.items))
	if v.all {
		foot = "all items: " + strconv.Itoa(len(v.items))
	}
	inner := area.Frame(canvas.Frame{Title: v.headline(), Border: canvas.BorderFocus, TitleStyle: canvas.Title, Focused: true, Foot: foot})
	y := 0
	write := func(style canvas.Style, text string) {
		for _, line := range canvas.Wrap(text, max(inner.W()-2, 8)) {
			if y < inner.H()-3 {
				inner.Text(1, y, style, line)
				y++
			}
		}
	}
	write(canvas.Dim, v.subject.Runs)
	for _, part := range v.packed(inner.W() - 2) {
		write(canvas.Plain, part)
	}
	if y > 0 {
		y++
	}
	body := inner.Area(canvas.Rect{Y: y, W: inner.W(), H: inner.H() - y})
	v.rows = max(body.H(), 1)
	if len(v.items) == 0 {
		body.Fit(1, 0, body.W()-2, canvas.Good, body.Glyphs().Visited+" Everything is covered.")
		return
	}
	v.top = max(min(v.top, v.cursor), v.cursor-v.rows+1)
	v.top = max(0, min(v.top, len(v.items)-v.rows))
	for row := 0; row < v.rows && v.top+row < len(v.items); row++ {
		i := v.top + row
		place, text, style := v.line(&v.items[i])
		body.Right(2+v.place, row, canvas.Dim, place)
		body.Fit(3+v.place, row, body.W()-5-v.place, style, text)
		if i == v.cursor {
			body.Text(0, row, canvas.Current, body.Glyphs().Pointer)
			body.MarkSpan(0, row, body.W()-1)
		}
		c.OnClick(body.Place(canvas.Rect{Y: row, W: body.W(), H: 1}), func() { v.cursor = i })
	}
	widget.Scrollbar(body, v.top, len(v.items))
}

// packed puts the shares of the kinds of items on lines of at most cells cells.
func (v *CoverageView) packed(cells int) []string {
	var lines []string
	for _, part := range v.figures {
		if n := len(lines); n > 0 && canvas.Width(lines[n-1])+2+canvas.Width(part) <= cells {
			lines[n-1] += "; " + part
			continue
		}
		lines = append(lines, part)
	}
	return lines
}

// drawHint paints the keys.
func (v *CoverageView) drawHint(c view.Context, row canvas.Area) {
	graph.DrawHints(row, v.hints(c), graph.Hint{c.Keys().Key(keys.Help), "keys"})
}

// hints are the keys.
func (v *CoverageView) hints(c view.Context) []graph.Hint {
	key := c.Keys().Key
	all, conditions := "all items", "with conditions"
	if v.all {
		all = "not covered"
	}
	if v.conditions {
		conditions = "without conditions"
	}
	return []graph.Hint{
		{key(keys.Look), "state"}, {key(keys.Source), "line"}, {key(keys.Zoom), all}, {key(keyConditions), conditions},
		{key(keys.SaveFixtures), "save"}, {key(keys.Now), "close"},
	}
}
