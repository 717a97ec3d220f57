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
			Summary:     "States.ALL stands alone in its ErrorEquals, and only in the last retrier or catcher.",
			Explanation: "It matches every error, so that other names beside it, or retriers after it, could never matter.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy", "States.ALL"]}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["States.ALL"]}]`),
		}, {
			Name: UnknownError, Severity: source.Warning, Section: "States Language: Predefined Error Names",
			Summary:     "An Error Name that begins with States. should be one of the predefined ones.",
			Explanation: "A misspelt name such as State.ALL is legal and matches nothing: the error that it was meant for ends the execution.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["State.ALL"]}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["States.ALL"]}]`),
		}, {
			Name: UnreachableHandler, Severity: source.Warning, Section: section,
			Summary:     "A retrier or catcher should have an Error Name that none before it takes.",
			Explanation: "They are tried from top to bottom and the first that matches decides, even a retrier whose attempts are used up. States.TaskFailed matches every error of a task but States.Timeout.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["Busy"], "MaxAttempts": 9}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"], "MaxAttempts": 9}]`),
		}, {
			Name: NeverRaised, Severity: source.Warning, Section: "Developer guide: Error names",
			Summary:     "A retrier or catcher names an error that cannot reach it.",
			Explanation: "States.Runtime is never retried and never caught, not even by States.ALL. Errors of JSONPath do not come up in a JSONata state nor the other way round; States.HeartbeatTimeout needs HeartbeatSeconds.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["States.Runtime"]}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["States.TaskFailed"]}]`),
		},
	}
}
