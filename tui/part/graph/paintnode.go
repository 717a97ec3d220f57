package graph

import (
	"strings"

	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// Status returns the glyph of a state's status, and the style of its name.
func (m *Mark) Status(g *canvas.Glyphs) (string, canvas.Style) {
	switch {
	case m.Part != NoPart:
		return m.Part.status(g)
	case m.Failed && !m.Active:
		return g.Failed, theme.Bad
	case m.Current:
		return g.Current, theme.Current
	case m.Active && m.Waiting:
		return g.Waiting, theme.Warn
	case m.Active:
		return g.Active, theme.Current
	case m.Visited:
		return g.Visited, theme.Good
	}
	return " ", theme.Plain
}

func (p *painter) mark(n *Node) Mark {
	if p.over.Mark == nil {
		return Mark{}
	}
	return p.over.Mark(n.State)
}

func (p *painter) node(n *Node) {
	mark := p.mark(n)
	switch {
	case n.Open:
		p.frame(n, &mark)
	case n.Rect.H == 1:
		p.chip(n, &mark)
	default:
		p.box(n, &mark)
	}
}

// side paints one cell of a border, joined to the lines that leave the node there.
func (p *painter) side(x, y int, border uint8, double bool, style canvas.Style) {
	c := p.at(x, y)
	outward := c.all &^ border
	switch {
	case double && outward != 0:
		p.area.Text(x, y, style, p.pens.doubleJoin[outward])
	case double:
		p.area.Text(x, y, style, p.pens.double[border])
	default:
		p.area.Text(x, y, style, p.pens.glyph(c.all|border, c.heavy&^border, c.solid|border))
	}
}

func (p *painter) border(r canvas.Rect, double bool, style canvas.Style) {
	x, y := r.X-p.x, r.Y-p.y
	right, bottom := x+r.W-1, y+r.H-1
	for i := max(x+1, 0); i < min(right, p.area.W()); i++ {
		p.side(i, y, east|west, double, style)
		p.side(i, bottom, east|west, double, style)
	}
	for i := max(y+1, 0); i < min(bottom, p.area.H()); i++ {
		p.side(x, i, north|south, double, style)
		p.side(right, i, north|south, double, style)
	}
	p.side(x, y, east|south, double, style)
	p.side(right, y, south|west, double, style)
	p.side(x, bottom, north|east, double, style)
	p.side(right, bottom, north|west, double, style)
}

func borderStyle(m *Mark) canvas.Style {
	switch {
	case m.Part != NoPart:
		return m.Part.style()
	case m.Failed && !m.Active:
		return theme.Bad
	case m.Current || m.Active:
		return theme.Current
	case m.Visited:
		return theme.Plain
	}
	return theme.Dim
}

func nameStyle(status canvas.Style) canvas.Style {
	if status == theme.Good {
		return theme.Plain
	}
	return status
}

// leastName is how many cells of a name are shown at least: its kind and its badges give way before.
const leastName = 8

// yield shortens the text behind a name until it fits: first the kind, then the badges, beginning
// with the first. The name may be shortened for a badge, but not below leastName cells.
func yield(name, kind, badge string, width int) (fittingKind, fittingBadge string) {
	if kind != "" {
		kind = " " + kind
	}
	if badge != "" {
		badge = " " + badge
	}
	full := canvas.Width(name)
	least := min(full, leastName)
	if alone := min(full, width-canvas.Width(kind)); badge != "" && alone+canvas.Width(kind)+canvas.Width(badge) > width {
		if fitting := badgeWithin(badge, width-least); fitting != "" {
			return "", fitting
		}
		badge = ""
	}
	if width-canvas.Width(kind) < least {
		kind = ""
	}
	return kind, badge
}

// badgeWithin returns the last of the badges that fits, with the blank before it.
func badgeWithin(badge string, width int) string {
	for badge != "" && canvas.Width(badge) > width {
		at := strings.IndexByte(badge[1:], ' ')
		if at < 0 {
			return ""
		}
		badge = badge[1+at:]
	}
	return badge
}

// label writes a state's status, name and kind into width cells.
func (p *painter) label(n *Node, m *Mark, x, y, width int, badge string) int {
	g := p.area.Glyphs()
	glyph, style := m.Status(g)
	folded := 0
	if !n.Open {
		folded = p.model.Inside(n.State)
	}
	kind, badge := yield(n.State.Name, kindText(n.State, g, folded), badge, width-2)
	p.area.Text(x, y, style, glyph)
	at := p.area.Text(x+2, y, nameStyle(style), canvas.FitMiddle(n.State.Name, width-2-canvas.Width(kind)-canvas.Width(badge), g.Ellipsis))
	at = p.area.Text(at, y, theme.Dim, kind)
	return p.area.Text(at, y, theme.Warn, badge)
}

func (p *painter) breakpoint(m *Mark, x, y int) {
	g := p.area.Glyphs()
	if m.Breakpoint {
		p.area.Text(x, y, theme.Bad, g.Breakpoint)
	} else if m.BreakpointOff {
		p.area.Text(x, y, theme.Dim, g.BreakpointOff)
	}
}

func (p *painter) box(n *Node, m *Mark) {
	r := n.Rect
	x, y := r.X-p.x, r.Y-p.y
	p.border(r, m.Current || m.Part == LostPart, borderStyle(m))
	badge := p.badges(n, m.Badge)
	p.label(n, m, x+2, y+1, r.W-4, badge)
	p.note(n, m, x+4, y+2, r.W-6)
	p.breakpoint(m, x, y+1)
	if n.State == p.over.Selected {
		p.area.MarkSpan(x+1, y+1, r.W-2)
	}
}

// badges writes the badges into the upper border, right of incoming lines, or at both sides of them. It
// returns those that do not fit there.
func (p *painter) badges(n *Node, badge string) string {
	x, y := n.Rect.X-p.x, n.Rect.Y-p.y
	left, right := n.port-4, n.Rect.W-n.port-5
	switch first, rest, more := strings.Cut(badge, " "); {
	case badge == "":
	case canvas.Width(badge) <= right:
		p.area.Right(x+n.Rect.W-2, y, theme.Warn, " "+badge+" ")
	case canvas.Width(badge) <= left:
		p.area.Text(x+2, y, theme.Warn, " "+badge+" ")
	case more && canvas.Width(first) <= left && canvas.Width(rest) <= right:
		p.area.Text(x+2, y, theme.Warn, " "+first+" ")
		p.area.Right(x+n.Rect.W-2, y, theme.Warn, " "+rest+" ")
	default:
		return badge
	}
	return ""
}

func (p *painter) chip(n *Node, m *Mark) {
	r := n.Rect
	x, y := r.X-p.x, r.Y-p.y
	p.area.Text(x, y, theme.Plain, strings.Repeat(" ", r.W))
	p.area.Text(x, y, borderStyle(m), "[")
	p.label(n, m, x+1, y, r.W-2-n.note, m.Badge)
	p.note(n, m, x+r.W-n.note, y, n.note-2)
	p.area.Text(x+r.W-1, y, borderStyle(m), "]")
	p.breakpoint(m, x, y)
	if n.State == p.over.Selected {
		p.area.MarkSpan(x, y, r.W)
	}
}

// frame draws an open container.
func (p *painter) frame(n *Node, m *Mark) {
	r, g := n.Rect, p.area.Glyphs()
	x, y := r.X-p.x, r.Y-p.y
	p.border(r, m.Current || m.Part == LostPart, borderStyle(m))
	if width := min(canvas.Width(m.Note), n.port-5); width > 0 {
		p.area.Text(x+2, y+r.H-1, m.Part.style(), " "+canvas.FitMiddle(m.Note, width, g.Ellipsis)+" ")
	}
	name := n.State.Name + " " + kindText(n.State, g, 0)
	width := min(canvas.Width(name)+2, n.port-5)
	p.area.Text(x+2, y, theme.Plain, " "+strings.Repeat(" ", width)+" ")
	p.label(n, m, x+3, y, width, "")
	if w := canvas.Width(m.Badge); w > 0 && w <= r.W-n.port-5 {
		p.area.Right(x+r.W-2, y, theme.Warn, " "+m.Badge+" ")
	}
	p.breakpoint(m, x, y)
	for i, inner := range n.inner {
		at := x + inner.X
		if i > 0 {
			for row := max(y+1, 0); row < min(y+r.H-1, p.area.H()); row++ {
				p.area.Text(at-2, row, theme.Dim, p.pens.separator)
			}
		}
		p.area.Fit(at, y+1, inner.W, theme.Dim, p.head(n, i))
	}
	if n.State == p.over.Selected {
		p.area.MarkSpan(x+2, y, width+2)
	}
}

// head is the text over a branch.
func (p *painter) head(n *Node, i int) string {
	text := ""
	if p.over.Head != nil {
		text = p.over.Head(n.State, i)
	}
	if len(n.inner) > 1 {
		text = strings.TrimSuffix("["+itoa(i)+"] "+text, " ")
	}
	return text
}
