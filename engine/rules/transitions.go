package rules

import "asldb/engine/source"

// The rules about how states follow each other.
const (
	StartAt           = "start-at-not-found"
	Target            = "transition-target-not-found"
	LeavesScope       = "transition-leaves-scope"
	MissingTransition = "missing-transition"
	Unreachable       = "unreachable-state"
	NoTerminal        = "no-terminal-state"
	NoWayFromStart    = "no-way-from-the-start"
	NoWayToEnd        = "no-way-to-the-end"
)

func transitionRules() []Rule {
	const section = "States Language: Transitions"
	right := machine(`"A": {"Type": "Pass", "Next": "B"},
    "B": {"Type": "Succeed"}`)
	return []Rule{
		{
			Name: StartAt, Code: CodeTransition, Section: "States Language: State Machine Structure",
			Summary:     "StartAt must name an existing state.",
			Explanation: "Names are case-sensitive.",
			Wrong:       `{"StartAt": "a", "States": {"A": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: Target, Code: CodeTransition, Section: section,
			Summary:     "Next and Default must name an existing state.",
			Explanation: "Names are case-sensitive.",
			Wrong: machine(`"A": {"Type": "Pass", "Next": "b"},
    "B": {"Type": "Succeed"}`),
			Right: right,
		}, {
			Name: LeavesScope, Code: CodeTransition, Section: section,
			Summary:     "A transition must not enter or leave a branch or an iteration.",
			Explanation: "A branch ends with its own terminal state; the Next of the Parallel or Map state continues after it.",
			Wrong: machine(`"A": {"Type": "Map", "Next": "B",
          "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Next": "B"}, "J": {"Type": "Succeed"}}}},
    "B": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Map", "Next": "B",
          "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}},
    "B": {"Type": "Succeed"}`),
		}, {
			Name: MissingTransition, Section: section,
			Summary:     "A state must name its successor: Next, or \"End\": true.",
			Explanation: "This holds for all states but Choice, Succeed and Fail. \"End\": false does not end anything.",
			Wrong:       one(`"Type": "Pass"`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: Unreachable, Code: CodeTransition, Section: section,
			Summary:     "Every state must be named by StartAt or a transition.",
			Explanation: "The service rejects a definition with a state that no StartAt, Next or Default names. A common cause is a Next that was not updated when a state was inserted.",
			Wrong: machine(`"A": {"Type": "Pass", "End": true},
    "B": {"Type": "Succeed"}`),
			Right: right,
		}, {
			Name: NoWayFromStart, Severity: source.Warning, Section: section,
			Summary:     "Every state should be reachable from StartAt.",
			Explanation: "The service accepts states that only name each other, as the states of a loop do, but no execution enters them.",
			Wrong: machine(`"A": {"Type": "Pass", "End": true},
    "B": {"Type": "Pass", "Next": "C"},
    "C": {"Type": "Pass", "Next": "B"}`),
			Right: right,
		}, {
			Name: NoTerminal, Code: CodeEnd, Section: section,
			Summary:     "There must be a terminal state: \"End\": true, a Succeed or a Fail.",
			Explanation: "Without one, the execution can end only by an error or a timeout.",
			Wrong:       one(`"Type": "Pass", "Next": "A"`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: NoWayToEnd, Severity: source.Warning, Section: section,
			Summary:     "A terminal state should be reachable from every state.",
			Explanation: "From here, the execution loops until an error, the timeout or the limit of 25,000 history events ends it.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "End", "Choices": [
      {"Variable": "$.again", "BooleanEquals": true, "Next": "B"}]},
    "B": {"Type": "Wait", "Seconds": 5, "Next": "B"},
    "End": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Choice", "Default": "End", "Choices": [
      {"Variable": "$.again", "BooleanEquals": true, "Next": "B"}]},
    "B": {"Type": "Wait", "Seconds": 5, "Next": "A"},
    "End": {"Type": "Succeed"}`),
		},
	}
}
