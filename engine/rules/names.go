package rules

import (
	"strings"

	"asldb/engine/source"
)

// The rules about names.
const (
	Name           = "invalid-name"
	LongName       = "name-too-long"
	DuplicateState = "duplicate-state-name"
	VariableName   = "invalid-variable-name"
	Unassigned     = "unassigned-variable"
)

func nameRules() []Rule {
	long := strings.Repeat("ThisNameIsTooLong", 5)
	return []Rule{
		{
			Name: Name, Section: "States Language: States",
			Summary:     "A name must not be empty and has no control characters.",
			Explanation: "Names become parts of histories, logs and ARNs. A Map's Label must have no white space, wildcards or brackets either.",
			Wrong:       `{"StartAt": "", "States": {"": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: LongName, Section: "States Language: States; quotas",
			Summary:     "A state's name has at most 80 characters, a Label 40.",
			Explanation: "Characters are counted, not bytes. Old versions of the specification allowed 128; the service does not.",
			Wrong:       `{"StartAt": "` + long + `", "States": {"` + long + `": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: DuplicateState, Section: "States Language: State names are unique in the whole machine",
			Summary:     "A state's name is used once in the whole machine, branches and processors included.",
			Explanation: "Histories name states without the branch that they stand in, so that two of one name could not be told apart.",
			Wrong: one(`"Type": "Map", "End": true,
          "ItemProcessor": {"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`),
			Right: one(`"Type": "Map", "End": true,
          "ItemProcessor": {"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "End": true}}}`),
		}, {
			Name: VariableName, Section: "States Language: Variables",
			Summary:     "A variable's name is an identifier of at most 80 characters; \"states\" is taken, and so are the names of outer scopes.",
			Explanation: "An inner scope reads the variables of the outer one and cannot assign them, so that the same name inside would be a trap.",
			Wrong:       one(`"Type": "Pass", "End": true, "Assign": {"states": 1}`),
			Right:       one(`"Type": "Pass", "End": true, "Assign": {"state": 1}`),
		}, {
			Name: Unassigned, Severity: source.Warning, Section: "States Language: Variables; variable scope",
			Summary:     "A variable that is read should have been assigned by a state before.",
			Explanation: "Looked for in every state that can run before this one, in its scope and in the outer ones (a distributed Map's iterations see none of those). Reading a variable that nothing has assigned ends the execution with States.Runtime, or States.QueryEvaluationError in JSONata. Values that an Assign gives can be read from the next state on, not in the state itself.",
			Wrong: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$totel", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$total", "End": true}`),
		},
	}
}
