package graph

import (
	"strings"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// Marks are marks of states that have texts at the transitions, and their own lines in each drawing.
type Marks interface {
	LayOut(*Sheet)
	In(*Drawing) *Overlay
}

// Graph is the graph of a definition with marks, which follows a selection.
type Graph struct {
	sheet   *Sheet
	marks   Marks
	overlay Overlay // the marks of the states
	x, y    int     // the corner in view
}

// NewGraph returns the graph of a definition. overlay has the marks of the states alone, for drawings without transitions.
func NewGraph(definition *asl.StateMachine, marks Marks, overlay *Overlay) *Graph {
	g := &Graph{sheet: NewSheet(Build(definition)), marks: marks, overlay: *overlay}
	marks.LayOut(g.sheet)
	return g
}

// Width returns the width that the graph needs in h lines with its title, at most most; fallback where it is a list.
func (g *Graph) Width(most, h, fallback int) int {
	if need := g.sheet.Width(most-2, most-2, h-1); need > 0 {
		return min(need+2, most)
	}
	return fallback
}

// Draw paints the graph below its title and a note, with the selected state in view; nil: none is selected.
func (g *Graph) Draw(area canvas.Area, note string, selected *asl.State) {
	inner := area.Titled(canvas.Frame{Title: "1 States", Border: canvas.Border, TitleStyle: canvas.Title, Note: note})
	d := g.sheet.Fit(inner.W(), inner.H())
	if d == nil {
		g.drawRail(inner, selected)
		return
	}
	over, n := g.marks.In(d), &d.Nodes()[0]
	if selected != nil {
		if n = d.Node(selected); n != nil {
			over.Selected = n.State
		}
	}
	if n != nil {
		g.x, g.y = d.Reveal(n, g.x, g.y, inner.W(), inner.H())
	}
	d.Paint(inner, g.x, g.y, over)
}

// drawRail paints the states as a list, where a graph does not fit.
func (g *Graph) drawRail(inner canvas.Area, selected *asl.State) {
	over, list := g.overlay, g.sheet.Rail()
	if row := list.Row(selected); row >= 0 {
		over.Selected = list.State(row)
		g.y = max(min(g.y, row-1), row-inner.H()+3)
	}
	g.y = max(0, min(g.y, list.Len()-inner.H()))
	list.Paint(inner, g.y, &over)
	widget.Scrollbar(inner, g.y, list.Len())
}

// Hint is a key and the word for its action.
type Hint [2]string

// width is a hint's width in cells.
func (h Hint) width() int { return canvas.Width(h[0]) + 1 + canvas.Width(h[1]) }

// DrawHints paints hints into a line, as many as fit. Where some do not, more is painted at the end: the key that says them all.
func DrawHints(row canvas.Area, hints []Hint, more Hint) {
	all := -2
	for _, hint := range hints {
		all += hint.width() + 2
	}
	end := row.W() - 1
	if 1+all > end && more.width() < end {
		end -= more.width()
		more.draw(row, end)
		end -= 2
	}
	x := 1
	for _, hint := range hints {
		if x+hint.width() > end {
			return
		}
		x = hint.draw(row, x) + 2
	}
}

// draw paints a hint, and returns the cell behind it.
func (h Hint) draw(row canvas.Area, x int) int {
	x = row.Text(x, 0, canvas.HintKey, h[0])
	return row.Text(x+1, 0, canvas.Hint, h[1])
}

// HintText returns all hints as a sentence, those first that a narrow line leaves out.
func HintText(hints []Hint) string {
	var parts []string
	for i := len(hints) - 1; i >= 0; i-- {
		parts = append(parts, hints[i][0]+" "+hints[i][1])
	}
	return strings.Join(parts, "; ")
}
