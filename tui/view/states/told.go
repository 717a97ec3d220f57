package states

import (
	"strings"

	"asldb/engine/asl"
	"asldb/internal/wording"
	"asldb/tui/part/graph"
)

// Told returns the states as lines of text, for a face that draws nothing: the name of each, its type, its status in
// words, and the states that it leads to.
func (p *Pane) Told() (lines []string) {
	over := p.overlay()
	for _, state := range p.sheet.Model.States() {
		depth := 0
		for c := state.Scope.Container; c != nil; c = c.Scope.Container {
			depth++
		}
		mark := over.Mark(state)
		parts := []string{wording.Line(state.Name), state.Type.String(), statusOf(&mark)}
		if mark.Breakpoint {
			parts = append(parts, "breakpoint")
		}
		var next []string
		for _, e := range p.sheet.Model.Edges(state) {
			next = append(next, leads(&e))
		}
		line := strings.Repeat("  ", depth) + strings.Join(parts, ", ")
		if len(next) > 0 {
			line += "; to " + strings.Join(next, ", ")
		}
		lines = append(lines, line+".")
	}
	return lines
}

// leads names the target of a transition, with its label.
func leads(e *asl.Edge) string {
	name := "the end"
	if e.To != nil {
		name = wording.Line(e.To.Name)
	}
	if e.Label == "" {
		return name
	}
	return name + " (" + wording.Line(e.Label) + ")"
}

// statusOf is the status of a state in words.
func statusOf(m *graph.Mark) string {
	switch {
	case m.Current:
		return "here"
	case m.Failed:
		return "failed"
	case m.Waiting && m.Active:
		return "waits"
	case m.Active:
		return "under way"
	case m.Caught:
		return "caught an error"
	case m.Visited:
		return "done"
	}
	return "not run"
}
