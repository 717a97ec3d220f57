package graph

import (
	"cmp"
	"slices"
)

// sweeps is how often the layers are gone through to have fewer crossings.
const sweeps = 8

// ordering orders the items within their layers.
type ordering struct {
	*layering
	keys       []float64 // of the items, while a layer is sorted
	tree, ends []int     // scratch space of crossingsBelow
}

// reduceCrossings moves the items within their layers and keeps the order that had the fewest crossings. Where
// nothing is gained, the order of the definition stays.
func (s *ordering) reduceCrossings() {
	best := s.crossings()
	if best == 0 {
		return
	}
	keep := s.copyOrder()
	for sweep := range sweeps {
		if sweep%2 == 0 {
			for i := 1; i < len(s.layers); i++ {
				s.sortLayer(i, true)
			}
		} else {
			for i := len(s.layers) - 2; i >= 0; i-- {
				s.sortLayer(i, false)
			}
		}
		s.swapNeighbours()
		if now := s.crossings(); now < best {
			best, keep = now, s.copyOrder()
		}
		if best == 0 {
			break
		}
	}
	s.layers = keep
	for _, layer := range s.layers {
		s.number(layer)
	}
}

func (s *ordering) copyOrder() [][]int {
	layers := make([][]int, len(s.layers))
	for i, layer := range s.layers {
		layers[i] = slices.Clone(layer)
	}
	return layers
}

// sortLayer sorts a layer by the middle of its items' neighbours above or below.
func (s *ordering) sortLayer(layer int, above bool) {
	if len(s.layers[layer]) < 2 {
		return
	}
	for _, at := range s.layers[layer] {
		s.keys[at] = s.barycentre(at, above)
	}
	slices.SortStableFunc(s.layers[layer], func(a, b int) int {
		if c := CompareBools(s.items[a].aside, s.items[b].aside); c != 0 {
			return c
		}
		return cmp.Compare(s.keys[a], s.keys[b])
	})
	s.number(s.layers[layer])
}

func (s *ordering) barycentre(at int, above bool) float64 {
	it := &s.items[at]
	conns := it.downs
	if above {
		conns = it.ups
	}
	sum, n := 0, 0
	for _, c := range conns {
		other := s.conns[c].to
		if above {
			other = s.conns[c].from
		}
		if other >= 0 {
			sum += s.items[other].pos
			n++
		}
	}
	if n == 0 {
		return float64(it.pos)
	}
	return float64(sum) / float64(n)
}

// crossings counts the pairs of lines that cross.
func (s *ordering) crossings() int {
	total := 0
	for i := 0; i+1 < len(s.layers); i++ {
		if len(s.layers[i]) > 1 || len(s.layers[i+1]) > 1 {
			total += s.crossingsBelow(i)
		}
	}
	return total
}

// crossingsBelow counts with a Fenwick tree: for each line, those before it that end right of it.
func (s *ordering) crossingsBelow(layer int) int {
	size := len(s.layers[layer+1])
	tree := s.tree[:0]
	for range size + 1 {
		tree = append(tree, 0)
	}
	s.tree = tree
	total, before := 0, 0
	for _, at := range s.layers[layer] {
		ends := s.ends[:0]
		for _, c := range s.items[at].downs {
			if to := s.conns[c].to; to >= 0 {
				ends = append(ends, s.items[to].pos)
			}
		}
		s.ends = ends
		for _, end := range ends {
			total += before
			for i := end + 1; i > 0; i -= i & -i {
				total -= tree[i]
			}
		}
		for _, end := range ends {
			before++
			for i := end + 1; i <= size; i += i & -i {
				tree[i]++
			}
		}
	}
	return total
}

// widest is the number of items in a layer up to which neighbours are tried the other way round.
const widest = 64

func (s *ordering) swapNeighbours() {
	for _, layer := range s.layers {
		if len(layer) > widest {
			continue
		}
		for i := 0; i+1 < len(layer); i++ {
			a, b := layer[i], layer[i+1]
			if s.items[a].aside == s.items[b].aside && s.pairCrossings(b, a) < s.pairCrossings(a, b) {
				layer[i], layer[i+1] = b, a
				s.items[a].pos, s.items[b].pos = i+1, i
			}
		}
	}
}

// pairCrossings counts the crossings between the lines of a and the lines of b, were a left of b.
func (s *ordering) pairCrossings(a, b int) int {
	total := 0
	for _, ca := range s.items[a].ups {
		for _, cb := range s.items[b].ups {
			if s.items[s.conns[ca].from].pos > s.items[s.conns[cb].from].pos {
				total++
			}
		}
	}
	for _, ca := range s.items[a].downs {
		for _, cb := range s.items[b].downs {
			if ta, tb := s.conns[ca].to, s.conns[cb].to; ta >= 0 && tb >= 0 && s.items[ta].pos > s.items[tb].pos {
				total++
			}
		}
	}
	return total
}
