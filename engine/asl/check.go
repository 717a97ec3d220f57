package asl

import (
	"slices"

	"asldb.dev/asldb/internal/spelling"
)

// transition is a name of a state as the text has it, to be looked up when all states are known.
type transition struct {
	from  *State
	kind  EdgeKind
	index int
	field *NodeMember
	to    string
}

// transition notes that the field m names the state to go to.
func (b *builder) transition(from *State, kind EdgeKind, index int, m *NodeMember, to string) {
	b.transitions = append(b.transitions, transition{from, kind, index, m, to})
}

// resolve looks up every transition, and then checks each scope for what only the whole graph shows.
func (b *builder) resolve() {
	for _, t := range b.transitions {
		to := t.from.Scope.State(t.to)
		if to == nil {
			b.lost(t)
			continue
		}
		t.from.edges = append(t.from.edges, edge{kind: t.kind, index: t.index, to: to})
	}
	for _, scope := range b.scopes {
		for _, s := range scope.States {
			slices.SortStableFunc(s.edges, func(x, y edge) int { return int(x.kind) - int(y.kind) })
		}
		b.checkScope(scope)
	}
}

// lost reports a transition whose target is not in its scope.
func (b *builder) lost(t transition) {
	if elsewhere := b.machine.byName[t.to]; elsewhere != nil {
		b.wrong(t.field, ruleLeavesScope, "%s names the state %s at %s, which is not in the same \"States\" as %s: a transition cannot leave its branch or iteration, nor enter another one",
			quote(t.field.Key), quote(t.to), elsewhere.Pointer, quote(t.from.Name))
		return
	}
	d := b.wrong(t.field, ruleTarget, "Missing '%s' target: there is no state %s", t.field.Key, quote(t.to))
	suggest(d, nearestState(t.from.Scope, t.to))
}

func nearestState(scope *Scope, name string) string {
	return spelling.Nearest(name, func(yield func(string) bool) {
		for _, s := range scope.States {
			if !yield(s.Name) {
				return
			}
		}
	})
}

// checkScope checks StartAt, that every state can be reached, and that there is an end.
func (b *builder) checkScope(scope *Scope) {
	if len(scope.States) == 0 {
		return
	}
	var startAt, states *NodeMember
	for i := range scope.node.Members {
		switch m := &scope.node.Members[i]; m.Key {
		case "StartAt":
			startAt = m
		case "States":
			states = m
		}
	}
	if !slices.ContainsFunc(scope.States, (*State).Terminal) {
		b.wrongKey(states, ruleNoTerminal, "no state ends here: there must be a state with \"End\": true, a Succeed or a Fail")
	}
	first := scope.State(scope.StartAt)
	if first == nil {
		if startAt != nil && scope.StartAt != "" {
			d := b.wrong(startAt, ruleStartAt, "Missing 'StartAt' target: there is no state %s", quote(scope.StartAt))
			suggest(d, nearestState(scope, scope.StartAt))
		} else if startAt != nil && startAt.Node.IsText() {
			b.wrong(startAt, ruleStartAt, "\"StartAt\" must name a state")
		}
		return
	}
	b.unreachable(scope, first)
}

// unreachable reports every state of the scope that no path from the first one leads to.
func (b *builder) unreachable(scope *Scope, first *State) {
	reached := make([]bool, len(scope.States))
	reached[first.Index] = true
	for pending := []*State{first}; len(pending) > 0; {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, e := range s.edges {
			if !reached[e.to.Index] {
				reached[e.to.Index] = true
				pending = append(pending, e.to)
			}
		}
	}
	for _, s := range scope.States {
		if !reached[s.Index] && scope.State(s.Name) == s {
			b.report(s.Node, s.NameSpan, ruleUnreachable, "State %s is not reachable", quote(s.Name))
		}
	}
}
