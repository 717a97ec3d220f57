package pages

import (
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/internal/report"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// The size of a graph on the page of a report, in cells: it has as many rows as it needs.
const (
	graphWidth  = 120
	graphHeight = 1 << 16
)

// Covered draws a definition with the marks of its coverage for the page of a report.
func Covered(machine *asl.StateMachine, d *coverage.Definition) report.Drawing {
	marks, model := graph.MarksOf(machine, d, canvas.Unicode()), graph.Build(machine)
	return report.Drawing{Mermaid: model.Mermaid(&marks.Overlay), Lines: func() []report.Text {
		sheet := graph.NewSheet(model)
		marks.LayOut(sheet)
		drawing := sheet.Fit(graphWidth, graphHeight)
		if drawing == nil {
			list := sheet.Rail()
			c := canvas.New(graphWidth, list.Len(), canvas.Unicode())
			list.Paint(c.Area(canvas.Rect{W: graphWidth, H: list.Len()}), 0, &marks.Overlay)
			return c.Texts()
		}
		w, h := drawing.Size()
		c := canvas.New(w, h, canvas.Unicode())
		drawing.Paint(c.Area(canvas.Rect{W: w, H: h}), 0, 0, marks.In(drawing))
		return c.Texts()
	}}
}
