package states

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
)

// chipFrame is the number of cells around a name in a row: signs, badges, the arrow to the next.
const chipFrame = 10

// drawRow paints the graph in one row: the state before, the selected one, and those that come next, as many as fit.
func (p *Pane) drawRow(f widget.Frame, over *graph.Overlay) {
	row, x, here := f.Area, 2, p.selected
	f.Mouse(func(_, _ int) {}, nil) // a click gives it the focus, and the room
	chip := func(s *asl.State) {
		mark := over.Mark(s)
		x = p.sheet.Model.PaintChip(row, x, s, &mark)
	}
	if e := p.wayHere(over); e != nil && canvas.Width(e.From.Name+e.Label+here.Name)+2*chipFrame <= row.W() {
		chip(e.From)
		x = drawArrow(row, x, e)
	}
	chip(here)
	left := 0
	for _, e := range p.sheet.Model.Edges(here) {
		switch {
		case e.To == nil:
		case left > 0 || x+canvas.Width(e.Label+e.To.Name)+chipFrame > row.W():
			left++
		default:
			x = drawArrow(row, x, &e)
			chip(e.To)
		}
	}
	if left > 0 {
		row.Fit(x+1, 0, row.W()-x-1, canvas.Dim, "+"+strconv.Itoa(left))
	}
}

// wayHere returns a transition to the selected state: one that the run has taken, or else one from the state before it
// in the text; nil where there is none.
func (p *Pane) wayHere(over *graph.Overlay) (way *asl.Edge) {
	for _, s := range p.sheet.Model.States() {
		if s.Scope != p.selected.Scope || s == p.selected {
			continue
		}
		for i, e := range p.sheet.Model.Edges(s) {
			if e.To == p.selected && (way == nil || over.Taken(s, i)) {
				way = &e
			}
		}
	}
	return way
}

// drawArrow paints a transition with its label, and returns the cell behind it.
func drawArrow(row canvas.Area, x int, e *asl.Edge) int {
	g := row.Glyphs()
	x = row.Text(x+1, 0, canvas.Border, g.Dash)
	if e.Label != "" {
		x = row.Text(x+1, 0, canvas.Dim, e.Label)
		x = row.Text(x+1, 0, canvas.Border, g.Dash)
	}
	arrow := g.To
	if e.Kind == asl.EdgeCatch {
		arrow = g.Catches
	}
	return row.Text(x, 0, canvas.Border, arrow) + 1
}
