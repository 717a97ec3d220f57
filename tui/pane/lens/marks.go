package lens

import (
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// partOf returns the part of a state in the drawing by its role on the way.
func partOf(role provenance.Role) graph.Part {
	switch role {
	case provenance.Makes:
		return graph.OriginPart
	case provenance.Loses:
		return graph.LostPart
	case provenance.Lacks:
		return graph.LackPart
	case provenance.Carried, provenance.Moves, provenance.Reads:
	}
	return graph.OnWay
}

// overlay marks the states and the transitions of a way; all others stand back. broken reports whether a transition was taken
// without the value, given as [graph.Overlay.Taken] takes it.
func overlay(parts []provenance.StatePart, edges []*provenance.Edge, g *canvas.Glyphs) (over graph.Overlay, broken func(*asl.State, int) bool) {
	marks := make(map[*asl.State]graph.Mark, len(parts))
	writer := prose.Writer(g, prose.PreviewLength)
	for i := range parts {
		marks[parts[i].State] = graph.Mark{Part: partOf(parts[i].Role), Note: writer.Spans(explain.Part(&parts[i]))}
	}
	type transition struct {
		from *asl.State
		edge int
	}
	taken, without := make(map[transition]bool, len(edges)), make(map[transition]bool)
	for _, e := range edges {
		if edge, ok := e.Transition(); ok && e.Lost {
			without[transition{e.From.State, edge}] = true
		} else if ok {
			taken[transition{e.From.State, edge}] = true
		}
	}
	return graph.Overlay{
		Mark: func(state *asl.State) graph.Mark {
			if mark, ok := marks[state]; ok {
				return mark
			}
			return graph.Mark{Part: graph.AsidePart}
		},
		Taken:      func(from *asl.State, edge int) bool { return taken[transition{from, edge}] },
		TrailStyle: theme.Way,
	}, func(from *asl.State, edge int) bool { return without[transition{from, edge}] }
}
