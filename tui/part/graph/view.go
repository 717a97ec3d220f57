package graph

import (
	"strings"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// anchor is the point of a node that directions are measured from: the middle, or of an open container its title.
func (n *Node) anchor() (x, y int) {
	if n.Open {
		return n.Rect.X + n.port, n.Rect.Y
	}
	return n.Rect.X + n.Rect.W/2, n.Rect.Y + n.Rect.H/2
}

// Toward returns the nearest node in a direction, or the node itself where there is none. A cell is about twice as
// high as it is wide, and states straight ahead come first.
func (d *Drawing) Toward(from *Node, to Direction) *Node {
	x, y := from.anchor()
	best, cost := from, far
	for i := range d.nodes {
		n := &d.nodes[i]
		nx, ny := n.anchor()
		ahead, aside := 0, 0
		switch to {
		case Up, Down:
			ahead, aside = 2*(ny-y), nx-x
		default:
			ahead, aside = nx-x, 2*(ny-y)
		}
		if to == Up || to == Left {
			ahead = -ahead
		}
		if aside = max(aside, -aside); n == from || ahead <= 0 {
			continue
		}
		if to == Left || to == Right {
			aside *= 3
		}
		if c := ahead + aside; c < cost {
			best, cost = n, c
		}
	}
	return best
}

// Page returns the node nearest to the place by rows below a node.
func (d *Drawing) Page(from *Node, rows int) *Node {
	x, y := from.anchor()
	y = min(max(y+rows, 0), d.h-1)
	best, cost := from, far
	for i := range d.nodes {
		nx, ny := d.nodes[i].anchor()
		if c := 2*max(ny-y, y-ny) + max(nx-x, x-nx); c < cost {
			best, cost = &d.nodes[i], c
		}
	}
	return best
}

// Margin is how many cells around a state are in view with it.
const Margin = 3

// Reveal moves the corner x, y of a view of w by h cells as little as needed for a node to be in view with a margin,
// and for the view to stay on the drawing. A drawing that is smaller than the view is centred in it.
func (d *Drawing) Reveal(n *Node, x, y, w, h int) (newX, newY int) {
	r := n.Rect
	if n.Open { // its title is the target
		r.H = min(r.H, 3)
	}
	return reveal(x, r.X, r.W, w, d.w, 0), reveal(y, r.Y, r.H, h, d.h, 1)
}

func reveal(at, from, size, view, whole, centre int) int {
	if whole <= view {
		if centre == 0 {
			return -(view - whole) / 2
		}
		return 0
	}
	margin := max(min(Margin, (view-size)/2), 0)
	if size >= view {
		at = from
	}
	at = min(at, from-margin)
	at = max(at, from+min(size, view)+margin-view)
	return min(max(at, 0), whole-view)
}

// Minimap returns the drawing's height as at most cells characters, with brackets around the part that a view from row
// y on shows: where the states are that were visited, and the current one, which may be nil.
func (d *Drawing) Minimap(
	glyphs *canvas.Glyphs, y, h, cells int, current *asl.State, visited func(*asl.State) bool,
) string {
	pens := pensOf(glyphs)
	cells = max(min(cells, (d.h+3)/4), 1)
	blocks, seen := make([]string, cells), make([]bool, cells)
	for i := range d.nodes {
		n := &d.nodes[i]
		_, row := n.anchor()
		if at := min(row*cells/max(d.h, 1), cells-1); !seen[at] {
			seen[at] = visited(n.State)
		}
	}
	for i := range blocks {
		if blocks[i] = pens.unseen; seen[i] {
			blocks[i] = pens.seen
		}
	}
	if at, ok := d.nodeOf[current]; ok {
		_, row := d.nodes[at].anchor()
		blocks[min(row*cells/max(d.h, 1), cells-1)] = pens.here
	}
	first := min(max(y, 0)*cells/d.h, cells-1)
	last := min((min(y+h, d.h)-1)*cells/d.h, cells-1)
	var b strings.Builder
	for i, block := range blocks {
		if i == first {
			b.WriteByte('[')
		}
		b.WriteString(block)
		if i == last {
			b.WriteByte(']')
		}
	}
	return b.String()
}

// Find returns the next state after one, in the order of the definition, whose name contains text; by is 1 or -1. It
// returns nil where no name does.
func (m *Model) Find(text string, after *asl.State, by int) *asl.State {
	text = strings.ToLower(text)
	start, n := m.number[after], len(m.states)
	for i := 1; i <= n; i++ {
		state := m.states[((start+i*by)%n+n)%n]
		if strings.Contains(strings.ToLower(state.Name), text) {
			return state
		}
	}
	return nil
}
