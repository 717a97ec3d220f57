package graph

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// addMissing adds a state for each name that transitions of a scope lead to, and that no state of it has.
func (m *Model) addMissing(scope *asl.Scope) {
	known := map[string]bool{}
	var missing []*asl.State
	for _, state := range m.in(scope) {
		for _, lost := range state.Lost() {
			if !known[lost.Name] {
				known[lost.Name] = true
				missing = append(missing, &asl.State{Name: nameOf(lost), Scope: scope})
			}
		}
	}
	m.missing[scope] = missing
}

// nameOf returns the name of an unknown state as it is drawn.
func nameOf(lost asl.LostEdge) string {
	if lost.Name == "" {
		return `""`
	}
	return lost.Name
}

// edgesOf returns the transitions of a state; those to unknown states come last.
func (m *Model) edgesOf(state *asl.State) []asl.Edge {
	edges := state.Edges()
	for _, lost := range state.Lost() {
		for _, to := range m.missing[state.Scope] {
			if to.Name == nameOf(lost) {
				edges = append(edges, state.LostTo(lost, to))
			}
		}
	}
	return edges
}

// Missing reports whether a state of the model is in place of a name that no state of the definition has.
func (m *Model) Missing(state *asl.State) bool {
	return slices.Contains(m.missing[state.Scope], state)
}

// Wrong returns the marks of the states that errors are about, with their number, and of missing states. An error belongs to
// the innermost state that holds its place.
func (m *Model) Wrong(problems []source.Diagnostic) *Overlay {
	counts := map[*asl.State]int{}
	for i := range problems {
		if problems[i].Severity != source.Error {
			continue
		}
		var owner *asl.State
		for _, state := range m.states {
			if pointsInto(problems[i].Pointer, state.Pointer) && (owner == nil || len(state.Pointer) > len(owner.Pointer)) {
				owner = state
			}
		}
		counts[owner]++
	}
	return &Overlay{Mark: func(state *asl.State) Mark {
		switch n := counts[state]; {
		case m.Missing(state):
			return Mark{Part: MissingPart, Note: "no such state"}
		case n == 1:
			return Mark{Part: WrongPart, Note: "1 error"}
		case n > 1:
			return Mark{Part: WrongPart, Note: strconv.Itoa(n) + " errors"}
		}
		return Mark{Part: PlainPart}
	}}
}

// pointsInto reports whether a JSON Pointer leads to a state, or to something in it.
func pointsInto(pointer, state string) bool {
	rest, ok := strings.CutPrefix(pointer, state)
	return ok && state != "" && (rest == "" || rest[0] == '/')
}
