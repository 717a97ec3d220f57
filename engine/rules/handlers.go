package rules

import "asldb/engine/source"

// The rules about retriers and catchers.
const (
	StatesAll          = "states-all-misplaced"
	UnknownError       = "unknown-error-name"
	UnreachableHandler = "unreachable-handler"
	NeverRaised        = "error-never-raised"
	MisplacedNumber    = "max-delay-without-effect"
)

func handlerRules() []Rule {
	const section = "States Language: Errors"
	return []Rule{
		{
			Name: StatesAll, Section: section,
			Summary:     "States.ALL must be alone in its ErrorEquals, and in the last retrier or catcher.",
			Explanation: "It matches every error, so other names beside it and handlers after it would have no effect.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy", "States.ALL"]}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["States.ALL"]}]`),
		}, {
			Name: UnknownError, Severity: source.Warning, Section: "States Language: Predefined Error Names",
			Summary: "An Error Name that begins with States. should be a predefined one.",
			Explanation: "A misspelt name such as State.ALL is legal but matches nothing, " +
				"so the intended error ends the execution. A Fail state, too, must report no name of that kind.",
			Wrong: task(`"Retry": [{"ErrorEquals": ["State.ALL"]}]`),
			Right: task(`"Retry": [{"ErrorEquals": ["States.ALL"]}]`),
		}, {
			Name: UnreachableHandler, Severity: source.Warning, Section: section,
			Summary:     "A retrier or catcher should match an error that no earlier one matches.",
			Explanation: "They are tried in order, and the first match decides, even if its attempts are exhausted. States.TaskFailed matches every error of a task except States.Timeout.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["Busy"], "MaxAttempts": 9}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"], "MaxAttempts": 9}]`),
		}, {
			Name: NeverRaised, Severity: source.Warning, Section: "Developer guide: Error names",
			Summary:     "A retrier or catcher should name an error that can occur.",
			Explanation: "States.Runtime is never retried and never caught, not even by States.ALL. JSONPath errors do not occur in JSONata states, nor the other way round; States.HeartbeatTimeout needs HeartbeatSeconds.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["States.Runtime"]}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["States.TaskFailed"]}]`),
		},
	}
}
