package graph

import (
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// Status returns the sign of a state's status, and its style.
func (m *Mark) Status(g *canvas.Glyphs) (string, canvas.Style) {
	switch {
	case m.Part != NoPart:
		return m.Part.status(g)
	case m.Failed && !m.Active:
		return g.Failed, canvas.Bad
	case m.Current:
		return g.Current, canvas.Current
	case m.Active && m.Waiting:
		return g.Waiting, canvas.Warn
	case m.Active:
		return g.Active, canvas.Current
	case m.Caught:
		return g.Caught, canvas.Warn
	case m.Visited:
		return g.Visited, canvas.Good
	}
	return g.Pending, canvas.Dim
}

// ground returns the style of a whole chip, or of the inside of a box: the selected state's or the current one's;
// ok is false where a state has none.
func (m *Mark) ground(selected bool) (style canvas.Style, ok bool) {
	switch {
	case selected:
		return canvas.Strong | canvas.Reverse, true
	case m.Current && m.Failed && !m.Active:
		return canvas.BarBad, true
	case m.Current:
		return canvas.BarInfo, true
	}
	return canvas.Plain, false
}

// nameStyle returns the style of a state's name: its status's where it failed, was caught, is current or did not run,
// else its type's.
func (m *Mark) nameStyle(state *asl.State) canvas.Style { return m.statusStyle(typeStyle(state)) }

// statusStyle returns the style of a state's status; visited is the style of a state that has run.
func (m *Mark) statusStyle(visited canvas.Style) canvas.Style {
	switch {
	case m.Part != NoPart:
		return m.Part.style()
	case m.Failed && !m.Active:
		return canvas.Bad
	case m.Current || m.Active:
		return canvas.Current
	case m.Caught:
		return canvas.Warn
	case m.Visited, m.Fresh:
		return visited
	}
	return canvas.Dim
}

// typeStyle returns the style of a type of states.
func typeStyle(state *asl.State) canvas.Style {
	switch state.Type {
	case asl.Task:
		return canvas.Task
	case asl.Choice:
		return canvas.Choice
	case asl.Parallel, asl.Map:
		return canvas.Container
	case asl.Pass, asl.Wait, asl.Succeed, asl.Fail:
	}
	return canvas.Plain
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
	case p.Shape.Density == Chips:
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

func (p *painter) border(r canvas.Rect, of *Mark, style canvas.Style) {
	double, every := of.Current || of.Part == LostPart, 1
	if of.Part == WouldMakePart {
		every = 2 // dashed
	}
	x, y := r.X-p.x, r.Y-p.y
	right, bottom := x+r.W-1, y+r.H-1
	for i := max(x+1, 0); i < min(right, p.area.W()); i += every {
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

// borderStyle returns the style of a box's border: the status's.
func borderStyle(m *Mark) canvas.Style { return m.statusStyle(canvas.Plain) }

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

// label writes a state's status, name and kind into width cells, the second row of a long name below it. It returns the
// column behind the last row.
func (p *painter) label(n *Node, m *Mark, x, y, width int, badge string) int {
	g := p.area.Glyphs()
	x, width = x+2, width-2
	if p.over.Mark != nil {
		sign, style := m.Status(g)
		p.area.Text(x-1-canvas.Width(sign), y, style, sign)
	} else {
		x-- // in the middle of the cells
	}
	folded := 0
	if !n.Open {
		folded = p.model.Inside(n.State)
	}
	name, second := n.State.Name, ""
	if !n.Open {
		name, second = p.Shape.nameRows(n.State.Name)
	}
	style := canvas.Plain
	if p.over.Mark != nil {
		style = m.nameStyle(n.State)
	}
	if second != "" {
		at := p.area.Text(x, y, style, canvas.FitMiddle(name, width, g.Ellipsis))
		if kind := kindText(n.State, g, folded); canvas.Width(second+kind+badge)+2 > width && at+1+canvas.Width(badge) <= x+width {
			p.area.Text(at+1, y, canvas.Warn, badge)
			badge = ""
		}
		y, name = y+1, second
	}
	kind, badge := yield(name, kindText(n.State, g, folded), badge, width)
	at := p.area.Text(x, y, style, canvas.FitMiddle(name, width-canvas.Width(kind)-canvas.Width(badge), g.Ellipsis))
	at = p.area.Text(at, y, m.kindStyle(n.State), kind)
	return p.area.Text(at, y, canvas.Warn, badge)
}

// kindStyle is the style of the sign behind a name: it shows the type of states that did not run, too.
func (m *Mark) kindStyle(state *asl.State) canvas.Style {
	if m.Part != NoPart {
		return m.Part.style()
	}
	switch state.Type {
	case asl.Choice, asl.Parallel, asl.Map:
		return typeStyle(state)
	case asl.Task, asl.Pass, asl.Wait, asl.Succeed, asl.Fail:
	}
	return canvas.Dim
}

func (p *painter) breakpoint(m *Mark, x, y int) {
	g := p.area.Glyphs()
	if m.Breakpoint {
		p.area.Text(x, y, canvas.Bad, g.Breakpoint)
	} else if m.BreakpointOff {
		p.area.Text(x, y, canvas.Dim, g.BreakpointOff)
	}
}

func (p *painter) box(n *Node, m *Mark) {
	r := n.Rect
	x, y := r.X-p.x, r.Y-p.y
	p.border(r, m, borderStyle(m))
	badge := p.badges(n, m.Badge)
	p.label(n, m, x+2, y+1, r.W-4, badge)
	p.note(n, m, x+4, y+r.H-2, r.W-6)
	p.breakpoint(m, x, y+1)
	if ground, ok := m.ground(n.State == p.over.Selected); ok {
		for row := y + 1; row < y+r.H-1; row++ {
			p.area.Restyle(x+1, row, r.W-2, ground)
		}
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
		p.area.Right(x+n.Rect.W-2, y, canvas.Warn, " "+badge+" ")
	case canvas.Width(badge) <= left:
		p.area.Text(x+2, y, canvas.Warn, " "+badge+" ")
	case more && canvas.Width(first) <= left && canvas.Width(rest) <= right:
		p.area.Text(x+2, y, canvas.Warn, " "+first+" ")
		p.area.Right(x+n.Rect.W-2, y, canvas.Warn, " "+rest+" ")
	default:
		return badge
	}
	return ""
}

// chip draws a state without a border: a cell for a breakpoint, the status, the name. A line at its right begins behind
// them.
func (p *painter) chip(n *Node, m *Mark) {
	r := n.Rect
	x, y := r.X-p.x, r.Y-p.y
	side := y + r.H/2
	line := p.at(x+r.W-1, side)
	for row := y; row < y+r.H; row++ {
		p.area.Text(x, row, canvas.Plain, strings.Repeat(" ", r.W))
	}
	end := p.label(n, m, x+1, y, r.W-1-n.note, m.Badge)
	if n.note > 0 {
		end = p.note(n, m, end+2, y+r.H-1, n.note-2)
	}
	p.breakpoint(m, x, y)
	if line.all&east != 0 && line.solid&(east|west) == 0 {
		c := cell{all: east | west}
		if line.heavy != 0 {
			c.heavy = c.all
		}
		for at := end + 1; at < x+r.W; at++ {
			p.area.Text(at, side, p.lineStyle(c), p.pens.glyph(c.all, c.heavy, c.solid))
		}
	}
	if ground, ok := m.ground(n.State == p.over.Selected); ok {
		for row := y; row < y+r.H; row++ {
			p.area.Restyle(x+1, row, end-x, ground)
		}
	}
}

// frame draws an open container.
func (p *painter) frame(n *Node, m *Mark) {
	r, g := n.Rect, p.area.Glyphs()
	x, y := r.X-p.x, r.Y-p.y
	p.border(r, m, borderStyle(m))
	note := p.noteOf(m)
	if width := min(canvas.Width(note), n.port-5); width > 0 {
		p.area.Text(x+2, y+r.H-1, m.Part.style(), " "+canvas.FitMiddle(note, width, g.Ellipsis)+" ")
	}
	name := n.State.Name + " " + kindText(n.State, g, 0)
	width := min(canvas.Width(name)+2, n.port-5)
	p.area.Text(x+2, y, canvas.Plain, " "+strings.Repeat(" ", width)+" ")
	p.label(n, m, x+3, y, width, "")
	if ground, ok := m.ground(n.State == p.over.Selected); ok {
		p.area.Restyle(x+2, y, width+2, ground)
	}
	if w := canvas.Width(m.Badge); w > 0 && w <= r.W-n.port-5 {
		p.area.Right(x+r.W-2, y, canvas.Warn, " "+m.Badge+" ")
	}
	p.breakpoint(m, x, y)
	for i, inner := range n.inner {
		at := x + inner.X
		if i > 0 {
			for row := max(y+1, 0); row < min(y+r.H-1, p.area.H()); row++ {
				p.area.Text(at-2, row, canvas.Dim, p.pens.separator)
			}
		}
		p.area.Fit(at, y+1, inner.W, canvas.Dim, p.head(n, i))
	}
}

// head is the text over a branch.
func (p *painter) head(n *Node, i int) string {
	text := ""
	if p.over.Head != nil {
		text = p.over.Head(n.State, i)
	}
	if len(n.inner) > 1 {
		text = strings.TrimSuffix("["+strconv.Itoa(i)+"] "+text, " ")
	}
	return text
}
