package rerun

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// nameless matches the ways into the context object that lead neither to the names of the execution nor to those of its state machine, in
// Paths and in JSONata, and the other members of $states.
var nameless = wording.Pattern(`(\$\$|\$states\.context)\.((Map|State|Task)\b|Execution\.(Input|RedriveCount|RedriveTime|RoleArn|StartTime)\b)|\$states\.(input|result|errorOutput)\b`)

// readsNames reports whether a run of a definition can depend on the names of the execution and its state machine: false is certain.
func readsNames(definition *asl.StateMachine) bool {
	return definition == nil || definition.Root == nil || mayRead(definition.Root.Value)
}

// mayRead reports whether a text in v may read a name. The ARN of a Map Run, which a distributed Map writes, holds that of the state machine.
func mayRead(v value.Value) bool {
	switch v := v.(type) {
	case value.String:
		return v == "DISTRIBUTED" || textReads(string(v))
	case *value.Object:
		for _, member := range v.All() {
			if mayRead(member) {
				return true
			}
		}
	case *value.Array:
		for _, item := range v.All() {
			if mayRead(item) {
				return true
			}
		}
	}
	return false
}

func textReads(text string) bool {
	if !strings.Contains(text, "$$") && !strings.Contains(text, "$states") {
		return false
	}
	inner, isJSONata := strings.CutPrefix(strings.TrimSpace(text), "{%")
	if isJSONata {
		inner = strings.TrimSuffix(inner, "%}")
		if strings.ContainsRune(inner, '%') { // JSONata's parent operator leads up again
			return true
		}
	}
	rest := nameless().ReplaceAllLiteralString(inner, "")
	return strings.Contains(rest, "$$") || strings.Contains(rest, "$states")
}
