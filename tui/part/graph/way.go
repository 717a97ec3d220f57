package graph

import (
	"slices"
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
)

// partOf returns the part of a state in the drawing by its role on the way of a value.
func partOf(role provenance.Role) Part {
	switch role {
	case provenance.Makes:
		return OriginPart
	case provenance.Loses:
		return LostPart
	case provenance.Lacks:
		return LackPart
	case provenance.WouldMake:
		return WouldMakePart
	case provenance.Carried, provenance.Moves, provenance.Reads:
	}
	return OnWay
}

// Way is the overlay of the way of a value: the states on it with their parts and the paths that the value had there, and the
// transitions; all other states are dim.
type Way struct {
	Overlay
	paths map[transition]string
}

// transition is a place in [asl.State.Edges].
type transition struct {
	from *asl.State
	edge int
}

// WayOf returns the overlay of a way with these parts and edges, in the states that lookup returns for theirs; lookup may be nil.
func WayOf(parts []provenance.StatePart, edges []*provenance.Edge, lookup func(*asl.State) *asl.State, g *canvas.Glyphs) *Way {
	if lookup == nil {
		lookup = func(state *asl.State) *asl.State { return state }
	}
	w := &Way{paths: make(map[transition]string)}
	taken, without := make(map[transition]bool, len(edges)), make(map[transition]bool)
	leaves, enters := make(map[*asl.State]bool), make(map[*asl.State]bool)
	for _, e := range edges {
		edge, ok := e.Transition()
		from := lookup(e.From.State)
		if !ok || from == nil {
			continue
		}
		at := transition{from, edge}
		if e.Lost {
			without[at] = true
			continue
		}
		taken[at] = true
		if len(e.Paths) > 0 && w.paths[at] == "" {
			w.paths[at] = severalPaths(e.Paths)
			leaves[from], enters[lookup(e.To.State)] = true, true
		}
	}
	marks := make(map[*asl.State]Mark, len(parts))
	writer := prose.Writer(g, prose.PreviewLength)
	for i := range parts {
		part := &parts[i]
		state := lookup(part.State)
		m := Mark{
			Part: partOf(part.Role), Note: wording.Line(writer.Spans(explain.Part(part))), Short: wording.Line(writer.Spans(explain.PartBriefly(part))),
		}
		m.Brief = m.Note
		switch {
		case part.Role == provenance.Carried && (enters[state] || leaves[state]):
			m.Brief = ""
		case part.Role == provenance.Makes && leaves[state]:
			m.Brief = "made here"
		}
		marks[state] = m
	}
	w.Overlay = Overlay{
		Mark: func(state *asl.State) Mark {
			if mark, ok := marks[state]; ok {
				return mark
			}
			return Mark{Part: AsidePart}
		},
		Taken:      func(from *asl.State, edge int) bool { return taken[transition{from, edge}] },
		Without:    func(from *asl.State, edge int) bool { return without[transition{from, edge}] },
		TrailStyle: canvas.Way,
	}
	return w
}

func severalPaths(paths []string) string {
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	if len(paths) > 1 {
		return paths[0] + " +" + strconv.Itoa(len(paths)-1)
	}
	return paths[0]
}

// LayOut lets a sheet have space for the notes and paths of a way.
func (w *Way) LayOut(s *Sheet) {
	s.SetNotes(func(state *asl.State) string { return w.Mark(state).Note })
	s.SetShort(func(state *asl.State) string {
		m := w.Mark(state)
		return m.short()
	})
	s.SetPaths(func(from *asl.State, edge int) string { return w.paths[transition{from, edge}] }, func(state *asl.State) string { return w.Mark(state).Brief })
}

// In returns the overlay for a drawing, with the lines of the transitions.
func (w *Way) In(d *Drawing) *Overlay {
	over := w.Overlay
	over.Trail, over.Broken = d.Trail(w.Taken), d.Trail(w.Without)
	return &over
}
