package rerun

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// executionARN matches the ARN of an execution inside of a text.
var executionARN = wording.Pattern(`arn:[a-z-]+:states:[a-z0-9-]+:[0-9]+:(execution|express):[^:"\\ ]+:[^"\\ ]+`)

// FindNames takes the names of the execution and its state machine from the one ARN in the recorded data that is neither in the
// definition, nor in the execution's input, nor in what came from outside, so that it comes from the context object. It reports whether
// there is such an ARN; [Recording.Identify] finds names on their own, by a run. A run that is not as it was recorded
// may have been given other names.
func (r *Recording) FindNames(definition *asl.StateMachine) bool {
	if r.Execution.ARN != "" || definition == nil || definition.Root == nil || !readsNames(definition) {
		return false
	}
	arn := ""
	for i := range r.Execution.Events {
		e := &r.Execution.Events[i]
		if !ownData(e) {
			continue
		}
		for _, text := range textsOf(e) {
			for _, found := range executionARN().FindAllString(text, -1) {
				if arn != "" && found != arn {
					return false
				}
				arn = found
			}
		}
	}
	id, name, machine, ok := names(arn)
	if !ok || r.fromOutside(arn) || strings.Contains(value.Compact(definition.Root.Value), arn) {
		return false
	}
	r.known = identity{arn, name, id, machine}
	return true
}

// ownData reports whether the data of an event were made by the execution: entries and exits of states, and payloads.
func ownData(e *history.Event) bool {
	return strings.HasSuffix(e.Type, "Entered") || strings.HasSuffix(e.Type, "Exited") || strings.HasSuffix(e.Type, "Scheduled")
}

// fromOutside reports whether a text is in the input, or in a result of a task.
func (r *Recording) fromOutside(text string) bool {
	for i := range r.Execution.Events {
		e := &r.Execution.Events[i]
		if ownData(e) || e.Kind().Family == history.OfExecution && e.Type != "ExecutionStarted" {
			continue
		}
		for _, other := range textsOf(e) {
			if strings.Contains(other, text) {
				return true
			}
		}
	}
	return false
}

// textsOf returns the texts of the details of an event in which there may be an ARN of an execution.
func textsOf(e *history.Event) (list []string) {
	if e.Details == nil {
		return nil
	}
	for _, member := range e.Details.All() {
		if text, ok := member.(value.String); ok && (strings.Contains(string(text), ":execution:") || strings.Contains(string(text), ":express:")) {
			list = append(list, string(text))
		}
	}
	return list
}

// nameless matches the ways into the context object that lead neither to the names of the execution nor to its state
// machine's, in Paths and in JSONata, and the other members of $states.
var nameless = wording.Pattern(`(\$\$|\$states\.context)\.((Map|State|Task)\b|Execution\.(Input|RedriveCount|RedriveTime|RoleArn|StartTime)\b)|\$states\.(input|result|errorOutput)\b`)

// readsNames reports whether a run of a definition can depend on the names of the execution and its state machine: false is certain.
func readsNames(definition *asl.StateMachine) bool {
	return definition == nil || definition.Root == nil || mayRead(definition.Root.Value)
}

// mayRead reports whether a text in v may read a name. The ARN of a Map Run, which a distributed Map writes, holds the
// ARN of the state machine.
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
