package states

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/widget"
)

// tipHeight is the height from which on the last row names the states to which the selected one leads.
const tipHeight = 12

// Draw implements [view.Pane]: it paints the states with the marks of the run as of the event on the screen.
func (p *Pane) Draw(f widget.Frame) {
	if p.Polls.Shown() {
		session, i := p.screen.Session(), p.screen.Selection().Index
		if f.H() == 1 {
			p.Polls.DrawRow(f, session, i)
			return
		}
		p.Polls.DrawAcceptors(f, session, i)
		return
	}
	foot := wording.Count(len(p.sheet.Model.States()), "state")
	if p.past != nil {
		foot = "as of event " + strconv.FormatInt(p.screen.Selection().Event.Seq, 10)
	}
	if f.H() == 1 {
		p.drawRow(f, p.runMarks().overlay())
		return
	}
	p.paint(f, p.runMarks(), foot)
}

func (p *Pane) paint(f widget.Frame, marks *runMarks, foot string) {
	over := marks.overlay()
	area, focused, inside := f.Area, f.Focused, f.Titled(canvas.Frame{Title: "1 States", Note: foot})
	inside.Mouse(p.click, p.pan)
	inner := inside.Area
	p.w, p.h = max(inner.W(), 1), max(inner.H(), 1)
	before := p.drawing
	if p.drawing = p.sheet.Fit(p.w, p.h); p.drawing != before {
		p.pannedAt = nil
	}
	if over.Selected = nil; focused {
		over.Selected = p.selected
	}
	if p.drawing == nil {
		p.drawList(inner, over)
		return
	}
	if _, height := p.drawing.Size(); focused && p.h >= tipHeight && height != p.h { // all is in view without its row
		p.drawTip(inner)
		p.h--
		inner = inner.Area(canvas.Rect{W: p.w, H: p.h})
	}
	n := p.shown()
	if focused {
		over.Selected = n.State
	}
	if p.pannedAt == nil || p.pannedAt != p.selected {
		p.pannedAt = nil
		p.x, p.y = p.drawing.Reveal(n, p.x, p.y, p.w, p.h)
	}
	_, height := p.drawing.Size()
	p.y = max(0, min(p.y, height-p.h))
	over.Trail = p.drawing.Trail(over.Taken)
	p.drawing.Paint(inner, p.x, p.y, over)
	p.drawMore(area, widget.Border(focused))
	if p.minimap && !p.drawing.Within(p.w, p.h) {
		p.drawMinimap(area, foot, marks)
	}
}

// drawMore marks the ends of the title line where the drawing has more to the left and to the right.
func (p *Pane) drawMore(area canvas.Area, style canvas.Style) {
	w, _ := p.drawing.Size()
	left, right := area.Glyphs().More()
	if p.x > 0 {
		area.Text(0, 0, style, left)
	}
	if p.x+p.w < w {
		area.Text(area.W()-1, 0, style, right)
	}
}

// drawMinimap puts the small map into the title line, to the left of foot.
func (p *Pane) drawMinimap(area canvas.Area, foot string, marks *runMarks) {
	width := min(area.W()-canvas.Width(foot)-22, 32)
	if width < 3 {
		return
	}
	text := p.drawing.Minimap(area.Glyphs(), p.y, p.h, width, p.current, marks.visited)
	area.Text(13, 0, canvas.Dim, " "+text+" ")
}

func (p *Pane) drawList(inner canvas.Area, over *graph.Overlay) {
	list := p.sheet.Rail()
	// The rows around the selection are in view as well.
	row, margin := list.Row(p.selected), min(2, (p.h-1)/2)
	p.x = 0
	if p.pannedAt == nil || p.pannedAt != p.selected {
		p.pannedAt = nil
		p.y = min(p.y, max(0, row-margin))
		p.y = max(p.y, row-p.h+1+margin)
	}
	p.y = max(0, min(p.y, list.Len()-p.h))
	if over.Selected != nil {
		over.Selected = list.State(row)
	}
	rows := inner
	if list.Len() > p.h { // the last column is the scrollbar's
		rows = inner.Area(canvas.Rect{W: p.w - 1, H: p.h})
	}
	list.Paint(rows, p.y, over)
	widget.Scrollbar(inner, p.y, list.Len())
}

// drawTip names the states to which the selected one leads, with their conditions: those in the drawing may be cut.
func (p *Pane) drawTip(inner canvas.Area) {
	g, row := inner.Glyphs(), inner.Row(p.h-1)
	x := row.Fit(1, 0, row.W()-1, canvas.Strong, p.selected.Name)
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
		x = row.Fit(x+2, 0, row.W()-x-2, canvas.Dim, text)
	}
}
