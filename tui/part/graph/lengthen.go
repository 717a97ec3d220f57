package graph

import (
	"slices"

	"asldb/tui/part/canvas"
)

// lengthen gives the names and the conditions that are cut the free cells beside them: one is cut only where its rows
// have no room for it.
func (d *Drawing) lengthen() {
	names, texts := d.model.longest > d.Shape.Name, slices.ContainsFunc(d.texts, text.cut)
	if !names && !texts {
		return
	}
	taken := d.taken()
	if names {
		d.lengthenNames(taken)
	}
	for i := range d.texts {
		if t := &d.texts[i]; t.cut() {
			d.lengthenText(taken, t)
		}
	}
}

// cut reports whether a text beside a line does not fit; one within a line has no room beside it.
func (t text) cut() bool { return canvas.Width(t.text) > t.width && t.text[0] != ' ' }

// lengthenText gives a condition the free cells behind it, or before it where it ends at its line.
func (d *Drawing) lengthenText(taken []bool, t *text) {
	need, x, toward := canvas.Width(t.text)-t.width, t.x+t.width, 1
	if t.right {
		x, toward = t.x-1, -1
	}
	by := 0
	// The cell beside it is its own blank, which moves.
	for at := x + toward; by < need && at >= 0 && at < d.w && !taken[t.y*d.w+at]; at += toward {
		by++
	}
	t.width += by
	if t.right {
		t.x -= by
	}
	for at := x; by >= 0; at, by = at+toward, by-1 {
		if at >= 0 && at < d.w { // its blank may be outside of the drawing
			taken[t.y*d.w+at] = true
		}
	}
}

// taken are the cells that have something in them, row by row, with the blanks before and behind conditions.
func (d *Drawing) taken() []bool {
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
	return taken
}

func (d *Drawing) lengthenNames(taken []bool) {
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
		for at := n.Rect.Y * d.w; at < (n.Rect.Y+n.Rect.H)*d.w; at += d.w {
			for x := range n.Rect.W {
				taken[at+n.Rect.X+x] = true
			}
		}
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
