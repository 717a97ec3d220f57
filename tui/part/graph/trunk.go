package graph

import (
	"cmp"
	"slices"
	"sort"
)

// trunk is a line in a gutter: at the left for transitions back, at the right for catchers. All that
// goes to one state shares it.
type trunk struct {
	node        int
	catch       bool
	side        bool  // it comes in at the state's side, not from above
	direct      []int // the conns that come to it straight from the side of their state
	row         int   // in which it leaves for its state
	x           int   // its column
	top, bottom int   // the rows that it passes
	joins       []join
}

// join is where a line comes to a trunk.
type join struct{ row, link int }

// leavesAt reports whether a conn comes straight from the side of its state.
func (t *trunk) leavesAt(c int) bool { return slices.Contains(t.direct, c) }

// decideSides finds the states from whose sides lines can go straight to a gutter: nothing but passing lines may
// be between.
func (s *routing) decideSides() {
	for _, layer := range s.layers {
		first, last := -1, -1
		for _, at := range layer {
			if s.items[at].kind == dummyItem {
				continue
			}
			if first < 0 {
				first = at
			}
			last = at
		}
		if first >= 0 && s.items[first].kind == realItem {
			s.leftSide(first)
		}
		if last >= 0 && s.items[last].kind == realItem {
			s.rightSide(last)
		}
	}
}

func (s *routing) leftSide(at int) {
	for _, t := range s.trunksTo[at] {
		if !s.trunks[t].catch {
			s.trunks[t].side = true
			return
		}
	}
	for _, c := range s.items[at].downs {
		if conn := &s.conns[c]; conn.to < 0 && !conn.right {
			t := &s.trunks[conn.trunk]
			t.direct = append(t.direct, c)
			return
		}
	}
}

func (s *routing) rightSide(at int) {
	for _, c := range s.items[at].downs {
		if conn := &s.conns[c]; conn.to < 0 && conn.right {
			t := &s.trunks[conn.trunk]
			t.direct = append(t.direct, c)
			return
		}
	}
	for _, t := range s.trunksTo[at] {
		if s.trunks[t].catch {
			s.trunks[t].side = true
		}
	}
}

// trunkColumns gives the trunks their columns: each next to the layers that it passes, the shortest nearest to them,
// and no two that overlap in the same column or side by side.
func (s *routing) trunkColumns() {
	lo, hi := s.extents()
	for _, catch := range []bool{false, true} {
		var all []int
		for t := range s.trunks {
			if s.trunks[t].catch == catch {
				all = append(all, t)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int {
			alo, ahi := s.trunks[a].span()
			blo, bhi := s.trunks[b].span()
			return cmp.Compare(ahi-alo, bhi-blo)
		})
		for i, t := range all {
			s.trunks[t].x = s.freeColumn(t, all[:i], lo, hi)
		}
	}
}

// freeColumn returns the nearest column for a trunk that those before it leave free.
func (s *routing) freeColumn(t int, before []int, lo, hi []int) int {
	tr := &s.trunks[t]
	top, bottom := tr.span()
	x, step := far, -2
	if tr.catch {
		x, step = -far, 2
	}
	// The first layer whose rows, with the channels' around it, reach down to the trunk.
	first := sort.Search(len(s.layers), func(i int) bool { return i+1 == len(s.layers) || s.layerY[i+1] > top })
	for i := first; i < len(s.layers) && s.channels[i].y <= bottom; i++ {
		if tr.catch {
			x = max(x, hi[i]+step)
		} else {
			x = min(x, lo[i]+step)
		}
	}
	var taken []int
	for _, o := range before {
		if otop, obottom := s.trunks[o].span(); otop <= bottom && top <= obottom {
			taken = append(taken, s.trunks[o].x)
		}
	}
	slices.Sort(taken)
	if !tr.catch {
		slices.Reverse(taken)
	}
	for _, o := range taken {
		if o > x-2 && o < x+2 {
			x = o + step
		}
	}
	return x
}

// extents returns the leftmost and the rightmost column in use in each layer and in the channels around it.
func (s *routing) extents() (lo, hi []int) {
	lo, hi = make([]int, len(s.layers)), make([]int, len(s.layers))
	for i, layer := range s.layers {
		first, last := &s.items[layer[0]], &s.items[layer[len(layer)-1]]
		lo[i], hi[i] = first.x, last.x+last.w-1
	}
	for i := range s.channels {
		for n := range s.channels[i].nets {
			n := &s.channels[i].nets[n]
			if n.rest < 0 {
				continue
			}
			for _, at := range []int{i - 1, i} {
				if at >= 0 && at < len(lo) {
					lo[at], hi[at] = min(lo[at], n.via), max(hi[at], n.via)
				}
			}
		}
	}
	return lo, hi
}

func (t *trunk) span() (lo, hi int) {
	return t.top, t.bottom
}

// drawTrunk makes the links along a trunk: each goes from one join to the next on the way to the state.
func (s *routing) drawTrunk(t *trunk, entry int) {
	x := t.x
	slices.SortStableFunc(t.joins, func(a, b join) int { return cmp.Compare(a.row, b.row) })
	link := entry
	for i := len(t.joins) - 1; i >= 0; i-- { // those above: nearest first
		if j := t.joins[i]; j.row <= t.row {
			below := t.row
			if i+1 < len(t.joins) {
				below = min(below, t.joins[i+1].row)
			}
			link = s.block.link(link, vertical(x, j.row, below, t.catch))
			s.block.links[j.link].next = link
		}
	}
	link, above := entry, t.row
	for _, j := range t.joins {
		if j.row > t.row {
			link = s.block.link(link, vertical(x, above, j.row, t.catch))
			s.block.links[j.link].next = link
			above = j.row
		}
	}
}
