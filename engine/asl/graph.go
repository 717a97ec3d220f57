package asl

import (
	"asldb/engine/value"
	"strings"
)

// EdgeKind tells why an execution goes from one state to another.
type EdgeKind uint8

// The kinds of edges.
const (
	EdgeNext    EdgeKind = iota // Next of a state
	EdgeChoice                  // Next of a choice rule
	EdgeDefault                 // Default of a Choice state
	EdgeCatch                   // Next of a catcher
)

// String returns "next", "choice", "default" or "catch".
func (k EdgeKind) String() string {
	switch k {
	case EdgeNext:
		return "next"
	case EdgeChoice:
		return "choice"
	case EdgeDefault:
		return "default"
	case EdgeCatch:
		return "catch"
	}
	return "unknown"
}

// Edge is one transition of a definition's graph.
type Edge struct {
	Kind     EdgeKind
	From, To *State
	// Label says when the edge is taken: a choice rule's condition in short ("$.total > 100"), a catcher's Error
	// Names, "default" for Default; "" for Next.
	Label string
	// Index is the place of the rule in Choices or of the catcher in Catch, from 0; 0 for the others.
	Index int
}

// edge is an edge without its label.
type edge struct {
	kind  EdgeKind
	index int
	to    *State
}

// Edges returns the state's outgoing edges: Next, or the choice rules from top to bottom and Default, then the
// catchers from top to bottom.
func (s *State) Edges() []Edge {
	return value.Each(s.edges, func(e edge) Edge {
		return Edge{Kind: e.kind, From: s, To: e.to, Index: e.index, Label: s.edgeLabel(e)}
	})
}

// OnEveryWay reports whether each execution without an error goes through the state.
func (s *State) OnEveryWay() bool {
	if c := s.Scope.Container; c != nil && (c.Type != Parallel || !c.OnEveryWay()) {
		return false
	}
	seen := map[*State]bool{s: true}
	pending := []*State{s.Scope.Meant(s.Scope.StartAt)}
	for len(pending) > 0 {
		at := pending[0]
		pending = pending[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		if at == nil || at.End || at.Type == Succeed || at.Type == Fail {
			return false // a way around it ends
		}
		for _, e := range at.edges {
			if e.kind != EdgeCatch {
				pending = append(pending, e.to)
			}
		}
	}
	return true
}

// LostEdge is a transition to a name that no state of the scope has.
type LostEdge struct {
	Kind  EdgeKind
	Index int // as in [Edge]
	Name  string
}

// Lost returns the state's transitions to unknown states, as [Examine] finds them; a machine without errors has none.
func (s *State) Lost() []LostEdge { return s.lost }

// LostTo returns the edge of a lost transition to a state that a drawing shows in place of the unknown one.
func (s *State) LostTo(l LostEdge, to *State) Edge {
	return Edge{Kind: l.Kind, From: s, To: to, Index: l.Index, Label: s.edgeLabel(edge{kind: l.Kind, index: l.Index, to: to})}
}

// EdgeTo returns the place in [State.Edges] of the edge of a kind and index; ok is false where the state has none.
func (s *State) EdgeTo(kind EdgeKind, index int) (i int, ok bool) {
	for i, e := range s.edges {
		if e.kind == kind && e.index == index {
			return i, true
		}
	}
	return 0, false
}

func (s *State) edgeLabel(e edge) string {
	switch e.kind {
	case EdgeChoice:
		return s.Choices[e.index].Label()
	case EdgeDefault:
		return "default"
	case EdgeCatch:
		return strings.Join(s.Catch[e.index].ErrorEquals, ", ")
	case EdgeNext:
	}
	return ""
}
