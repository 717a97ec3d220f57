package view

import (
	"strings"

	"asldb/engine/asl"
)

// StateOf returns the state that the spec of a breakpoint begins with, the one with the longest name or path; nil where
// it begins with none.
func StateOf(definition *asl.StateMachine, spec string) *asl.State {
	var found *asl.State
	longest := 0
	for state := range definition.All() {
		for _, name := range []string{state.Name, state.Path()} {
			rest, ok := strings.CutPrefix(spec, name)
			if ok && len(name) > longest && (rest == "" || rest[0] == ' ' || rest[0] == ':') {
				found, longest = state, len(name)
			}
		}
	}
	return found
}
