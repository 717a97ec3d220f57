package graph

import (
	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// seg is a straight piece of a line, with both its ends, from left to right or from top to bottom.
type seg struct {
	x1, y1, x2, y2 int32
	dotted         bool
}

func vertical(x, y1, y2 int, dotted bool) seg {
	return seg{int32(x), int32(min(y1, y2)), int32(x), int32(max(y1, y2)), dotted}
}

func horizontal(y, x1, x2 int, dotted bool) seg {
	return seg{int32(min(x1, x2)), int32(y), int32(max(x1, x2)), int32(y), dotted}
}

// link is a piece of the way to a state. Lines that join share the rest: each link knows the next one,
// and the last one leads to the state.
type link struct{ first, end, next int }

// arrow is the end of lines at a state.
type arrow struct {
	x, y int
	to   Direction
}

// text is the text next to a line.
type text struct {
	x, y, width int
	text        string
	right       bool // it ends at the right end of the space
	state       *asl.State
	link        int
	path        bool // of a value on its way
}

// line is the transitions of one state to one other for one reason.
type line struct {
	from, to *asl.State
	catch    bool
	edges    []int // places in Edges of from
	head     int   // a link
}

// block is a laid out scope, or a whole drawing.
type block struct {
	w, h   int
	nodes  []Node
	segs   []seg
	links  []link
	arrows []arrow
	texts  []text
	lines  []line
}

// link adds a link of segments, those without length left out, and returns its number.
func (b *block) link(next int, segs ...seg) int {
	first := len(b.segs)
	for _, s := range segs {
		if s.x1 != s.x2 || s.y1 != s.y2 {
			b.segs = append(b.segs, s)
		}
	}
	b.links = append(b.links, link{first, len(b.segs), next})
	return len(b.links) - 1
}

// add puts another block into this one.
func (b *block) add(o *block, dx, dy int) {
	segs, links := len(b.segs), len(b.links)
	for _, n := range o.nodes {
		n.Rect.X, n.Rect.Y = n.Rect.X+dx, n.Rect.Y+dy
		b.nodes = append(b.nodes, n)
	}
	for _, s := range o.segs {
		s.x1, s.x2, s.y1, s.y2 = s.x1+int32(dx), s.x2+int32(dx), s.y1+int32(dy), s.y2+int32(dy)
		b.segs = append(b.segs, s)
	}
	for _, l := range o.links {
		l.first, l.end = l.first+segs, l.end+segs
		if l.next >= 0 {
			l.next += links
		}
		b.links = append(b.links, l)
	}
	for _, a := range o.arrows {
		a.x, a.y = a.x+dx, a.y+dy
		b.arrows = append(b.arrows, a)
	}
	for _, t := range o.texts {
		t.x, t.y, t.link = t.x+dx, t.y+dy, t.link+links
		b.texts = append(b.texts, t)
	}
	for _, l := range o.lines {
		l.head += links
		b.lines = append(b.lines, l)
	}
}

// Direction is where an arrow points.
type Direction uint8

// The directions.
const (
	Down Direction = iota
	Up
	Left
	Right
)

// Node is a state in a drawing.
type Node struct {
	State *asl.State
	Rect  canvas.Rect
	// Open is set for a container whose states are drawn inside.
	Open bool
	// note is the width for a note; 0 where there is none.
	note int
	// port is the column of its lines above and below, counted from its left side.
	port int
	// inner are the places of its branches, or of its one processor, counted from its corner.
	inner []canvas.Rect
}
