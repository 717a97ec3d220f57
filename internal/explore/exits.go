package explore

import (
	"slices"
	"strings"

	"asldb/engine/asl"
)

// exitOf says how a loop that a state is in can be left: by the rules and the Defaults that lead out of it; empty where
// the state is in none.
func exitOf(state *asl.State) string {
	ahead := reached(state)
	if !ahead[state] {
		return ""
	}
	inside := func(s *asl.State) bool { return ahead[s] && reached(s)[state] }
	var ways []string
	for _, s := range state.Scope.States {
		if !inside(s) {
			continue
		}
		if s.Terminal() {
			return ""
		}
		for _, e := range s.Edges() {
			switch {
			case inside(e.To):
			case e.Kind == asl.EdgeChoice:
				ways = append(ways, s.Choices[e.Index].Label())
			case e.Kind == asl.EdgeDefault:
				ways = append(ways, "no rule of "+s.Name)
			case e.Kind == asl.EdgeCatch:
				ways = append(ways, "an error of "+s.Name)
			case e.Kind == asl.EdgeNext:
			}
		}
	}
	if len(ways) == 0 {
		return "nothing leads out of this loop"
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
