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
			Summary:     "A state reads data that an earlier state dropped.",
			Explanation: "Without ResultPath, a state's result replaces its input; InputPath, Parameters, ResultSelector and OutputPath keep only the data that they select. The message lists where the data were lost. It is reported only if the data are missing on every path to the state.",
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "ResultPath": "$.check", "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
		}, {
			Name: NeverProvided, Severity: source.Warning, Section: "States Language: Input and output processing",
			Summary:     "A path refers to data that cannot exist at this point.",
			Explanation: "In the same state: the result of InputPath, Parameters or ItemSelector has no such member, or is not an object or array.",
			Wrong: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.name", "ResultPath": "$"`),
			Right: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.id", "ResultPath": "$"`),
		}, {
			Name: LostInput, Severity: source.Hint, Section: "States Language: Fallback states",
			Summary:     "A catcher without ResultPath replaces the state's input with the Error Output.",
			Explanation: "The next state then does not get the failed state's input. \"ResultPath\": \"$.error\" keeps both.",
			Wrong: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
    "B": {"Type": "Pass", "End": true}`),
			Right: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B"}]},
    "B": {"Type": "Pass", "End": true}`),
		},
	}
}
