package rules

import "asldb/engine/source"

// The rules about Choice states.
const (
	ManyOperators  = "multiple-comparison-operators"
	MissingDefault = "choice-without-default"
	DeadRule       = "unreachable-choice-rule"
	SelfDefault    = "default-to-itself"
	WrongPattern   = "invalid-string-pattern"
)

func choiceRules() []Rule {
	const section = "States Language: Choice State"
	return []Rule{
		{
			Name: ManyOperators, Section: section,
			Summary:     "A Choice rule must have exactly one operator.",
			Explanation: "Combine conditions with And or Or.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.n", "NumericGreaterThan": 1, "NumericLessThan": 5, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"And": [{"Variable": "$.n", "NumericGreaterThan": 1}, {"Variable": "$.n", "NumericLessThan": 5}], "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
		}, {
			Name: DeadRule, Severity: source.Warning, Section: section,
			Summary:     "A Choice rule should not repeat an earlier condition.",
			Explanation: "Rules are tried in order, and the first that matches decides.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"},
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(choiceThenB),
		}, {
			Name: SelfDefault, Severity: source.Warning, Section: section,
			Summary:     "The Default of a Choice should not be the Choice itself.",
			Explanation: "A Choice does not change its data: if no rule holds, none holds the next time either, and the execution loops until it times out or its history is full.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "A", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(choiceThenB),
		}, {
			Name: WrongPattern, Severity: source.Warning, Section: section,
			Summary: `A backslash in a pattern of StringMatches should stand before * or \.`,
			Explanation: `An open backslash is an error of the state that evaluates the rule. In JSON, ` +
				`write "\\*" for the character * and "\\\\" for a backslash.`,
			Wrong: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.name", "StringMatches": "log\\", "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.name", "StringMatches": "log\\\\", "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
		}, {
			Name: MissingDefault, Severity: source.Hint, Section: section,
			Summary:     "A Choice without Default fails if no rule matches.",
			Explanation: "The execution ends with States.NoChoiceMatched (States.Runtime at the service), and a Choice state has no Catch.",
			Wrong: machine(`"A": {"Type": "Choice", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(choiceThenB),
		},
	}
}
