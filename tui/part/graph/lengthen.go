package graph

import "asldb/tui/part/canvas"

// lengthen gives the states whose names are cut the free cells beside them: a name is cut only where its rows have no
// room for it.
func (d *Drawing) lengthen() {
	if d.model.longest <= d.Shape.Name {
		return
	}
	taken := make([]bool, d.w*d.h)
	take := func(x, y, w, h int) {
		for row := max(y, 0); row < min(y+h, d.h); row++ {
			for col := max(x, 0); col < min(x+w, d.w); col++ {
				taken[row*d.w+col] = true
			}
		}
	}
	for i := range d.segs {
		s := &d.segs[i]
		take(int(s.x1), int(s.y1), int(s.x2-s.x1)+1, int(s.y2-s.y1)+1)
	}
	for _, a := range d.arrows {
		take(a.x, a.y, 1, 1)
	}
	for _, t := range d.texts {
		take(t.x-1, t.y, t.width+2, 1)
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		r := n.Rect
		if !n.Open {
			take(r.X, r.Y, r.W, r.H)
			continue
		}
		take(r.X, r.Y, r.W, 2) // its title, and the heads of its branches
		take(r.X, r.Y+r.H-1, r.W, 1)
		take(r.X, r.Y, 1, r.H)
		take(r.X+r.W-1, r.Y, 1, r.H)
		for _, inner := range n.inner {
			take(r.X+inner.X-2, r.Y, 1, r.H)
		}
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		first, second := d.Shape.nameRows(n.State.Name)
		need := max(canvas.Width(first), canvas.Width(second)) - d.Shape.Name
		if n.Open || n.note > 0 || need <= 0 {
			continue
		}
		left, right := d.free(taken, n.Rect, -1), d.free(taken, n.Rect, 1)
		need = min(need, left+right)
		by := min(left, max(need/2, need-right))
		n.Rect.X, n.Rect.W, n.port = n.Rect.X-by, n.Rect.W+need, n.port+by
		take(n.Rect.X, n.Rect.Y, n.Rect.W, n.Rect.H)
	}
}

// free returns how many columns beside a rectangle are free in all of its rows, to the left (-1) or right (1), without
// the one that stays blank before what is taken.
func (d *Drawing) free(taken []bool, r canvas.Rect, toward int) (cells int) {
	x := r.X - 1
	if toward > 0 {
		x = r.X + r.W
	}
	for ; x >= 0 && x < d.w; x += toward {
		for y := r.Y; y < r.Y+r.H; y++ {
			if taken[y*d.w+x] {
				return max(cells-1, 0)
			}
		}
		cells++
	}
	return cells
}
