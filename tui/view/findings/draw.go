package findings

import (
	"strconv"

	"asldb/engine/coverage"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
)

// Sizes of the parts.
const (
	stacked       = 60 // below it the list is above the graph
	leastCoverage = 36 // cells of the list beside the graph
)

// Draw implements [view.View].
func (v *CoverageView) Draw(f widget.Frame) {
	w, h := f.W(), f.H()-1
	f.Blank(canvas.Plain)
	f.Mouse(nil, v.rows.Move)
	if w < stacked {
		upper := max(h/2, 5)
		v.drawList(f.In(canvas.Rect{W: w, H: upper}))
		v.drawGraph(f.Area.Area(canvas.Rect{Y: upper, W: w, H: h - upper}))
	} else {
		left := v.graph.Width(min(w*6/10, w-leastCoverage), h, w/2)
		graph, list := f.In(canvas.Rect{W: w, H: h}).Split(left)
		v.drawGraph(graph)
		v.drawList(list)
	}
	v.drawHint(f.Row(h))
}

// drawGraph paints the graph.
func (v *CoverageView) drawGraph(area canvas.Area) {
	ran := v.definition.Share(coverage.Entered)
	v.graph.Draw(area, strconv.Itoa(ran.Covered)+" of "+strconv.Itoa(ran.Total)+" ran", v.selected())
}

func (v *CoverageView) drawList(f widget.Frame) {
	title := "2 Never taken"
	if v.all {
		title = "2 All items"
	}
	inner := f.Titled(canvas.Frame{Title: title, Note: strconv.Itoa(v.rows.Len())})
	y := 0
	write := func(style canvas.Style, text string) {
		for _, line := range canvas.Wrap(text, max(inner.W()-2, 8)) {
			if y < inner.H()-3 {
				inner.Text(1, y, style, line)
				y++
			}
		}
	}
	write(canvas.Strong, v.headline())
	write(canvas.Dim, v.subject.Runs)
	for _, part := range v.packed(inner.W() - 2) {
		write(canvas.Plain, part)
	}
	if y > 0 {
		y++
	}
	body := inner.In(canvas.Rect{Y: y, W: inner.W(), H: inner.H() - y})
	if v.rows.Len() == 0 {
		body.Fit(1, 0, body.W()-2, canvas.Good, body.Glyphs().Visited+" Everything is covered.")
	}
	v.rows.Paint = func(line canvas.Area, item coverage.Item, _ []int) { v.drawItem(line, &item) }
	v.rows.Open = func() { v.leave(keys.Look) }
	v.rows.Draw(body)
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
func (v *CoverageView) drawHint(row canvas.Area) {
	graph.DrawHints(row, v.hints(), graph.Hint{v.screen.Keys().Key(keys.Help), "keys"})
}

// hints are the keys.
func (v *CoverageView) hints() []graph.Hint {
	key := v.screen.Keys().Any
	all, kinds := "all items", "more kinds"
	if v.all {
		all = "not covered"
	}
	if v.kinds == coverage.All {
		kinds = "fewer kinds"
	}
	return []graph.Hint{
		{key(keys.Look), "state"}, {key(keys.Source), "line"}, {key(keys.Zoom), all}, {key(keyKinds), kinds},
		{key(keys.SaveFixtures), "save"}, {key(keys.Now), "close"},
	}
}
