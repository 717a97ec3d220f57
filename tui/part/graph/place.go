package graph

import (
	"cmp"
	"math"
	"slices"
)

// placement gives the items of the layers their columns.
type placement struct{ *layering }

// place spreads the lines over the borders of the states, puts the items as near to the middle of their neighbours as their
// order permits, and straightens lines.
func (s *placement) place() {
	s.ports()
	s.columns()
	s.tuck()
	s.straighten()
}

// ports spreads the lines that leave an item downwards over its lower border, in the order of where they lead.
func (s *placement) ports() {
	for at := range s.items {
		it := &s.items[at]
		if it.kind != realItem {
			continue
		}
		b := &s.boxes[it.node]
		slices.SortStableFunc(it.downs, func(a, c int) int { return cmp.Compare(s.target(a), s.target(c)) })
		down, caught := 0, 0
		for _, c := range it.downs {
			if s.conns[c].right {
				s.conns[c].off = b.w + b.lead - 2*(caught+1)
				caught++
			} else {
				down++
			}
		}
		n := 0
		for _, c := range it.downs {
			if s.conns[c].right {
				continue
			}
			n++
			if s.conns[c].off = b.port; down > 1 {
				s.conns[c].off = n * (b.w - 1) / (down + 1)
				if down == 2 { // near the middle of each half
					s.conns[c].off = b.w/4 + (n-1)*(b.w-1-2*(b.w/4))
				}
			}
		}
		s.turnFirstLabel(it, down)
	}
}

// turnFirstLabel puts the condition of the leftmost of several lines at the left of it.
func (s *placement) turnFirstLabel(it *item, down int) {
	first := true
	for _, c := range it.downs {
		to := s.conns[c].to
		if s.conns[c].right {
			continue
		}
		left := first && down > 1
		if first = false; to < 0 || s.items[to].kind != labelItem {
			continue
		}
		label := &s.items[to]
		label.leftText = left
		label.in = 0
		if label.leftText {
			label.in = label.w - 1
		}
		for _, d := range label.downs {
			s.conns[d].off = label.in
		}
	}
}

// target orders lines by where they lead: to the left gutter first, and of the ones leaving by the right side that to
// the gutter first.
func (s *placement) target(c int) int {
	switch conn := &s.conns[c]; {
	case conn.right && conn.to >= 0:
		return math.MaxInt
	case conn.right:
		return math.MaxInt - 1
	case conn.to >= 0:
		return s.items[conn.to].pos
	}
	return -1
}

// rounds is the number of times that items are drawn to their neighbours above and below.
const rounds = 6

// columns moves the items of every layer in turn towards those above and those below.
func (s *placement) columns() {
	for _, layer := range s.layers {
		x := 0
		for i, at := range layer {
			if i > 0 {
				x += s.gap(layer[i-1], at)
			}
			s.items[at].x = x
			x += s.items[at].w
		}
	}
	for range rounds {
		for i := 1; i < len(s.layers); i++ {
			s.balance(s.layers[i], true)
		}
		for i := len(s.layers) - 2; i >= 0; i-- {
			s.balance(s.layers[i], false)
		}
	}
	for i := 1; i < len(s.layers); i++ {
		s.balance(s.layers[i], true)
	}
}

// tuck moves states reached only by errors, one connected part after the other, as far to the left as fits, where
// they have nothing above them.
func (s *placement) tuck() {
	seen := make([]bool, len(s.items))
	for _, layer := range s.layers {
		for _, at := range layer {
			if !s.items[at].aside || seen[at] {
				continue
			}
			part := s.part(at, seen)
			free := far
			for _, i := range part {
				it := &s.items[i]
				if it.pos == 0 ||
					slices.ContainsFunc(it.ups, func(c int) bool { return !s.items[s.conns[c].from].aside }) {
					free = 0
					break
				}
				before := s.layers[it.layer][it.pos-1]
				if b := &s.items[before]; !slices.Contains(part, before) {
					free = min(free, it.x-b.x-b.w-s.gap(before, i))
				}
			}
			for _, i := range part {
				s.items[i].x -= free
			}
		}
	}
}

// part returns the items aside that are joined to one of them.
func (s *placement) part(at int, seen []bool) []int {
	part := []int{at}
	seen[at] = true
	for i := 0; i < len(part); i++ {
		it := &s.items[part[i]]
		for _, c := range it.ups {
			part = s.join(part, s.conns[c].from, seen)
		}
		for _, c := range it.downs {
			part = s.join(part, s.conns[c].to, seen)
		}
	}
	return part
}

func (s *placement) join(part []int, at int, seen []bool) []int {
	if at < 0 || seen[at] || !s.items[at].aside {
		return part
	}
	seen[at] = true
	return append(part, at)
}

// maxSlide is how far from the middle of a state a line may come in to be straight.
const maxSlide = 5

// straighten moves the place where a line comes to a state, where that spares it two corners.
func (s *placement) straighten() {
	for at := range s.items {
		it := &s.items[at]
		if it.kind != realItem || len(it.ups) != 1 {
			continue
		}
		b := &s.boxes[it.node]
		d := s.column(it.ups[0]) - it.x - it.in
		if in := it.in + d; d >= -maxSlide && d <= maxSlide && in > b.titled && in > 0 && in < b.w-1 {
			it.in = in
		}
	}
}

// gap is how many cells are between two neighbours.
func (s *placement) gap(a, b int) int {
	if s.shape.Density == Chips && s.items[a].kind == realItem && s.items[b].kind == realItem {
		return 1 // and the first cell of a chip, which is blank
	}
	return 2
}

// run is a number of neighbours that are as close as they can be.
type run struct {
	from        int
	sum, weight float64
}

// balance moves the items of a layer as near as possible to where they want to be: least squares under their order,
// by pooling neighbours that want to pass each other.
func (s *placement) balance(layer []int, above bool) {
	runs := make([]run, 0, 16)
	offsets := make([]int, len(layer))
	for i, at := range layer {
		if i > 0 {
			offsets[i] = offsets[i-1] + s.items[layer[i-1]].w + s.gap(layer[i-1], at)
		}
		want, weight := s.want(at, above)
		runs = append(runs, run{i, (want - float64(offsets[i])) * weight, weight})
		for n := len(runs); n > 1 && runs[n-2].sum/runs[n-2].weight > runs[n-1].sum/runs[n-1].weight; n-- {
			runs[n-2].sum += runs[n-1].sum
			runs[n-2].weight += runs[n-1].weight
			runs = runs[:n-1]
		}
	}
	for r, b := range runs {
		end := len(layer)
		if r+1 < len(runs) {
			end = runs[r+1].from
		}
		base := int(math.Floor(b.sum/b.weight + 0.5))
		for i := b.from; i < end; i++ {
			s.items[layer[i]].x = base + offsets[i]
		}
	}
}

// home is the column of the scope's first state.
func (s *placement) home() int {
	first := &s.items[s.layers[0][0]]
	return first.x + first.in
}

// want returns the column at which an item's lines above (or below) would be straight, and how much that counts.
func (s *placement) want(at int, above bool) (x, weight float64) {
	it := &s.items[at]
	var wants [8]int
	list := wants[:0]
	if above {
		for _, c := range it.ups {
			list = append(list, s.items[s.conns[c].from].x+s.conns[c].off-it.in)
		}
	} else {
		for _, c := range it.downs {
			if to := s.conns[c].to; to >= 0 {
				list = append(list, s.items[to].x+s.items[to].in-s.conns[c].off)
			}
		}
	}
	if len(list) == 0 {
		return float64(it.x), 0.01
	}
	slices.Sort(list)
	mid := len(list) / 2
	x = float64(list[mid])
	switch {
	case len(list)%2 != 0:
	case it.aside:
		x = float64(list[mid-1]+list[mid]) / 2
	default: // anywhere between the two is as good: a long machine stays under its start
		x = float64(min(max(s.home()-it.in, list[mid-1]), list[mid]))
	}
	switch {
	case it.aside:
		return x, 0.2
	case it.kind == dummyItem:
		return x, 4
	}
	return x, 1
}
