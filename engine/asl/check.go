package asl

import (
	"fmt"
	"iter"
	"slices"

	"asldb/engine/rules"
	"asldb/engine/source"
)

// transition is a name of a state as the text has it, to be looked up when all states are known.
type transition struct {
	from  *State
	kind  EdgeKind
	index int
	field *NodeMember
	to    string
}

// resolver looks up the names of states when all states are known.
type resolver struct {
	*reporter
	transitions []transition
	scopes      []*Scope
	lostAt      map[*Scope][]loss
}

// loss is a transition whose target does not exist.
type loss struct {
	from       *State
	near       *State // that was probably meant; nil where none is like it
	diagnostic int    // its place among the diagnostics
}

// transition notes that the field m names the state to go to.
func (r *resolver) transition(from *State, kind EdgeKind, index int, m *NodeMember, to string) {
	r.transitions = append(r.transitions, transition{from, kind, index, m, to})
}

// resolve looks up every transition, and then checks the graph of each scope.
func (r *resolver) resolve() {
	for _, t := range r.transitions {
		to := t.from.Scope.State(t.to)
		if to == nil {
			r.lost(t)
			t.from.lost = append(t.from.lost, LostEdge{Kind: t.kind, Index: t.index, Name: t.to})
			continue
		}
		t.from.edges = append(t.from.edges, edge{kind: t.kind, index: t.index, to: to})
	}
	for _, scope := range r.scopes {
		for _, s := range scope.States {
			slices.SortStableFunc(s.edges, func(x, y edge) int { return int(x.kind) - int(y.kind) })
		}
		r.checkScope(scope)
	}
	r.labels()
}

// labels reports a Label that another Map state of the machine has.
func (r *resolver) labels() {
	if r.machine.Top == nil {
		return
	}
	first := make(map[string]*State)
	for s := range r.machine.All() {
		if s.Label == "" {
			continue
		}
		other := first[s.Label]
		if other == nil {
			first[s.Label] = s
			continue
		}
		n := s.Node.Get("Label")
		d := r.report(n, n.Span, rules.DuplicateLabel, "the Label %s is already used by the state %s; labels must be unique in the whole machine", quote(s.Label), quote(other.Name))
		d.Service.Message = "Duplicate Label name: " + s.Label
	}
}

// lost reports a transition whose target is not in its scope.
func (r *resolver) lost(t transition) {
	if elsewhere := r.machine.byName[t.to]; elsewhere != nil {
		d := r.wrong(t.field, rules.LeavesScope, "%s names the state %s at %s, which is not in the same \"States\" as %s: a transition cannot leave its branch or iteration, nor enter another one",
			quote(t.field.Key), quote(t.to), elsewhere.Pointer, quote(t.from.Name))
		d.Expected, d.Found = "the name of a state in the same \"States\"", quote(t.to)
		d.Suggestion = "write \"End\": true, which goes on behind the state around it"
		if t.from.Scope.Container == nil {
			d.Suggestion = "go to the state " + quote(outer(elsewhere).Name) + ", which has it inside"
		}
		d.Service.Message = "Missing 'Next' target: " + t.to // whatever the field
		return
	}
	d := r.wrong(t.field, rules.Target, "Missing '%s' target: there is no state %s", t.field.Key, quote(t.to))
	d.Expected, d.Found = "the name of a state in the same \"States\"", quote(t.to)
	d.Service.Message = "Missing 'Next' target: " + t.to
	suggest(d, t.to, stateNames(t.from.Scope))
	near := t.from.Scope.Meant(t.to)
	if r.lostAt == nil {
		r.lostAt = make(map[*Scope][]loss)
	}
	r.lostAt[t.from.Scope] = append(r.lostAt[t.from.Scope], loss{t.from, near, len(r.diagnostics) - 1})
}

func stateNames(scope *Scope) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range scope.States {
			if !yield(s.Name) {
				return
			}
		}
	}
}

// checkScope checks StartAt, that every state can be reached, and that there is an end.
func (r *resolver) checkScope(scope *Scope) {
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
	// The service looks for an end in the machine itself only: an iteration or a branch may go round for ever.
	if scope.Kind == TopScope && !slices.ContainsFunc(scope.States, (*State).Terminal) {
		d := r.wrongKey(states, rules.NoTerminal, "no state ends here: there must be a state with \"End\": true, a Succeed or a Fail")
		d.Service = source.Reply{Message: "Workflow has no terminal state", Nowhere: true}
	}
	first := scope.State(scope.StartAt)
	if first == nil && startAt != nil && startAt.Node.IsText() {
		first = r.noStart(scope, startAt)
	}
	if startAt == nil || !startAt.Node.IsText() {
		return
	}
	r.unreachable(scope, first)
}

// reach marks the states that can be reached from those that are pending.
func reach(reached []bool, pending []*State) {
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, e := range s.edges {
			if !reached[e.to.Index] {
				reached[e.to.Index] = true
				pending = append(pending, e.to)
			}
		}
	}
}

// followFrom returns the states that are not reached only because a transition of a reached state names no state, with the
// number, from 1, of the problem of that transition.
func (r *resolver) followFrom(scope *Scope, reached []bool) map[*State]int {
	cause := make(map[*State]int)
	known := slices.Clone(reached)
	for again := true; again; {
		again = false
		for _, l := range r.lostAt[scope] {
			if l.near == nil || !known[l.from.Index] || known[l.near.Index] {
				continue
			}
			before := slices.Clone(known)
			known[l.near.Index], again = true, true
			reach(known, []*State{l.near})
			for _, s := range scope.States {
				if known[s.Index] && !before[s.Index] {
					cause[s] = l.diagnostic + 1
				}
			}
		}
	}
	return cause
}

// noStart reports a StartAt that names no state, and returns the state that was probably meant, or nil.
func (r *resolver) noStart(scope *Scope, startAt *NodeMember) *State {
	if scope.StartAt == "" {
		r.wrong(startAt, rules.StartAt, "\"StartAt\" must name a state")
		return nil
	}
	d := r.wrong(startAt, rules.StartAt, "Missing 'StartAt' target: there is no state %s", quote(scope.StartAt))
	d.Expected, d.Found = "the name of a state in the same \"States\"", quote(scope.StartAt)
	d.Service.Message = "Missing 'Next' target: " + scope.StartAt
	return scope.State(suggest(d, scope.StartAt, stateNames(scope)))
}

// unreachable reports every state of the scope that no path from the first one leads to; where the first one is
// unknown, those that no transition names.
func (r *resolver) unreachable(scope *Scope, first *State) {
	reached := make([]bool, len(scope.States))
	var pending []*State
	if first != nil {
		reached[first.Index] = true
		pending = append(pending, first)
	} else {
		for _, s := range scope.States {
			for _, e := range s.edges {
				reached[e.to.Index] = reached[e.to.Index] || e.to != s
			}
		}
	}
	reach(reached, pending)
	cause := r.followFrom(scope, reached)
	for _, s := range scope.States {
		if !reached[s.Index] && scope.State(s.Name) == s {
			if at := cause[s]; at > 0 {
				d := &r.diagnostics[at-1]
				d.Reasons = append(d.Reasons, source.Reason{Text: "so state " + quote(s.Name) + " is not reachable", Span: s.NameSpan})
				d.Unreachable = append(d.Unreachable, s.Pointer)
				continue
			}
			d := r.report(s.Node, s.NameSpan, rules.Unreachable, "State %s is not reachable", quote(s.Name))
			d.Expected = "a transition to it from a state that can be reached"
			d.Service.Message = fmt.Sprintf("State \"%s\" is not reachable.", s.Name)
		}
	}
}
