package figures

import (
	"asldb/engine/asl"
	"asldb/recorder/history"
)

// naming finds the states of a definition that visits are of. It keeps the scopes of one execution's threads.
type naming struct {
	definition *asl.StateMachine
	scopes     map[*history.Thread]scope
}

// scope is where the states of a thread are.
type scope struct {
	prefix string
	of     *asl.Scope // nil: not known
}

func (n *naming) reset() { n.scopes = make(map[*history.Thread]scope) }

// size is the size of the definition in bytes; 0 without one.
func (n *naming) size() int64 {
	if n.definition == nil || n.definition.Source == nil {
		return 0
	}
	return int64(len(n.definition.Source.Data))
}

// of returns the path of the state that a visit is of, and the state of the definition, or nil.
func (n *naming) of(v *history.Visit) (string, *asl.State) {
	s := n.scope(v.Thread)
	if s.of != nil {
		if state := s.of.State(v.Name); state != nil && state.Type.String() == v.Type {
			return state.Path(), state
		}
	}
	return s.prefix + v.Name, nil
}

func (n *naming) scope(t *history.Thread) scope {
	if s, known := n.scopes[t]; known {
		return s
	}
	s := scope{}
	switch {
	case t.Container == nil && n.definition != nil:
		s.of = n.root(t)
	case t.Container != nil:
		path, state := n.of(t.Container)
		s.prefix = path + "/Branches[*]/"
		if t.Container.Type == "Map" {
			s.prefix = path + "/Iterations[*]/"
		}
		if state != nil {
			s.of = inner(state, t)
		}
	}
	n.scopes[t] = s
	return s
}

// root returns the scope in which an execution runs: the top, or of a Map Run's execution the processor of the Map state.
func (n *naming) root(t *history.Thread) *asl.Scope {
	first := t.First()
	if n.definition.Top.State(first) != nil {
		return n.definition.Top
	}
	if state := n.definition.Lookup(first); state != nil && state.Scope.Kind == asl.ProcessorScope {
		return state.Scope
	}
	return n.definition.Top
}

// inner returns the scope of a branch, which its first state tells, or of an iteration.
func inner(state *asl.State, t *history.Thread) *asl.Scope {
	if state.Processor != nil {
		return state.Processor
	}
	for _, branch := range state.Branches {
		if branch.StartAt == t.First() {
			return branch
		}
	}
	return nil
}
