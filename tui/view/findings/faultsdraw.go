package findings

import (
	"fmt"

	"asldb/internal/explore"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Sizes of the parts.
const (
	beside      = 150 // from it on the graph stands beside the list
	leastFaults = 84  // cells of the list beside the graph
)

// Draw implements [pane.Dialog].
func (v *FaultsView) Draw(c view.Context, area canvas.Area) {
	w, h := area.W(), area.H()-1
	area.Area(canvas.Rect{W: w, H: h + 1}).Blank(canvas.Plain)
	whole := area.Area(canvas.Rect{W: w, H: h})
	switch {
	case v.result == nil:
		v.drawProgress(whole)
	case w >= beside:
		left := v.graph.Width(w-leastFaults, h, w-leastFaults)
		v.drawGraph(area.Area(canvas.Rect{W: left, H: h}))
		v.drawList(c, area.Area(canvas.Rect{X: left, W: w - left, H: h}))
	case v.graphOnly:
		v.drawGraph(whole)
	default:
		v.drawList(c, whole)
	}
	v.drawHint(c, area.Row(h))
}

func (v *FaultsView) drawProgress(area canvas.Area) {
	inner := area.Frame(canvas.Frame{Title: "Faults", Border: canvas.BorderFocus, TitleStyle: canvas.Title, Focused: true})
	text, style := "Exploring the faults of the definition ...", canvas.Plain
	switch planned := v.planned.Load(); {
	case v.failed != nil:
		text, style = wording.Line(v.failed.Error()), canvas.Bad
	case planned > 0:
		text = fmt.Sprintf("Exploring the faults of the definition: %d of %s done.", v.done.Load(), wording.Count(int(planned), "run"))
	}
	for y, line := range canvas.Wrap(text, max(inner.W()-2, 8)) {
		inner.Text(1, y, style, line)
	}
}

func (v *FaultsView) drawGraph(area canvas.Area) {
	v.graph.Draw(area, explore.Legend(v.ascii()), v.selected())
}

// below is the number of lines about the selection under the list.
const below = 5

func (v *FaultsView) drawList(c view.Context, area canvas.Area) {
	inner := area.Frame(canvas.Frame{
		Title: "Faults", Border: canvas.BorderFocus, TitleStyle: canvas.Title, Focused: true, Foot: explore.Summary(v.result),
	})
	inner.Fit(1, 0, inner.W()-2, canvas.Dim, explore.Head(v.result))
	h := inner.H() - 1
	if h > below+6 {
		h -= below + 1
		area.Separator(area.H()-below-2, canvas.BorderFocus, true)
		v.drawSelection(inner.Area(canvas.Rect{X: 1, Y: inner.H() - below, W: inner.W() - 2, H: below}))
	}
	v.drawEntries(c, inner.Area(canvas.Rect{Y: 1, W: inner.W(), H: h}))
}

// drawEntries paints the findings and the matrix. Above each of the two stands a line with its title.
func (v *FaultsView) drawEntries(c view.Context, body canvas.Area) {
	v.rows = max(body.H()-2, 1)
	findings := len(v.result.Findings)
	at := func(i int) int { // the line of an entry
		switch {
		case i >= findings && findings > 0:
			return i + 2
		}
		return i + 1
	}
	total := at(len(v.entries)-1) + 1
	selected := at(v.cursor)
	if v.cursor == 0 {
		v.top = 0
	}
	v.top = max(min(v.top, selected-1), selected-body.H()+1)
	v.top = max(0, min(v.top, total-body.H()))
	widths := v.widths(body.W() - 4)
	if findings > 0 {
		v.text(body, -v.top, canvas.Title, wording.Count(findings, "finding"))
	}
	if findings < len(v.entries) {
		x := 3
		for i, title := range [...]string{"task", "error", "once", "always", "ends as"} {
			if y := at(findings) - 1 - v.top; y >= 0 && y < body.H() {
				body.Fit(x, y, widths[i], canvas.Title, title)
			}
			x += widths[i] + gap
		}
	}
	for i := range v.entries {
		y := at(i) - v.top
		if y < 0 || y >= body.H() {
			continue
		}
		if i == v.cursor {
			body.Text(0, y, canvas.Current, body.Glyphs().Pointer)
		}
		if v.entries[i].finding != nil {
			v.drawFinding(body, y, i)
			c.OnClick(body.Place(canvas.Rect{Y: y, W: body.W(), H: 1}), func() { v.cursor = i })
		} else {
			v.drawLine(c, body, y, i, widths)
		}
	}
	widget.Scrollbar(body, v.top, total)
}

func (v *FaultsView) text(body canvas.Area, y int, style canvas.Style, text string) {
	if y >= 0 && y < body.H() {
		body.Fit(1, y, body.W()-2, style, text)
	}
}

// class is the width of the class of a finding.
const class = 10

func (v *FaultsView) drawFinding(body canvas.Area, y, i int) {
	f := v.entries[i].finding
	style := canvas.Plain
	switch {
	case f.Class.Bad():
		style = canvas.Bad
		body.Text(1, y, style, "!")
	case f.Class == explore.Uncaught || f.Class == explore.Endless:
		style = canvas.Warn
		body.Text(1, y, style, "-")
	}
	body.Fit(3, y, class, style, f.Class.String())
	body.Fit(3+class, y, body.W()-5-class, canvas.Plain, explore.Title(f))
	if i == v.cursor {
		body.MarkSpan(3, y, body.W()-5)
	}
}

// gap is the number of cells between two columns.
const gap = 2

// cells are the texts of a line of the matrix.
func (e *entry) cells() [5]string {
	task := ""
	if e.first {
		task = wording.Line(e.line.State.Name)
	}
	mark := ""
	if e.line.Bad {
		mark = "! "
	}
	return [5]string{task, e.line.Errors, e.line.Once, e.line.Always, mark + e.line.Ends}
}

// narrow is the width below which no column is cut.
const narrow = 8

// widths returns the widths of the columns of the matrix in a number of cells.
func (v *FaultsView) widths(cells int) [5]int {
	widths := [5]int{4, 5, 4, 6, 7}
	for i := range v.entries {
		if v.entries[i].line != nil {
			for k, text := range v.entries[i].cells() {
				widths[k] = max(widths[k], canvas.Width(text))
			}
		}
	}
	for {
		sum, widest := gap*(len(widths)-1), 0
		for k, w := range widths {
			sum += w
			if w > widths[widest] {
				widest = k
			}
		}
		if sum <= cells || widths[widest] <= narrow {
			return widths
		}
		widths[widest]--
	}
}

func (v *FaultsView) drawLine(c view.Context, body canvas.Area, y, i int, widths [5]int) {
	e := &v.entries[i]
	x := 3
	for k, text := range e.cells() {
		style := canvas.Plain
		if k == 4 && e.line.Bad {
			style = canvas.Bad
		}
		body.Fit(x, y, widths[k], style, text)
		place := body.Place(canvas.Rect{X: x, Y: y, W: widths[k], H: 1})
		switch k {
		case 2, 3:
			of := column(k - 2)
			if i == v.cursor && of == v.column {
				body.MarkSpan(x, y, widths[k])
			}
			c.OnClick(place, func() { v.cursor, v.column = i, of })
		default:
			c.OnClick(place, func() { v.cursor = i })
		}
		x += widths[k] + gap
	}
}

// drawSelection says more about the selection.
func (v *FaultsView) drawSelection(area canvas.Area) {
	if len(v.entries) == 0 {
		area.Fit(0, 0, area.W(), canvas.Good, area.Glyphs().Visited+" No fault was found.")
		return
	}
	e := &v.entries[v.cursor]
	var lines []string
	if f := e.finding; f != nil {
		lines = append(append(lines, wording.Line(f.Place)+"  "+explore.Title(f)), explore.Details(f)...)
		if f.Run != nil && (f.Class == explore.Uncaught || f.Class == explore.Swallowed) {
			lines = append(lines, "shortest run: "+wording.Line(f.Run.Describe()))
		}
	} else if run := e.run(v.column); run != nil {
		lines = append(lines, e.line.State.Path()+": "+wording.Line(run.Describe()), ending(run))
		if found := v.result.FindingsOf(run); len(found) > 0 {
			lines = append(lines, found[0].Class.String()+": "+explore.Title(found[0]))
		}
	} else {
		lines = append(lines, "There is no run in this cell.")
	}
	y := 0
	for _, text := range lines {
		for _, line := range canvas.Wrap(text, max(area.W(), 8)) {
			if y < area.H() {
				area.Text(0, y, canvas.Plain, line)
				y++
			}
		}
	}
}

// ending says how a run ended.
func ending(run *explore.Run) string {
	text := run.Status.String()
	switch {
	case run.Endless():
		text = "it has no end"
	case run.Error != "":
		text += " " + run.Error
		if run.Cause != "" && (len(run.Changes) == 0 || run.Error != run.Changes[0].Error) {
			text += ": " + run.Cause
		}
	}
	return wording.Line(fmt.Sprintf("%s after %s, %s", text, wording.Count(run.States, "state"), wording.Duration(run.Virtual)))
}

// hints are the keys.
func (v *FaultsView) hints(c view.Context) []graph.Hint {
	key := c.Keys().Key
	each, other := "each error", "graph"
	if v.each {
		each = "errors together"
	}
	if v.graphOnly {
		other = "list"
	}
	hints := []graph.Hint{{key(keys.Look), "open the run"}}
	if v.narrow {
		hints = append(hints, graph.Hint{key(keys.FocusNext), other})
	}
	hints = append(hints, []graph.Hint{
		{key(keys.Now), "close"}, {key(keys.Left) + "/" + key(keys.Right), "once, always"},
		{key(keys.Source), "line"}, {key(keys.Zoom), each}, {key(keys.SaveFixtures), "save"},
	}...)
	if v.result == nil {
		hints = []graph.Hint{{key(keys.Now), "close"}}
	}
	return hints
}

// drawHint paints the keys.
func (v *FaultsView) drawHint(c view.Context, row canvas.Area) {
	v.narrow = row.W() < beside
	graph.DrawHints(row, v.hints(c), graph.Hint{c.Keys().Key(keys.Help), "keys"})
}
