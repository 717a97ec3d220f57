package tui

import (
	"asldb/engine/asl"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// graphPane shows the state graph: drawn where there is room, and listed where there is not.
type graphPane struct {
	sheet    *graph.Sheet
	selected *asl.State
	// current is the state that is looked at.
	current *asl.State
	minimap bool

	// What was drawn last: the drawing, or nil for the list, its corner in view, and the view's size.
	drawing *graph.Drawing
	x, y    int
	w, h    int
	// held is the state that was selected when the view was moved by hand: as long as it is selected the view stays.
	held *asl.State

	inside insideChoice
}

func newGraphPane(definition *asl.StateMachine) *graphPane {
	p := &graphPane{sheet: graph.NewSheet(graph.Build(definition)), minimap: true, w: 1, h: 1}
	p.selected = p.sheet.Model.States()[0]
	if start := definition.Top.State(definition.Top.StartAt); start != nil {
		p.selected = start
	}
	return p
}

// follow selects the state that is looked at, or keeps the selection where there is none.
func (p *graphPane) follow(state *asl.State) {
	p.current, p.held = state, nil
	if state != nil {
		p.selected = state
	}
}

// shown is the node of the selection in the drawing: where it lies in a folded container, the container's.
func (p *graphPane) shown() *graph.Node { return p.drawing.Node(p.selected) }

// pan moves the view by rows. It stays there until another state is selected.
func (p *graphPane) pan(rows int) { p.y, p.held = p.y+rows, p.selected }

// move selects another state: the next one up, down, left or right in a drawing, and up or down in the list.
func (p *graphPane) move(rows, cells int) {
	if p.drawing == nil {
		p.moveInList(rows)
		return
	}
	p.held = nil
	n, nodes := p.shown(), p.drawing.Nodes()
	switch {
	case rows <= -widget.Far:
		n = &nodes[0]
	case rows >= widget.Far:
		n = &nodes[len(nodes)-1]
	case rows == -1:
		n = p.drawing.Toward(n, graph.Up)
	case rows == 1:
		n = p.drawing.Toward(n, graph.Down)
	case rows != 0:
		n = p.drawing.Page(n, rows)
	case cells < 0:
		n = p.drawing.Toward(n, graph.Left)
	case cells > 0:
		n = p.drawing.Toward(n, graph.Right)
	}
	p.selected = n.State
}

func (p *graphPane) moveInList(rows int) {
	list := p.sheet.Rail()
	p.held = nil
	step := 1
	if rows < 0 {
		step, rows = -1, -rows
	}
	for i := list.Row(p.selected) + step; i >= 0 && i < list.Len() && rows > 0; i += step {
		if state := list.State(i); state != nil {
			p.selected = state
			rows--
		}
	}
}

func (p *graphPane) find(text string, by int) (wrapped, ok bool) {
	state := p.sheet.Model.Find(text, p.selected, by)
	if state == nil {
		return false, false
	}
	from, _ := p.sheet.Model.Index(p.selected)
	to, _ := p.sheet.Model.Index(state)
	p.selected = state
	for c := state.Scope.Container; c != nil; c = c.Scope.Container {
		if p.sheet.Folded(c) { // what is found is seen
			p.sheet.Fold(c)
		}
	}
	return (to-from)*by <= 0, true
}

// selectAt selects the state at x, y of the pane's inside.
func (p *graphPane) selectAt(x, y int) {
	state := p.sheet.Rail().State(p.y + y)
	if p.drawing != nil {
		state = nil
		if n := p.drawing.At(p.x+x, p.y+y); n != nil {
			state = n.State
		}
	}
	if state != nil {
		p.selected = state
	}
}

// fold folds or unfolds the selected container, or folds the one that the selection is in. It reports whether there
// is one.
func (p *graphPane) fold() bool {
	for c := p.selected; c != nil; c = c.Scope.Container {
		if p.sheet.Fold(c) {
			p.selected = c
			return true
		}
	}
	return false
}

// tipHeight is the height from which on the last row tells where the selected state leads.
const tipHeight = 12

// draw paints the graph with what over tells of the run. foot stands in the lower border.
func (p *graphPane) draw(area canvas.Area, over *graph.Overlay, foot string, focused bool) {
	inner := area.Frame(canvas.Frame{
		Title: "States", Border: widget.Border(focused), TitleStyle: theme.Title, Focused: focused, Foot: foot,
	})
	p.w, p.h = max(inner.W(), 1), max(inner.H(), 1)
	before := p.drawing
	if p.drawing = p.sheet.Fit(p.w, p.h); p.drawing != before {
		p.held = nil
	}
	if over.Selected = nil; focused {
		over.Selected = p.selected
	}
	if p.drawing == nil {
		p.drawList(inner, over)
		return
	}
	if focused && p.h >= tipHeight {
		p.drawTip(inner)
		p.h--
		inner = inner.Area(canvas.Rect{W: p.w, H: p.h})
	}
	n := p.shown()
	if focused {
		over.Selected = n.State
	}
	if p.held == nil || p.held != p.selected {
		p.held = nil
		p.x, p.y = p.drawing.Reveal(n, p.x, p.y, p.w, p.h)
	}
	_, height := p.drawing.Size()
	p.y = max(0, min(p.y, height-p.h))
	over.Trail = p.drawing.Trail(over.Taken)
	p.drawing.Paint(inner, p.x, p.y, over)
	p.drawMore(area, widget.Border(focused))
	if w, h := p.drawing.Size(); p.minimap && (h > p.h || w > p.w) {
		p.drawMinimap(area, foot, over)
	}
}

// drawMore says in the borders to the left and to the right that the drawing goes on there.
func (p *graphPane) drawMore(area canvas.Area, style canvas.Style) {
	w, _ := p.drawing.Size()
	left, right := area.Glyphs().More()
	middle := area.H() / 2
	if p.x > 0 {
		area.Text(0, middle, style, left)
	}
	if p.x+p.w < w {
		area.Text(area.W()-1, middle, style, right)
	}
}

// drawMinimap puts the small map into the lower border, left of what stands there.
func (p *graphPane) drawMinimap(area canvas.Area, foot string, over *graph.Overlay) {
	room := min(area.W()-canvas.Width(foot)-10, 32)
	if room < 3 {
		return
	}
	text := p.drawing.Minimap(area.Glyphs(), p.y, p.h, room, over)
	area.Text(2, area.H()-1, theme.Dim, " "+text+" ")
}

func (p *graphPane) drawList(inner canvas.Area, over *graph.Overlay) {
	list := p.sheet.Rail()
	// What stands around the selection is in view as well.
	row, margin := list.Row(p.selected), min(2, (p.h-1)/2)
	p.x = 0
	if p.held == nil || p.held != p.selected {
		p.held = nil
		p.y = min(p.y, max(0, row-margin))
		p.y = max(p.y, row-p.h+1+margin)
	}
	p.y = max(0, min(p.y, list.Len()-p.h))
	if over.Selected != nil {
		over.Selected = list.State(row)
	}
	list.Paint(inner, p.y, over)
	widget.Scrollbar(inner, p.y, list.Len())
}

// drawTip says where the selected state leads, in full as far as there is room: names and conditions in the drawing
// may be cut.
func (p *graphPane) drawTip(inner canvas.Area) {
	g, row := inner.Glyphs(), inner.Row(p.h-1)
	x := row.Fit(1, 0, row.W()-1, theme.Strong, p.selected.Name)
	for _, edge := range p.sheet.Model.Edges(p.selected) {
		if edge.To == nil || row.W()-x < 6 {
			continue
		}
		arrow := g.To
		if edge.Kind == asl.EdgeCatch {
			arrow = g.Catches
		}
		text := arrow + " " + edge.To.Name
		if edge.Label != "" {
			text = edge.Label + " " + text
		}
		x = row.Fit(x+2, 0, row.W()-x-2, theme.Dim, text)
	}
}
