package findings

import (
	"fmt"

	"asldb/internal/explore"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
)

// Sizes of the parts.
const (
	leastWide   = 150 // cells, from which on the graph is beside the list
	leastFaults = 84  // cells of the list beside the graph
)

// Draw implements [view.View].
func (v *FaultsView) Draw(f widget.Frame) {
	w, h := f.W(), f.H()-1
	f.Blank(canvas.Plain)
	f.Mouse(nil, v.rows.Move)
	whole := f.In(canvas.Rect{W: w, H: h})
	switch {
	case v.result == nil:
		v.drawProgress(whole.Area)
	case w >= leastWide:
		graph, list := whole.Split(v.graph.Width(w-leastFaults, h, w-leastFaults))
		v.drawGraph(graph)
		v.drawList(list)
	case v.graphOnly:
		v.drawGraph(whole.Area)
	default:
		v.drawList(whole)
	}
	v.drawHint(f.Row(h))
}

func (v *FaultsView) drawProgress(area canvas.Area) {
	inner := area.Titled(
		canvas.Frame{Title: "2 Faults", Border: canvas.BorderFocus, TitleStyle: canvas.Title, Focused: true},
	)
	text, style := "Exploring the faults of the definition ...", canvas.Plain
	switch planned := v.planned.Load(); {
	case v.failed != nil:
		text, style = wording.Line(v.failed.Error()), canvas.Bad
	case planned > 0:
		text = fmt.Sprintf("Exploring the faults of the definition: %d of %s done.", v.done.Load(),
			wording.Count(int(planned), "run"))
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

func (v *FaultsView) drawList(f widget.Frame) {
	inner := f.Titled(canvas.Frame{Title: "2 Faults", Note: explore.Summary(v.result)})
	inner.Fit(1, 0, inner.W()-2, canvas.Dim, explore.Head(v.result))
	h := inner.H() - 1
	if h > below+6 {
		h -= below + 1
		about := inner.Area.Area(canvas.Rect{Y: h + 1, W: inner.W(), H: below + 1})
		about = about.Titled(canvas.Frame{Border: canvas.Border})
		v.drawSelection(about.Area(canvas.Rect{X: 1, W: about.W() - 2, H: below}))
	}
	v.drawEntries(inner.In(canvas.Rect{Y: 1, W: inner.W(), H: h}))
}

// drawEntries paints the findings and the matrix. Above each of the two is a line with its title. A click in the matrix
// selects the column as well.
func (v *FaultsView) drawEntries(body widget.Frame) {
	widths := v.widths(body.W() - 4)
	v.rows.Paint = func(line canvas.Area, e entry, _ []int) { v.drawEntry(line, &e, widths) }
	v.rows.Mark = func(line canvas.Area, e entry) {
		if e.finding != nil {
			line.MarkSpan(3, 0, line.W()-5)
			return
		}
		x, w := v.cell(v.column, widths)
		line.MarkSpan(x, 0, w)
	}
	v.rows.Open = func() { v.open() }
	v.rows.Draw(body)
	for _, of := range []column{once, always} {
		x, w := v.cell(of, widths)
		cells := body.In(canvas.Rect{X: x, W: w, H: body.H()})
		cells.Mouse(func(cx, y int) {
			if e, ok := v.rows.AtLine(y); ok && e.line != nil && v.column != of {
				v.column, v.rows.Open = of, nil // it is selected, not opened; the next frame has Open again
			}
			v.rows.Click(cx, y)
		}, v.rows.Move)
	}
}

// cell is the place of a column of the matrix in a line.
func (v *FaultsView) cell(of column, widths [5]int) (x, w int) {
	return 3 + widths[0] + widths[1] + 2*gap + int(of)*(widths[2]+gap), widths[2+of]
}

func (v *FaultsView) drawEntry(line canvas.Area, e *entry, widths [5]int) {
	switch {
	case e.heading == ofFindings:
		line.Fit(1, 0, line.W()-2, canvas.Title, wording.Count(len(v.result.Findings), "finding"))
	case e.heading == ofMatrix:
		x := 3
		for i, title := range [...]string{"task", "error", "once", "always", "ends as"} {
			line.Fit(x, 0, widths[i], canvas.Title, title)
			x += widths[i] + gap
		}
	case e.finding != nil:
		drawFinding(line, e.finding, v.ascii())
	default:
		drawLine(line, e, widths, v.ascii())
	}
}

// class is the width of the class of a finding.
const class = 10

func drawFinding(line canvas.Area, f *explore.Finding, ascii bool) {
	style := canvas.Plain
	switch {
	case f.Class.Bad():
		style = canvas.Bad
	case f.Class == explore.Uncaught || f.Class == explore.Endless:
		style = canvas.Warn
	}
	line.Text(1, 0, style, explore.Sign(f.Class, ascii))
	line.Fit(3, 0, class, style, f.Class.String())
	line.Fit(3+class, 0, line.W()-5-class, canvas.Plain, explore.Title(f))
}

// gap is the number of cells between two columns.
const gap = 2

// cells are the texts of a line of the matrix.
func (e *entry) cells(ascii bool) [5]string {
	task := ""
	if e.first {
		task = wording.Line(e.line.State.Name)
	}
	mark := ""
	if e.line.Bad {
		mark = explore.Sign(explore.Bug, ascii) + " "
	}
	return [5]string{task, e.line.Errors, e.line.Once, e.line.Always, mark + e.line.Ends}
}

// narrow is the width below which no column is cut.
const narrow = 8

// widths returns the widths of the columns of the matrix in a number of cells.
func (v *FaultsView) widths(cells int) [5]int {
	widths := [5]int{4, 5, 4, 6, 7}
	for i := range v.rows.Len() {
		if e := v.rows.At(i); e.line != nil {
			for k, text := range e.cells(v.ascii()) {
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

func drawLine(line canvas.Area, e *entry, widths [5]int, ascii bool) {
	x := 3
	for k, text := range e.cells(ascii) {
		style := canvas.Plain
		if k == 4 && e.line.Bad {
			style = canvas.Bad
		}
		line.Fit(x, 0, widths[k], style, text)
		x += widths[k] + gap
	}
}

// drawSelection says more about the selection.
func (v *FaultsView) drawSelection(area canvas.Area) {
	e, ok := v.rows.Selected()
	if !ok {
		area.Fit(0, 0, area.W(), canvas.Good, area.Glyphs().Visited+" No fault was found.")
		return
	}
	var lines []string
	if f := e.finding; f != nil {
		lines = append(append(lines, wording.Line(explore.Place(f))+"  "+explore.Title(f)), explore.Details(f)...)
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
	return wording.Line(
		fmt.Sprintf("%s after %s, %s", text, wording.Count(run.States, "state"), wording.Duration(run.Virtual)),
	)
}

// hints are the keys.
func (v *FaultsView) hints() []graph.Hint {
	key := v.screen.Keys().Any
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
func (v *FaultsView) drawHint(row canvas.Area) {
	v.narrow = row.W() < leastWide
	graph.DrawHints(row, v.hints(), graph.Hint{v.screen.Keys().Key(keys.Help), "keys"})
}
