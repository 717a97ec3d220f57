package explore

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
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

// manyAlike is the number of tasks from which on their findings with the same words are one line.
const manyAlike = 3

// alike returns the findings of a list that say of their states the same as one that is not handled does; nil where
// they are few.
func alike(list []*Finding, f *Finding) []*Finding {
	if f.Class != Uncaught && f.Class != Swallowed {
		return nil
	}
	same := slices.DeleteFunc(slices.Clone(list), func(o *Finding) bool { return o.Text != f.Text })
	if len(same) < manyAlike {
		return nil
	}
	return same
}

// inOneLine says of how many tasks findings say the same, and of which.
func inOneLine(r *Result, same []*Finding) (text, tasks string) {
	names := value.Each(same, func(f *Finding) string { return f.State.Name })
	return fmt.Sprintf("%d of %s: %s", len(same), wording.Count(r.Tasks, "task"), same[0].Text), strings.Join(names, ", ")
}
