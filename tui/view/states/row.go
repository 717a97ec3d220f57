package states

import (
	"slices"
	"strconv"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
)

// chipFrame is the number of cells around a name in a row: signs, badges, the arrow to the next.
const chipFrame = 10

// mostLabel bounds the cells of a transition's label in a row: the names of the states tell more.
const mostLabel = 20

// leastAhead is the number of cells from which on a state that comes next is named, if not whole.
const leastAhead = 20

// labelWidth is the width of the label of a transition in a row.
func labelWidth(e *asl.Edge) int { return min(canvas.Width(e.Label), mostLabel) }

// drawRow paints the graph in one row: the state before, the selected one, and those that come next, as many as fit.
func (p *Pane) drawRow(f widget.Frame, over *graph.Overlay) {
	row, x, here := f.Area, 2, p.selected
	f.Mouse(func(_, _ int) {}, nil) // a click gives it the focus, and the room
	chip := func(s *asl.State) {
		mark := over.Mark(s)
		x = p.sheet.Model.PaintChip(row, x, s, &mark)
	}
	edges := slices.DeleteFunc(slices.Clone(p.sheet.Model.Edges(here)), func(e asl.Edge) bool { return e.To == nil })
	ahead := 0 // of the first state that comes next, which has the room first
	if len(edges) > 0 {
		ahead = aheadWidth(edges)
	}
	e := p.wayHere(over)
	if e != nil && canvas.Width(e.From.Name+here.Name)+labelWidth(e)+2*chipFrame+ahead <= row.W() {
		chip(e.From)
		x = drawArrow(row, x, row.Glyphs().Dash, e)
	}
	chip(here)
	whole := len(edges) == 0 || x+aheadWidth(edges) <= row.W()
	for first := row.Glyphs().Dash; len(edges) > 0 && x+aheadWidth(edges) <= row.W(); edges = edges[1:] {
		x = drawArrow(row, x, first, &edges[0])
		chip(edges[0].To)
		first = row.Glyphs().Box.Vertical // the next line begins at the selected state, not at the one before it
	}
	if !whole && x+leastAhead <= row.W() {
		next := edges[0]
		if x+leastAhead+labelWidth(&next) > row.W() {
			next.Label = ""
		}
		x = drawArrow(row, x, row.Glyphs().Dash, &next)
		all := row
		if edges = edges[1:]; len(edges) > 0 {
			row = all.Area(canvas.Rect{W: all.W() - len(strconv.Itoa(len(edges))) - 2, H: 1})
		}
		chip(next.To) // its name is cut
		row = all
	}
	if len(edges) > 0 {
		row.Fit(x+1, 0, row.W()-x-1, canvas.Dim, "+"+strconv.Itoa(len(edges)))
	}
}

// aheadWidth is the width of the first of several transitions with its state, and of the number of the others.
func aheadWidth(edges []asl.Edge) int {
	w := labelWidth(&edges[0]) + canvas.Width(edges[0].To.Name) + chipFrame
	if more := len(edges) - 1; more > 0 {
		w += canvas.Width(" +" + strconv.Itoa(more))
	}
	return w
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

// drawArrow paints a transition with its label, from its first sign on, and returns the cell behind it.
func drawArrow(row canvas.Area, x int, first string, e *asl.Edge) int {
	g := row.Glyphs()
	x = row.Text(x+1, 0, canvas.Border, first)
	if e.Label != "" {
		x = row.Text(x+1, 0, canvas.Dim, graph.FitCondition(e.Label, labelWidth(e), g.Ellipsis))
		x = row.Text(x+1, 0, canvas.Border, g.Dash)
	}
	arrow := g.To
	if e.Kind == asl.EdgeCatch {
		arrow = g.Catches
	}
	return row.Text(x, 0, canvas.Border, arrow) + 1
}
