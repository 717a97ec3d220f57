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
	DuplicateLabel = "duplicate-label"
	VariableName   = "invalid-variable-name"
	// DuplicateVariable: an inner scope assigns a variable of an outer one.
	DuplicateVariable = "duplicate-variable-name"
	Unassigned        = "unassigned-variable"
	Unused            = "unused-variable"
)

func nameRules() []Rule {
	long := strings.Repeat("ThisNameIsTooLong", 5)
	return []Rule{
		{
			Name: Name, Section: "States Language: States",
			Summary:     "A name must not be empty or contain control characters.",
			Explanation: "Names are used in histories, logs and ARNs. A Map's Label must not contain white space, wildcards or brackets either.",
			Wrong:       `{"StartAt": "", "States": {"": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: LongName, Section: "States Language: States; quotas",
			Summary:     "A state name must not exceed 80 characters, a Label 40.",
			Explanation: "Characters are counted, not bytes. Older versions of the specification allowed 128; the service does not.",
			Wrong:       `{"StartAt": "` + long + `", "States": {"` + long + `": {"Type": "Succeed"}}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: DuplicateState, Code: CodeDuplicate, Section: "States Language: State names are unique in the whole machine",
			Summary:     "A state name must be unique in the whole machine, including branches and item processors.",
			Explanation: "Histories name a state without its branch, so two states with the same name could not be distinguished.",
			Wrong: one(`"Type": "Map", "End": true,
          "ItemProcessor": {"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`),
			Right: one(`"Type": "Map", "End": true,
          "ItemProcessor": {"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "End": true}}}`),
		}, {
			Name: DuplicateLabel, Code: CodeLabel, Section: "API reference: ValidateStateMachineDefinition, DUPLICATE_LABEL_NAME",
			Summary:     "A Map state's Label must be unique in the whole machine.",
			Explanation: "The Label is a part of the ARNs of the state's Map Runs.",
			Wrong: machine(`"A": {"Type": "Map", "Label": "rows", "Next": "B",
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}},
    "B": {"Type": "Map", "Label": "rows", "End": true,
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "J", "States": {"J": {"Type": "Pass", "End": true}}}}`),
			Right: machine(`"A": {"Type": "Map", "Label": "rows", "Next": "B",
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}},
    "B": {"Type": "Map", "Label": "columns", "End": true,
          "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "J", "States": {"J": {"Type": "Pass", "End": true}}}}`),
		}, {
			Name: VariableName, Section: "States Language: Variables",
			Summary:     "A variable name must be an identifier of at most 80 characters, and not \"states\".",
			Explanation: "\"states\" is reserved: $states is the data of a JSONata state.",
			Wrong:       one(`"Type": "Pass", "End": true, "Assign": {"states": 1}`),
			Right:       one(`"Type": "Pass", "End": true, "Assign": {"state": 1}`),
		}, {
			Name: DuplicateVariable, Code: CodeVariable, Section: "Developer guide: Variable scope",
			Summary:     "A branch or iteration must not assign a variable that is there when its Parallel or Map state is entered.",
			Explanation: "An inner scope can read the variables of the outer one but not assign them, in a distributed Map either. A variable that is assigned only after the state, by its own Assign or by its catchers may have the same name.",
			Wrong: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Parallel", "End": true, "Branches": [
      {"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"total": 2}, "End": true}}}]}`),
			Right: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Parallel", "End": true, "Branches": [
      {"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"part": 2}, "End": true}}}]}`),
		}, {
			Name: Unassigned, Severity: source.Warning, Section: "States Language: Variables; variable scope",
			Summary:     "A variable should be assigned before it is read.",
			Explanation: "No state that can run earlier assigns it, in this scope or an outer one (iterations of a distributed Map see no outer variables). Reading an unassigned variable ends the execution with States.Runtime, or States.QueryEvaluationError in JSONata. Assign takes effect from the next state on.",
			Wrong: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$totel", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$total", "End": true}`),
		}, {
			Name: Unused, Severity: source.Hint, Section: "States Language: Variables; variable scope",
			Summary:     "A variable that is assigned should be read.",
			Explanation: "No state of the definition reads it. It may be misspelt where it is read, or left over.",
			Wrong: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$total", "End": true}`),
		},
	}
}
