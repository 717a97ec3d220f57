package rules

import "asldb/engine/source"

// The rules about the data that reach a state.
const (
	Discarded     = "discarded-data"
	NeverProvided = "data-never-provided"
	LostInput     = "catch-loses-input"
)

func flowRules() []Rule {
	return []Rule{
		{
			Name: Discarded, Severity: source.Warning, Section: "States Language: Input and output processing",
			Summary:     "A state reads data that an earlier one has thrown away.",
			Explanation: "Without ResultPath a state's result takes the place of its whole input; InputPath, Parameters, ResultSelector and OutputPath each keep only what they name. The message lists the steps on which the data were lost. It is reported only where no way to the state can have them.",
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "ResultPath": "$.check", "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
		}, {
			Name: NeverProvided, Severity: source.Warning, Section: "States Language: Input and output processing",
			Summary:     "A path names something that the data cannot have at this place.",
			Explanation: "Within the same state: the result of InputPath, Parameters or ItemSelector has no such member, or is no object or array at all.",
			Wrong: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.name", "ResultPath": "$"`),
			Right: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.id", "ResultPath": "$"`),
		}, {
			Name: LostInput, Severity: source.Hint, Section: "States Language: Fallback states",
			Summary:     "A catcher without ResultPath puts the Error Output in place of the state's whole input.",
			Explanation: "The state that handles the error then does not get the failed state's input. \"ResultPath\": \"$.error\" keeps both.",
			Wrong: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
    "B": {"Type": "Pass", "End": true}`),
			Right: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B"}]},
    "B": {"Type": "Pass", "End": true}`),
		},
	}
}
