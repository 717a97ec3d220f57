package runs

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/value"
)

// Chain returns a random definition of one to three states, in which Parallel and Map states are nested up to depth. The states are
// S0, S1 and so on; names counts them. The Map states read $.items.
func Chain(t *rapid.T, depth int, names *int) string {
	n := rapid.IntRange(1, 3).Draw(t, "states")
	var states []string
	first := *names
	for i := range n {
		name := *names
		*names++
		next := `"End":true`
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 && kind > 2 {
			kind = 0
		}
		var body string
		switch kind {
		case 0:
			body = `"Type":"Pass"`
		case 1:
			body = `"Type":"Wait","Seconds":3`
		case 2:
			body = `"Type":"Task","Resource":"r","Retry":[{"ErrorEquals":["States.ALL"],"MaxAttempts":2}]`
		case 3:
			body = `"Type":"Parallel","Branches":[` + Chain(t, depth-1, names) + `,` + Chain(t, depth-1, names) + `]`
		default:
			body = `"Type":"Map","ItemsPath":"$.items","ResultPath":null,"Iterator":` + Chain(t, 0, names)
		}
		if kind < 4 {
			body += `,"ResultPath":null`
		}
		if kind == 1 {
			body = `"Type":"Wait","Seconds":3`
		}
		if i < n-1 {
			next = fmt.Sprintf(`"Next":"S%d"`, *names)
		}
		states = append(states, fmt.Sprintf(`"S%d":{%s,%s}`, name, body, next))
	}
	return fmt.Sprintf(`{"StartAt":"S%d","States":{%s}}`, first, strings.Join(states, ","))
}

// ChainInput is an input for the definitions of [Chain].
const ChainInput = `{"items":[{"items":[1]},{"items":[]},{"items":[1,2]}]}`

// Fail gives the outcomes of tasks, each after a second: the error E as often as fails has it for the task's state, then
// an output.
func Fail(fails map[string]int) Outcomes {
	return func(request *engine.TaskRequest) engine.Outcome {
		if name := request.Visit.State.Name; fails[name] > 0 {
			fails[name]--
			return engine.Outcome{Error: "E", After: time.Second}
		}
		return engine.Outcome{Output: value.Must(`{"ok":true}`), After: time.Second}
	}
}
