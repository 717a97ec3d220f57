package asl

import (
	"iter"
	"slices"

	"asldb/engine/rules"
	"asldb/engine/value"
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
		d.Suggestion = "write \"End\": true: the execution then continues after the state around it"
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
}

func stateNames(scope *Scope) iter.Seq[string] {
	return slices.Values(value.Each(scope.States, func(s *State) string { return s.Name }))
}

// checkScope checks StartAt, that every state can be reached, and that there is an end.
func (r *resolver) checkScope(scope *Scope) {
	var startAt, states *NodeMember
	for i := range scope.node.Members {
		switch m := &scope.node.Members[i]; m.Key {
		case "StartAt":
			startAt = m
		case "States":
			states = m
		}
	}
	if len(scope.States) == 0 {
		r.empty(scope, startAt, states)
		return
	}
	// The service looks for an end in the machine itself only: an iteration or a branch may go round for ever. To it a state without Type
	// does not end.
	if scope.Kind == TopScope && !slices.ContainsFunc(scope.States, func(s *State) bool { return s.Terminal() && s.Node.Get("Type") != nil }) {
		r.noTerminal(scope, states)
	}
	first := scope.State(scope.StartAt)
	if first == nil && startAt != nil && startAt.Node.IsText() {
		first = r.noStart(scope, startAt)
	}
	if startAt != nil && startAt.Node.IsText() {
		r.unreachable(scope, first, startAt.Node)
	}
}

// empty reports, as consequences of empty States, that StartAt names no state and that none ends.
func (r *resolver) empty(scope *Scope, startAt, states *NodeMember) {
	at := slices.IndexFunc(r.diagnostics, func(d Diagnostic) bool {
		return d.Rule == rules.EmptyObject && states != nil && d.Span == states.Node.Span
	})
	if at < 0 {
		return
	}
	if startAt != nil && startAt.Node.IsText() {
		r.noStart(scope, startAt)
		r.implied(at)
	}
	if scope.Kind == TopScope {
		r.noTerminal(scope, states)
		r.implied(at)
	}
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
