package graph

import (
	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// Mark is a state's part in a run, as far as it is drawn.
type Mark struct {
	Current bool // the state that is looked at
	Active  bool // a thread is in it
	Waiting bool // for time, or for an answer
	Visited bool
	Failed  bool
	Caught  bool // a catcher took an error of it
	Fresh   bool // nothing has run yet: the state has the colour of its type
	// Broken is set where the state has a breakpoint, and BreakpointOff where the breakpoint is disabled.
	Breakpoint, BreakpointOff bool
	// Badge summarizes repetitions and failures: "(2) «1".
	Badge string
	// Part is the state's part where some states are singled out, and Note a text in its box, for which
	// [Sheet.SetNotes] makes space.
	// Brief takes its place where the transitions have the paths of [Sheet.SetPaths], Short where there is no space for
	// it; an empty Short is Note.
	Part               Part
	Note, Brief, Short string
}

// Overlay holds the marks painted over a drawing.
type Overlay struct {
	// Mark returns a state's mark, nil for none.
	Mark func(*asl.State) Mark
	// Trail is the lines that were taken, or nil.
	Trail *Trail
	// TrailStyle is the style of the trail, [canvas.Plain] means the usual one.
	TrailStyle canvas.Style
	// Broken is the lines on which a trail has ended, or nil: they are light, and in the style of a loss.
	Broken *Trail
	// Taken reports whether a transition was taken, given by its place in [asl.State.Edges]. It may be nil; in a
	// drawing it is the trail that is shown.
	Taken func(from *asl.State, edge int) bool
	// Without reports whether a transition was taken after a value was lost. It may be nil; in a drawing it is Broken that
	// is shown.
	Without func(from *asl.State, edge int) bool
	// Head returns the text after the number of branch i of a container, and over a Map state's processor. It may
	// be nil.
	Head func(state *asl.State, i int) string
	// Selected is shown in reverse video, or nil.
	Selected *asl.State
}

// Trail is the lines of a drawing that were taken.
type Trail struct{ links []bool }

// Trail finds the lines that taken says were taken; edge is a place in [asl.State.Edges].
func (d *Drawing) Trail(taken func(from *asl.State, edge int) bool) *Trail {
	t := &Trail{links: make([]bool, len(d.links))}
	for i := range d.lines {
		l := &d.lines[i]
		for _, edge := range l.edges {
			if taken(l.from, edge) {
				for at := l.head; at >= 0 && !t.links[at]; at = d.links[at].next {
					t.links[at] = true
				}
				break
			}
		}
	}
	return t
}

// cell is a cell of the lines.
type cell struct{ all, heavy, solid, broken uint8 }

// painter paints one part of a drawing.
type painter struct {
	*Drawing
	area  canvas.Area
	x, y  int // the cell of the drawing in the area's corner
	cells []cell
	pens  *pens
	over  *Overlay
}

// Paint paints the part of the drawing from cell x, y on into the area. Only parts in view are visited.
func (d *Drawing) Paint(area canvas.Area, x, y int, over *Overlay) {
	p := &painter{Drawing: d, area: area, x: x, y: y, pens: pensOf(area.Glyphs()), over: over}
	p.cells = make([]cell, max(area.W()*area.H(), 0))
	p.inView(func(b *bucket) []int32 { return b.segs }, p.line)
	p.paintLines()
	p.inView(func(b *bucket) []int32 { return b.nodes }, func(i int) { p.node(&d.nodes[i]) })
	p.inView(func(b *bucket) []int32 { return b.arrows }, p.arrow)
	p.inView(func(b *bucket) []int32 { return b.texts }, p.text)
}

// inView does something once with everything in the buckets that are in view.
func (p *painter) inView(list func(*bucket) []int32, do func(i int)) {
	last := int32(-1)
	for i := max(p.y, 0) / bucketRows; i <= (p.y+p.area.H()-1)/bucketRows && i < len(p.buckets) && i >= 0; i++ {
		for _, n := range list(&p.buckets[i]) {
			if n > last || !p.seenBefore(list, i, n) {
				do(int(n))
				last = max(last, n)
			}
		}
	}
}

// seenBefore reports whether the bucket above has it as well and is in view.
func (p *painter) seenBefore(list func(*bucket) []int32, at int, n int32) bool {
	if at == 0 || at-1 < max(p.y, 0)/bucketRows {
		return false
	}
	above := list(&p.buckets[at-1])
	lo, hi := 0, len(above)
	for lo < hi {
		if mid := (lo + hi) / 2; above[mid] < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(above) && above[lo] == n
}

// line adds a segment to the cells.
func (p *painter) line(i int) {
	s := &p.segs[i]
	heavy := p.over.Trail != nil && p.over.Trail.links[p.segLink[i]]
	broken := p.over.Broken != nil && p.over.Broken.links[p.segLink[i]]
	x1, x2, y1, y2 := int(s.x1)-p.x, int(s.x2)-p.x, int(s.y1)-p.y, int(s.y2)-p.y
	w, h := p.area.W(), p.area.H()
	back, forth := uint8(west), uint8(east)
	if x1 == x2 {
		back, forth = north, south
	}
	for y := max(y1, 0); y <= min(y2, h-1); y++ {
		for x := max(x1, 0); x <= min(x2, w-1); x++ {
			bits := uint8(0)
			if x > x1 || y > y1 {
				bits |= back
			}
			if x < x2 || y < y2 {
				bits |= forth
			}
			c := &p.cells[y*w+x]
			c.all |= bits
			if heavy {
				c.heavy |= bits
			}
			if broken {
				c.broken |= bits
			}
			if !s.dotted {
				c.solid |= bits
			}
		}
	}
}

func (p *painter) paintLines() {
	w := p.area.W()
	for at, c := range p.cells {
		if c.all != 0 {
			p.area.Text(at%w, at/w, p.lineStyle(c), p.pens.glyph(c.all, c.heavy, c.solid))
		}
	}
}

func (p *painter) lineStyle(c cell) canvas.Style {
	switch {
	case c.heavy != 0 && p.over.TrailStyle != canvas.Plain:
		return p.over.TrailStyle
	case c.broken != 0 && c.heavy == 0:
		return canvas.Bad
	case c.heavy != 0 && c.solid == 0:
		return canvas.Warn
	case c.heavy != 0:
		return canvas.Strong
	}
	return canvas.Dim
}

// at returns the lines of a cell of the area.
func (p *painter) at(x, y int) cell {
	if x < 0 || y < 0 || x >= p.area.W() || y >= p.area.H() {
		return cell{}
	}
	return p.cells[y*p.area.W()+x]
}

func (p *painter) arrow(i int) {
	a := &p.arrows[i]
	x, y := a.x-p.x, a.y-p.y
	style := p.lineStyle(p.at(x, y))
	p.area.Text(x, y, style, p.pens.arrows[a.to])
}

func (p *painter) text(i int) {
	t := &p.texts[i]
	x, y := t.x-p.x, t.y-p.y
	style := canvas.Dim
	if p.over.Trail != nil && t.link >= 0 && p.over.Trail.links[t.link] {
		style = canvas.Plain
		if t.path {
			style = p.over.TrailStyle
		}
	}
	label := t.text
	if canvas.Width(label) > t.width && label[0] == ' ' { // the text is within the line
		label = " " + FitCondition(label[1:len(label)-1], t.width-2, p.area.Glyphs().Ellipsis) + " "
	} else {
		label = FitCondition(label, t.width, p.area.Glyphs().Ellipsis)
	}
	if t.right {
		x += t.width - canvas.Width(label)
	}
	p.area.Text(x, y, style, label)
}
