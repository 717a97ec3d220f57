package graph

import "slices"

// kind is the kind of an item.
type kind uint8

const (
	realItem  kind = iota // a state
	dummyItem             // a line that passes
	labelItem             // a line with its condition next to it
)

// item is something that has a place in a layer.
type item struct {
	kind  kind
	node  int // the state; of a dummy, the state that it leads to
	group int // of a label
	layer int
	pos   int // in its layer
	// aside puts states reached only by errors at the right.
	aside bool
	x, y  int
	w, h  int
	// in is the offset of the column where lines come in, and out of the column where the one line continues.
	in int
	// dotted is set where only lines of catchers pass.
	dotted bool
	// leftText reports that the condition is to the left of its line.
	leftText bool
	ups      []int // conns
	downs    []int // conns, in the order of their ports
	// through is the link along a dummy or a label.
	through int
	link    int // the link that leaves a dummy or a label; -1 at a state
}

// conn joins an item to one of the next layer, or to a trunk.
type conn struct {
	from, to int // items; to is -1 where it goes to a trunk
	off      int // the port: an offset in from
	trunk    int // or -1
	group    int // where from is a state, else -1
	dotted   bool
	right    bool // it leaves by the right side
	link     int
}

// layering is a scope with its states in layers. Lines lead from a layer to the next one, or to a trunk.
type layering struct {
	*ranking
	items    []item
	conns    []conn
	layers   [][]int
	tops     []int   // the highest item that leads to a node
	chains   [][]int // the dummies that lead to a node, from below
	trunks   []trunk
	trunksTo [][]int
}

func newLayering(r *ranking) *layering {
	n := len(r.states)
	return &layering{ranking: r, chains: make([][]int, n), trunksTo: make([][]int, n)}
}

// build gives every state an item in a layer, and every line that passes a layer a dummy.
func (s *layering) build() {
	ranks := 0
	for _, r := range s.rank {
		ranks = max(ranks, r+1)
	}
	labelled := make([]bool, ranks)
	for i := range s.groups {
		if g := &s.groups[i]; g.labelled() {
			labelled[s.rank[g.from]] = true
		}
	}
	layerOf := make([]int, ranks)
	count := 0
	for r := range ranks {
		layerOf[r] = count
		count++
		if labelled[r] {
			count++
		}
	}
	s.layers = make([][]int, count)
	s.tops = make([]int, len(s.rank))
	for node := range s.rank {
		s.newItem(item{kind: realItem, node: node, layer: layerOf[s.rank[node]], aside: !s.main[node]})
		s.tops[node] = node
	}
	for i := range s.groups {
		if g := &s.groups[i]; g.from != g.to && (!g.catch || g.falls || g.turns) { // other catchers are for face
			s.connectGroup(i)
		}
	}
	s.firstOrder()
}

func (s *layering) newItem(it item) int {
	it.link, it.through = -1, -1
	s.items = append(s.items, it)
	return len(s.items) - 1
}

// connectGroup joins the ends of a group whose line leads down, or back.
func (s *layering) connectGroup(at int) {
	g := &s.groups[at]
	from, group := g.from, at
	if g.labelled() {
		w, h := g.labelSize(s.shape.Label)
		label := s.newItem(item{kind: labelItem, node: g.to, group: at, layer: s.items[from].layer + 1, w: w + 2, h: h, aside: s.items[from].aside})
		s.connect(from, label, -1, at)
		from, group = label, -1
	}
	if g.back {
		s.connect(from, -1, s.trunkTo(g.to, false), group)
		return
	}
	s.connect(from, s.chain(g.to, s.items[from].layer+1), -1, group)
}

func (s *layering) connect(from, to, trunk, group int) {
	at := len(s.conns)
	c := conn{from: from, to: to, trunk: trunk, group: group, link: -1}
	if group >= 0 {
		c.dotted, c.right = s.groups[group].catch, s.groups[group].rightward()
	}
	s.conns = append(s.conns, c)
	s.items[from].downs = append(s.items[from].downs, at)
	if to >= 0 {
		s.items[to].ups = append(s.items[to].ups, at)
	}
}

// chain returns the item of a layer that leads to a node: lines to one node share their dummies.
func (s *layering) chain(to, layer int) int {
	for s.items[s.tops[to]].layer > layer {
		below := s.tops[to]
		dummy := s.newItem(item{kind: dummyItem, node: to, layer: s.items[below].layer - 1, w: 1, h: 1, aside: s.items[to].aside})
		s.connect(dummy, below, -1, -1)
		s.tops[to] = dummy
		s.chains[to] = append(s.chains[to], dummy)
	}
	if s.items[to].layer == layer {
		return to
	}
	return s.chains[to][s.items[to].layer-1-layer]
}

func (s *layering) trunkTo(node int, catch bool) int {
	for i, t := range s.trunksTo[node] {
		if s.trunks[t].catch == catch {
			return s.trunksTo[node][i]
		}
	}
	s.trunks = append(s.trunks, trunk{node: node, catch: catch})
	at := len(s.trunks) - 1
	s.trunksTo[node] = append(s.trunksTo[node], at)
	return at
}

// firstOrder puts the items of each layer in the order in which a reader of the definition comes to them.
func (s *layering) firstOrder() {
	seen := make([]bool, len(s.items))
	var visit func(at int)
	visit = func(at int) {
		if seen[at] {
			return
		}
		seen[at] = true
		layer := s.items[at].layer
		s.layers[layer] = append(s.layers[layer], at)
		for _, c := range s.items[at].downs {
			if to := s.conns[c].to; to >= 0 {
				visit(to)
			}
		}
	}
	visit(s.start)
	for at := range s.items {
		visit(at)
	}
	for _, layer := range s.layers {
		slices.SortStableFunc(layer, func(a, b int) int { return CompareBools(s.items[a].aside, s.items[b].aside) })
		s.number(layer)
	}
}

func (s *layering) number(layer []int) {
	for pos, at := range layer {
		s.items[at].pos = pos
	}
}

// size gives the items their sizes.
func (s *layering) size() {
	for at := range s.items {
		if it := &s.items[at]; it.kind == realItem {
			b := &s.boxes[it.node]
			it.w, it.h, it.in = b.w+b.lead+s.spaceOf(b), b.h, b.port
		}
	}
}

// column returns where a line leaves its item.
func (s *layering) column(c int) int { return s.items[s.conns[c].from].x + s.conns[c].off }

// CompareBools orders false before true.
func CompareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
