package graph

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// group is the transitions drawn as one line: the transitions of one state to one other for one reason.
type group struct {
	from, to int // nodes
	catch    bool
	back     bool // it leads against the direction of reading
	faces    bool // it leads straight to a neighbour at a side
	falls    bool // a catcher's that leads from the lower border to a state of the next rank
	turns    bool // a catcher's that leads from the right side down to a state of the next rank
	edges    []int
	labels   []string
	paths    int // how many of the first labels are paths of [Sheet.SetPaths]
	head     int // the first link of its line, or -1 where none is drawn
}

// maxLabelRows bounds the rows of the conditions of one line.
const maxLabelRows = 3

// ranking is a scope whose states have ranks, the number of the layer counted from the start, and their sizes.
type ranking struct {
	shape  *Shape
	states []*asl.State
	start  int // the place of the first one
	boxes  []box
	groups []group
	outs   [][]int // the groups of each node
	rank   []int
	main   []bool // reachable from the start without an error
}

// rankScope groups the transitions of a scope and ranks its states. Their boxes are still empty.
func rankScope(l *layouter, scope *asl.Scope) *ranking {
	m := l.model
	states := m.in(scope)
	n := len(states)
	r := &ranking{shape: &l.shape, states: states, boxes: make([]box, n), outs: make([][]int, n)}
	if state := scope.State(scope.StartAt); state != nil {
		r.start = m.place[state]
	}
	r.gather(m, l.paths)
	r.rankNodes()
	r.fall()
	return r
}

// gather makes the groups of each node, in the order of the definition.
func (s *ranking) gather(m *Model, paths func(from *asl.State, edge int) string) {
	for from, state := range s.states {
		first := len(s.groups)
		for i, edge := range m.Edges(state) {
			if edge.To == nil {
				continue
			}
			catch, to := edge.Kind == asl.EdgeCatch, m.place[edge.To]
			at := -1
			for g := first; g < len(s.groups); g++ {
				if s.groups[g].to == to && s.groups[g].catch == catch {
					at = g
				}
			}
			if at < 0 {
				at = len(s.groups)
				s.groups = append(s.groups, group{from: from, to: to, catch: catch, head: -1})
				s.outs[from] = append(s.outs[from], at)
			}
			g := &s.groups[at]
			g.edges = append(g.edges, i)
			if paths != nil {
				if path := paths(state, i); path != "" && g.paths == 0 {
					g.labels, g.paths = append([]string{path}, g.labels...), 1
				}
			}
			if edge.Label != "" {
				g.labels = append(g.labels, edge.Label)
			}
		}
	}
}

// rankNodes reverses transitions that lead back and gives each node its rank: one more than the rank of everything
// before it.
func (s *ranking) rankNodes() {
	n := len(s.states)
	s.rank, s.main = make([]int, n), make([]bool, n)
	s.reach(s.start)
	w := walk{ranking: s, state: make([]uint8, n)}
	w.visit(s.start)
	for i := range n {
		w.visit(i)
	}
	for i := n - 1; i >= 0; i-- {
		node := w.order[i]
		for _, g := range s.outs[node] {
			if g := &s.groups[g]; s.ranks(g) && !g.back {
				s.rank[g.to] = max(s.rank[g.to], s.rank[node]+1)
			}
		}
	}
}

// reach marks the states reachable from the start without an error: a catcher never stretches the path between those.
func (s *ranking) reach(start int) {
	todo := []int{start}
	s.main[start] = true
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, g := range s.outs[node] {
			if g := &s.groups[g]; !g.catch && !s.main[g.to] {
				s.main[g.to] = true
				todo = append(todo, g.to)
			}
		}
	}
}

// ranks reports whether a group has a say in the ranks.
func (s *ranking) ranks(g *group) bool { return g.from != g.to && (!g.catch || !s.main[g.to]) }

// walk goes through the nodes depth first.
type walk struct {
	*ranking
	state []uint8 // 1: begun, 2: done
	order []int   // those done
}

func (w *walk) visit(node int) {
	if w.state[node] != 0 {
		return
	}
	w.state[node] = 1
	for _, at := range w.outs[node] {
		g := &w.groups[at]
		if !w.ranks(g) {
			continue
		}
		if w.state[g.to] == 1 {
			g.back = true
			continue
		}
		w.visit(g.to)
	}
	w.state[node] = 2
	w.order = append(w.order, node)
}

// labelSize returns how many rows the group's conditions take, and how many cells.
func (g *group) labelSize(width int) (w, h int) {
	for i, label := range g.rows() {
		most := width
		if i < g.paths {
			most = max(width, leastNote)
		}
		w = max(w, min(canvas.Width(label), most))
		h++
	}
	return w, h
}

// rows returns the conditions, one a row; the last row counts those that do not fit.
func (g *group) rows() []string {
	if len(g.labels) <= maxLabelRows {
		return g.labels
	}
	rows := append([]string(nil), g.labels[:maxLabelRows-1]...)
	return append(rows, "or "+strconv.Itoa(len(g.labels)-maxLabelRows+1)+" other rules")
}
