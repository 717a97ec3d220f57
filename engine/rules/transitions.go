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
	NoWayToEnd        = "no-way-to-the-end"
)

func transitionRules() []Rule {
	const section = "States Language: Transitions"
	right := machine(`"A": {"Type": "Pass", "Next": "B"},
    "B": {"Type": "Succeed"}`)
	return []Rule{
		{
			Name: StartAt, Code: CodeTransition, Section: "States Language: State Machine Structure",
			Summary:     "StartAt must name a state of the same States.",
			Explanation: "Names are compared exactly, in their case.",
			Wrong:       `{"StartAt": "a", "States": {"A": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: Target, Code: CodeTransition, Section: section,
			Summary:     "Next and Default must name a state that is there.",
			Explanation: "Names are compared exactly, in their case.",
			Wrong: machine(`"A": {"Type": "Pass", "Next": "b"},
    "B": {"Type": "Succeed"}`),
			Right: right,
		}, {
			Name: LeavesScope, Code: CodeTransition, Section: section,
			Summary:     "A transition stays inside of its States: it leaves no branch and no iteration, and enters none.",
			Explanation: "A branch ends with a state of its own; the Parallel or Map state's Next says how it goes on.",
			Wrong: machine(`"A": {"Type": "Map", "Next": "B",
          "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Next": "B"}, "J": {"Type": "Succeed"}}}},
    "B": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Map", "Next": "B",
          "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}},
    "B": {"Type": "Succeed"}`),
		}, {
			Name: MissingTransition, Section: section,
			Summary:     "A state must name its successor: Next, or \"End\": true.",
			Explanation: "All states but Choice, Succeed and Fail. \"End\": false is no end.",
			Wrong:       one(`"Type": "Pass"`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: Unreachable, Code: CodeTransition, Section: section,
			Summary:     "Every state must be reachable from StartAt.",
			Explanation: "The service refuses a definition with a state that nothing leads to. It is often a Next that was not changed when a state was put in between.",
			Wrong: machine(`"A": {"Type": "Pass", "End": true},
    "B": {"Type": "Succeed"}`),
			Right: right,
		}, {
			Name: NoTerminal, Section: section,
			Summary:     "There must be a state that ends: \"End\": true, a Succeed or a Fail.",
			Explanation: "Every States has one of its own, those of branches and iterations too.",
			Wrong:       one(`"Type": "Pass", "Next": "A"`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: NoWayToEnd, Severity: source.Warning, Section: section,
			Summary:     "From every state there should be a way to one that ends.",
			Explanation: "Once here, the execution goes round until an error, the timeout or the 25,000 events of its history end it.",
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
