package explore

import (
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/coverage"
)

// exitOf says how a loop that a state is in can be left: by the rules and the Defaults that lead out of it; empty where
// the state is in none. Ways that no run takes are left out where there are others: they are findings themselves.
func (x *exploration) exitOf(state *asl.State) string {
	ahead := reached(state)
	if !ahead[state] {
		return ""
	}
	inside := func(s *asl.State) bool { return ahead[s] && reached(s)[state] }
	var ways, taken []string
	missing := map[coverage.ID]bool{}
	for _, item := range x.covered.Items.List {
		missing[item.ID] = !item.Covered()
	}
	add := func(s *asl.State, kind coverage.Kind, e *asl.Edge, way string) {
		ways = append(ways, way)
		if !missing[coverage.ID{State: s.Path(), Kind: kind, Index: e.Index}] {
			taken = append(taken, way)
		}
	}
	for _, s := range state.Scope.States {
		if !inside(s) {
			continue
		}
		if s.Terminal() {
			ways = append(ways, "a result of "+s.Name)
			taken = append(taken, ways[len(ways)-1])
		}
		for _, e := range s.Edges() {
			switch {
			case inside(e.To):
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
	if len(taken) > 0 {
		ways = taken
	}
	return "the loop leaves only with " + strings.Join(slices.Compact(ways), " or ") + "; nothing bounds it"
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
