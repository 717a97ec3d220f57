package graph

import "slices"

// fall finds the catchers that lead to a state of the next rank: their lines leave by the lower border. Where another
// line leads down, those to states that only errors reach, which are at the right, leave by the right side.
func (s *ranking) fall() {
	if s.shape.Round {
		return
	}
	for node, outs := range s.outs {
		leads := slices.ContainsFunc(outs, func(at int) bool {
			g := &s.groups[at]
			return !g.catch && !g.back && g.from != g.to
		})
		for _, at := range outs {
			g := &s.groups[at]
			if !g.catch || len(g.labels) == 0 || s.rank[g.to] != s.rank[node]+1 {
				continue
			}
			aside := leads && s.main[node] && !s.main[g.to]
			g.falls, g.turns = !aside, aside
		}
	}
}

// labelled reports whether the conditions of a group have rows below its state.
func (g *group) labelled() bool { return g.from != g.to && len(g.labels) > 0 && (!g.catch || g.falls) }
