package explore

import (
	"slices"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/coverage"
	"asldb/engine/value"
)

// exitOf says how a loop that a state is in can be left: by the rules, the Defaults and the catchers that lead out of
// it; empty where the state is in none. Only a rule that cannot hold is left out. A way that no run has taken may be
// what bounds the loop.
func (x *exploration) exitOf(state *asl.State) string {
	ahead := reached(state)
	if !ahead[state] {
		return ""
	}
	inside := func(s *asl.State) bool { return ahead[s] && reached(s)[state] }
	var ways []string
	open := false // some way was not taken
	missing := map[coverage.ID]bool{}
	for _, item := range x.covered.Items.List {
		missing[item.ID] = !item.Covered()
	}
	add := func(s *asl.State, kind coverage.Kind, e *asl.Edge, way string) {
		ways = append(ways, way)
		open = open || missing[coverage.ID{State: s.Path(), Kind: kind, Index: e.Index}]
	}
	for _, s := range state.Scope.States {
		if !inside(s) {
			continue
		}
		if s.Terminal() {
			ways = append(ways, "a result of "+s.Name)
		}
		for _, e := range s.Edges() {
			switch {
			case inside(e.To), e.Kind == asl.EdgeChoice && takenBefore(s, e.Index):
			case e.Kind == asl.EdgeChoice:
				add(s, coverage.Rule, &e, s.Choices[e.Index].Label())
			case e.Kind == asl.EdgeDefault:
				add(s, coverage.Default, &e, "no rule of "+s.Name)
			case e.Kind == asl.EdgeCatch:
				add(s, coverage.Caught, &e, "an error of "+s.Name)
			case e.Kind == asl.EdgeNext:
			}
		}
	}
	if len(ways) == 0 {
		return "nothing leads out of this loop"
	}
	text := "the loop leaves only with " + strings.Join(slices.Compact(ways), " or ")
	if !open {
		text += "; nothing bounds it"
	}
	return text
}

// takenBefore reports whether a rule cannot decide: it holds for one value only, and for that an earlier one does.
func takenBefore(s *asl.State, rule int) bool {
	t := s.Choices[rule].Test
	if t == nil || t.Value == nil ||
		!slices.Contains([]string{"StringEquals", "NumericEquals", "BooleanEquals"}, t.Operator) {
		return false
	}
	data, err := t.Variable.Set(value.ObjectOf(), t.Value)
	return err == nil && slices.ContainsFunc(s.Choices[:rule], func(earlier *asl.ChoiceRule) bool {
		if earlier.Test == nil || !readsOnly(earlier.Test, t.Variable.String()) {
			return false
		}
		holds, err := engine.Holds(earlier.Test, data)
		return err == nil && holds
	})
}

// readsOnly reports whether a test reads nothing but the value of a path.
func readsOnly(t *asl.Test, path string) bool {
	if t.Variable != nil {
		return t.Path == nil && t.Variable.String() == path
	}
	return !slices.ContainsFunc(t.Tests, func(operand *asl.Test) bool { return !readsOnly(operand, path) })
}

// reached returns the states that one can lead to.
func reached(from *asl.State) map[*asl.State]bool {
	seen := map[*asl.State]bool{}
	for pending := []*asl.State{from}; len(pending) > 0; pending = pending[1:] {
		for _, e := range pending[0].Edges() {
			if e.To != nil && !seen[e.To] {
				seen[e.To] = true
				pending = append(pending, e.To)
			}
		}
	}
	return seen
}
