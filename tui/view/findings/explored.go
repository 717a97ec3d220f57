// This part of the package marks in the graph of a definition where the failures of its states lead.

package findings

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/internal/explore"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// Marks are the marks of states, and the number of errors at each catcher's transition. Catchers that no error takes
// are light.
type Marks struct {
	graph.Overlay
	failures explore.Failures
	glyphs   *canvas.Glyphs
}

// MarksOf returns the marks of failures.
func MarksOf(failures explore.Failures, glyphs *canvas.Glyphs) *Marks {
	m := &Marks{failures: failures, glyphs: glyphs}
	m.Overlay = graph.Overlay{
		Mark:    m.mark,
		Taken:   func(from *asl.State, edge int) bool { return m.caught(from, edge) > 0 },
		Without: func(from *asl.State, edge int) bool { return m.caught(from, edge) == 0 },
	}
	return m
}

// LayOut lets a sheet have space for the notes of the states and the texts at the transitions.
func (m *Marks) LayOut(s *graph.Sheet) {
	note := func(state *asl.State) string { return m.mark(state).Note }
	s.SetNotes(note)
	s.SetShort(func(state *asl.State) string { return m.mark(state).Short })
	s.SetPaths(m.text, note)
}

// In returns the overlay for a drawing, with the lines of the transitions.
func (m *Marks) In(d *graph.Drawing) *graph.Overlay {
	over := m.Overlay
	over.Trail, over.Broken = d.Trail(m.Taken), d.Trail(m.Without)
	return &over
}

// longest is the number of characters of a note in words.
const longest = 28

// mark returns the mark of a state; of one that had no failure an empty one.
func (m *Marks) mark(state *asl.State) graph.Mark {
	f := m.failures[state.Path()]
	if f == nil {
		return graph.Mark{Part: graph.PlainPart}
	}
	ascii := m.glyphs.Failed == canvas.ASCII().Failed
	mark := graph.Mark{Part: graph.CaughtPart, Note: f.Brief(ascii, longest), Short: f.Short(ascii)}
	mark.Brief = mark.Note
	if f.Bugs > 0 || f.Unhandled > 0 || f.Passed > 0 {
		mark.Part = graph.FailsPart
	}
	return mark
}

// caught returns the number of errors that take a catcher's transition; -1 of another transition, and of catchers of a
// state that had none.
func (m *Marks) caught(from *asl.State, edge int) int {
	f, e := m.failures[from.Path()], from.Edges()[edge]
	if f == nil || e.Kind != asl.EdgeCatch {
		return -1
	}
	return f.Caught[e.Index]
}

// text returns the text at a transition.
func (m *Marks) text(from *asl.State, edge int) string {
	switch n := m.caught(from, edge); {
	case n < 0:
		return ""
	case n == 0:
		return m.glyphs.Failed
	default:
		return "(" + strconv.Itoa(n) + ")"
	}
}
