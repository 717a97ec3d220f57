package graph

import (
	"slices"
	"strings"

	"asldb/tui/part/canvas"
)

// faceRoom is the number of cells for a line between neighbours, with its arrow, without its text.
const faceRoom = 2

// face finds the catchers that lead to a neighbour in the same layer: their line goes straight from side to side.
// The lines of all others go to the gutter at the right.
func (s *layering) face() {
	for _, layer := range s.layers {
		left := -1
		for _, at := range layer {
			switch s.items[at].kind {
			case dummyItem:
				continue
			case labelItem:
				left = -1
				continue
			case realItem:
			}
			if left >= 0 {
				s.faceNeighbours(left, at)
			}
			left = at
		}
	}
	for i := range s.groups {
		if g := &s.groups[i]; g.rightward() && !g.turns {
			s.connect(g.from, -1, s.trunkTo(g.to, true), i)
		}
	}
}

// faceNeighbours lets one catcher of two neighbours lead straight to the other. The side of a container has its title
// in the first row, and isn't a place for a line.
func (s *layering) faceNeighbours(left, right int) {
	if s.boxes[left].node.Open || s.boxes[right].node.Open {
		return
	}
	for _, ends := range [2][2]int{{left, right}, {right, left}} {
		for _, at := range s.outs[ends[0]] {
			g := &s.groups[at]
			if !g.catch || g.to != ends[1] || g.falls || g.turns || g.to == left && s.leadsRight(left) {
				continue
			}
			g.faces = true
			s.boxes[left].facing = at + 1
			return
		}
	}
}

// leadsRight reports whether a catcher of a node leads to the gutter.
func (s *layering) leadsRight(node int) bool {
	return slices.ContainsFunc(s.outs[node], func(at int) bool { return s.groups[at].rightward() })
}

// faceText returns the Error Names of a line between neighbours, behind the path of a value, and its width.
func (s *ranking) faceText(g *group) (text string, w int, path bool) {
	text = strings.Join(g.labels[g.paths:], ", ")
	w = min(canvas.Width(text), s.shape.Catch)
	if g.paths > 0 {
		if w > 0 && w == canvas.Width(text) {
			text = g.labels[0] + strings.Repeat(" ", pathGap) + text
			return text, min(canvas.Width(g.labels[0]), leastNote) + pathGap + w, true
		}
		return g.labels[0], min(canvas.Width(g.labels[0]), leastNote), true
	}
	return text, w, false
}

// drawFaces draws the lines between neighbours, with their texts.
func (s *routing) drawFaces() {
	for left := range s.boxes {
		b := &s.boxes[left]
		if b.facing == 0 {
			continue
		}
		g, it := &s.groups[b.facing-1], &s.items[left]
		other := g.to
		if other == left {
			other = g.from
		}
		row := it.y + min(it.h, s.items[other].h)/2
		from, to := it.x+b.w-1, s.items[other].x
		if g.to == left {
			from++
			s.block.arrows = append(s.block.arrows, arrow{from, row, Left})
		} else {
			to--
			s.block.arrows = append(s.block.arrows, arrow{to, row, Right})
		}
		g.head = s.block.link(-1, horizontal(row, from, to, true))
		if label, w, path := s.faceText(g); w > 0 {
			s.block.texts = append(s.block.texts, text{
				it.x + b.w + b.lead + 1, row, w + 2, " " + label + " ", false, s.states[g.from], g.head, path,
			})
		}
	}
}

// rightward reports whether the line of a group goes to the right of its state, into the space beside it.
func (g *group) rightward() bool { return g.catch && g.from != g.to && !g.faces && !g.falls }

// spaceOf returns the cells at the right of a state for the line to or from its neighbour.
func (s *ranking) spaceOf(b *box) int {
	if b.facing == 0 {
		return 0
	}
	_, w, _ := s.faceText(&s.groups[b.facing-1])
	if w > 0 {
		w += 2
	}
	return w + faceRoom
}
