package graph

import (
	"slices"

	"asldb/engine/asl"
	"asldb/tui/part/canvas"
)

// Model is the graph of a definition: its states from the first to the last as the text has them, a container's after
// it.
type Model struct {
	top        *asl.Scope
	definition *asl.StateMachine
	states     []*asl.State
	number     map[*asl.State]int
	// inside counts the states in a container, at every depth.
	inside map[*asl.State]int
	edges  [][]asl.Edge // of each state
	// longest is the width of the longest name, in cells.
	longest int
	// drawn are the states of the outermost scope; place is the place of each state among those drawn of its scope.
	drawn []*asl.State
	place map[*asl.State]int
	// missing are the states drawn for names that no state has, by their scopes.
	missing map[*asl.Scope][]*asl.State
}

// Definition returns the definition that the graph is of.
func (m *Model) Definition() *asl.StateMachine { return m.definition }

// Build returns the graph of a definition.
func Build(definition *asl.StateMachine) *Model {
	return BuildOf(definition, func(*asl.State) bool { return true })
}

// BuildOf returns the graph of a definition without the states of the outermost scope that keep leaves out, and without the
// transitions to them. Where it leaves out all of them, all are kept.
func BuildOf(definition *asl.StateMachine, keep func(*asl.State) bool) *Model {
	m := &Model{top: definition.Top, definition: definition, number: map[*asl.State]int{}, inside: map[*asl.State]int{}, place: map[*asl.State]int{}, missing: map[*asl.Scope][]*asl.State{}}
	for _, state := range definition.Top.States {
		if keep(state) {
			m.drawn = append(m.drawn, state)
		}
	}
	if len(m.drawn) == 0 {
		m.drawn = definition.Top.States
	}
	m.add(definition.Top)
	for i := range m.edges {
		for k := range m.edges[i] {
			if edge := &m.edges[i][k]; edge.To != nil && !m.Has(edge.To) {
				edge.To = nil
			}
		}
	}
	return m
}

// The bounds of a drawing's transitions: those for each state, and for all of them.
const (
	tangledEach = 6
	tangledAll  = 400
)

// Tangled reports whether there are so many transitions that no line of a drawing could be followed; then the states are listed.
func (m *Model) Tangled() bool {
	edges := 0
	for i := range m.edges {
		edges += len(m.edges[i])
	}
	return edges > tangledEach*len(m.states)+tangledAll
}

// Has reports whether a state is one of the definition.
func (m *Model) Has(state *asl.State) bool {
	_, ok := m.number[state]
	return ok
}

// dropped reports whether an edge, at a place in [asl.State.Edges], leads to a state that is left out.
func (m *Model) dropped(edge *asl.Edge, i int) bool {
	return edge.To == nil && edge.From.Edges()[i].To != nil
}

// in returns the states of a scope that are drawn.
func (m *Model) in(scope *asl.Scope) []*asl.State {
	states := scope.States
	if scope == m.top {
		states = m.drawn
	}
	if missing := m.missing[scope]; len(missing) > 0 {
		return slices.Concat(states, missing)
	}
	return states
}

func (m *Model) add(scope *asl.Scope) {
	m.addMissing(scope)
	for place, state := range m.in(scope) {
		m.place[state] = place
		m.number[state] = len(m.states)
		m.states = append(m.states, state)
		m.edges = append(m.edges, m.edgesOf(state))
		m.longest = max(m.longest, canvas.Width(state.Name))
		before := len(m.states)
		for _, inner := range scopesOf(state) {
			m.add(inner)
		}
		if n := len(m.states) - before; n > 0 {
			m.inside[state] = n
		}
	}
}

// scopesOf returns the branches of a Parallel state or the processor of a Map state.
func scopesOf(state *asl.State) []*asl.Scope {
	if state.Processor != nil {
		return []*asl.Scope{state.Processor}
	}
	return state.Branches
}

// States returns the states in their order. The slice must not be changed.
func (m *Model) States() []*asl.State { return m.states }

// Index returns the place of a state in [Model.States]; ok is false for a state of another definition.
func (m *Model) Index(state *asl.State) (i int, ok bool) {
	i, ok = m.number[state]
	return i, ok
}

// Inside returns how many states a container holds, at every depth; 0 for other states.
func (m *Model) Inside(state *asl.State) int { return m.inside[state] }

// Edges returns the transitions of a state, as [asl.State.Edges] does, without making them again.
func (m *Model) Edges(state *asl.State) []asl.Edge {
	if i, ok := m.number[state]; ok {
		return m.edges[i]
	}
	return nil
}
