package rules

import "asldb/engine/source"

// The rules about Choice states.
const (
	ManyOperators  = "multiple-comparison-operators"
	MissingDefault = "choice-without-default"
	DeadRule       = "unreachable-choice-rule"
)

func choiceRules() []Rule {
	const section = "States Language: Choice State"
	return []Rule{
		{
			Name: ManyOperators, Section: section,
			Summary:     "A choice rule has exactly one operator.",
			Explanation: "Several conditions are combined with And or Or.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.n", "NumericGreaterThan": 1, "NumericLessThan": 5, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"And": [{"Variable": "$.n", "NumericGreaterThan": 1}, {"Variable": "$.n", "NumericLessThan": 5}], "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
		}, {
			Name: DeadRule, Severity: source.Warning, Section: section,
			Summary:     "A choice rule should not repeat the condition of one before it.",
			Explanation: "Rules are tried from top to bottom and the first that holds decides.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"},
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(choiceThenB),
		}, {
			Name: MissingDefault, Severity: source.Hint, Section: section,
			Summary:     "A Choice without Default fails when no rule holds.",
			Explanation: "The execution ends with States.NoChoiceMatched (States.Runtime at the service), which nothing can catch in the state itself.",
			Wrong: machine(`"A": {"Type": "Choice", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`),
			Right: machine(choiceThenB),
		},
	}
}
