package rules

import "asldb/engine/source"

// The rules about the data that reach a state.
const (
	Discarded     = "discarded-data"
	NeverProvided = "data-never-provided"
	NotFollowed   = "data-not-followed"
	MissingOnWay  = "data-missing-on-a-path"
	WrongValue    = "wrong-value-type"
	NeverHolds    = "comparison-never-holds"
	LostInput     = "catch-loses-input"
	// VariableOnWay: a variable that some ways assign.
	VariableOnWay = "variable-missing-on-a-path"
	// ConstantChoice: a test whether there is something that has one outcome.
	ConstantChoice = "constant-choice"
)

func flowRules() []Rule {
	return []Rule{
		{
			Name: Discarded, Severity: source.Warning, Section: "States Language: Input and output processing",
			Summary:     "A state reads data that an earlier state dropped or does not pass on.",
			Explanation: "Without ResultPath, a state's result replaces its input; InputPath, Parameters, ResultSelector and OutputPath keep only the data that they select. The message lists where the data were lost. It is reported only if the data are missing on every path to the state.",
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
			Right: machine(`"A": {"Type": "Pass", "Result": {"ok": true}, "ResultPath": "$.check", "Next": "B"},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
		}, {
			Name: NeverProvided, Severity: source.Warning, Section: "States Language: Input and output processing",
			Summary:     "A path refers to data that cannot exist at this point.",
			Explanation: "Neither the states before nor the fields of the same state make such a member: a name is misspelt, the member is in a result that comes later, or the value is not an object.",
			Wrong: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.name", "ResultPath": "$"`),
			Right: one(`"Type": "Pass", "End": true, "Parameters": {"id.$": "$.id"},
          "OutputPath": "$.id", "ResultPath": "$"`),
		}, {
			Name: MissingOnWay, Severity: source.Warning, Section: "States Language: Input and output processing; Fallback states",
			Summary:     "A state reads data that are missing on one of the paths to it.",
			Explanation: "Another path to the state has the data. The message names the state from which they do not come, often a catcher without ResultPath. Reads behind a test for the data (IsPresent, $exists) are not reported.",
			Wrong: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
				"ResultPath": "$.charge", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
			Right: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
				"ResultPath": "$.charge", "Next": "B",
          "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B"}]},
    "B": {"Type": "Pass", "InputPath": "$.order", "End": true}`),
		}, {
			Name: VariableOnWay, Severity: source.Warning, Section: "States Language: Variables; variable scope",
			Summary:     "A state reads a variable that is not assigned on one of the paths to it.",
			Explanation: "Another path to the state assigns it. Reading an unassigned variable ends the execution with States.Runtime, or States.QueryEvaluationError in JSONata. A read behind another Choice is not reported: its rules may tell the paths apart.",
			Wrong: machine(`"A": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.paid",
				"IsPresent": true, "Next": "B"}]},
    "B": {"Type": "Pass", "Assign": {"total": 1}, "Next": "D"}, "C": {"Type": "Pass", "Next": "D"},
    "D": {"Type": "Pass", "InputPath": "$total", "End": true}`),
			Right: machine(`"A": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.paid",
				"IsPresent": true, "Next": "B"}]},
    "B": {"Type": "Pass", "Assign": {"total": 1}, "Next": "D"}, "C": {"Type": "Pass", "Assign": {"total": 0},
"Next": "D"},
    "D": {"Type": "Pass", "InputPath": "$total", "End": true}`),
		}, {
			Name: ConstantChoice, Severity: source.Hint, Section: "States Language: Choice State",
			Summary: "A test of a Choice state has the same outcome for all data.",
			Explanation: "The states before always make the member that it asks for, or never do, or always give it the same value: " +
				"a name may be misspelt, or the member is in another place.",
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"list": []}, "Next": "B"},
    "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.nextToken", "IsPresent": true, "Next": "A"}]},
    "C": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "TimeoutSeconds": 9,
          "Parameters": {"FunctionName": "f"}, "OutputPath": "$.Payload", "Next": "B"},
    "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.nextToken", "IsPresent": true, "Next": "A"}]},
    "C": {"Type": "Succeed"}`),
		}, {
			Name: NotFollowed, Severity: source.Warning, Section: "asldb: data flow",
			Summary:     "The data before a state have too many forms to follow.",
			Explanation: "Each test and each field that only one path adds doubles the forms that the data behind it may have. A loop that puts the data into themselves makes them larger with each round. Where they are more than asldb follows, reads are not checked; behind a state that replaces its data, they are again.",
		}, {
			Name: WrongValue, Severity: source.Warning, Section: "States Language: each field's own section",
			Summary:     "A field or function gets a value of a type that it does not take.",
			Explanation: "A Map state iterates over an array (in JSONata also over an object), SecondsPath takes a number, a Condition a boolean. It is reported only if the value has the wrong type on every path to the state.",
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"items": 3}, "Next": "B"},
    "B": {"Type": "Map", "ItemsPath": "$.items", "End": true, "ItemProcessor": {"StartAt": "I",
"States": {"I": {"Type": "Pass", "End": true}}}}`),
			Right: machine(`"A": {"Type": "Pass", "Result": {"items": [3]}, "Next": "B"},
    "B": {"Type": "Map", "ItemsPath": "$.items", "End": true, "ItemProcessor": {"StartAt": "I",
"States": {"I": {"Type": "Pass", "End": true}}}}`),
		}, {
			Name: NeverHolds, Severity: source.Warning, Section: "States Language: Choice State",
			Summary:     "A comparison can never hold: the value has another type.",
			Explanation: `NumericEquals is false for the string "5"; the service reports no error. DynamoDB's numbers ({"N": "5"}) are strings.`,
			Wrong: machine(`"A": {"Type": "Pass", "Result": {"n": "5"}, "Next": "B"},
    "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.n", "NumericEquals": 5, "Next": "C"}]},
    "C": {"Type": "Succeed"}`),
			Right: machine(`"A": {"Type": "Pass", "Result": {"n": 5}, "Next": "B"},
    "B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.n", "NumericEquals": 5, "Next": "C"}]},
    "C": {"Type": "Succeed"}`),
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
