package rules

import (
	"slices"

	"asldb/engine/source"
)

// The rules about the fields of an object.
const (
	UnknownField       = "unknown-field"
	MissingField       = "missing-required-field"
	WrongStateType     = "field-not-allowed-for-state-type"
	WrongQueryLanguage = "field-not-allowed-for-query-language"
	Exclusive          = "mutually-exclusive-fields"
	Type               = "wrong-type"
	Enum               = "not-in-enum"
	Range              = "value-out-of-range"
	EmptyArray         = "empty-array"
	EmptyObject        = "empty-object"
	Timestamp          = "invalid-timestamp"
)

const choiceThenB = `"A": {"Type": "Choice", "Default": "B", "Choices": [
      {"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
    "B": {"Type": "Succeed"}`

// fieldRules are the rules about the fields of an object, and then those about their values.
func fieldRules() []Rule { return slices.Concat(presenceRules(), valueRules()) }

func presenceRules() []Rule {
	return []Rule{
		{
			Name: UnknownField, Section: "States Language: Common State Fields",
			Summary:     "An object has only the fields that the language gives it.",
			Explanation: "A misspelt field has no effect, so the service refuses it. Comments go into \"Comment\".",
			Wrong:       one(`"Type": "Pass", "Ende": true, "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: MissingField, Section: "States Language: State Machine Structure, and each state type",
			Summary:     "Required fields must be there.",
			Explanation: "Every machine needs StartAt and States, every state Type, a Task Resource, a Choice Choices, a Parallel Branches, a Map ItemProcessor, a retrier and a catcher ErrorEquals.",
			Wrong:       one(`"Type": "Task", "End": true`),
			Right:       one(`"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
		}, {
			Name: WrongStateType, Section: "States Language: table of state types and fields",
			Summary:     "A field must belong to the type of its state.",
			Explanation: "A Choice for example has no Next (its rules have), a Pass no Retry, a Fail no OutputPath.",
			Wrong:       one(`"Type": "Pass", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
			Right:       one(`"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
		}, {
			Name: WrongQueryLanguage, Section: "States Language: Query Languages",
			Summary:     "A field must belong to the query language of its state.",
			Explanation: "InputPath, Parameters, ResultSelector, ResultPath, OutputPath, ItemsPath, Variable and all fields …Path are JSONPath's; Arguments, Output, Items and Condition are JSONata's.",
			Wrong:       task(`"Arguments": {"FunctionName": "f"}`),
			Right:       task(`"Parameters": {"FunctionName": "f"}`),
		}, {
			Name: Exclusive, Section: "States Language: each field's own section",
			Summary:     "Of some fields an object may have one only.",
			Explanation: "Next and End; a number and its …Path form; Seconds and Timestamp; Iterator and ItemProcessor; Error and ErrorPath.",
			Wrong:       one(`"Type": "Wait", "Seconds": 1, "Timestamp": "2024-03-14T01:59:00Z", "End": true`),
			Right:       one(`"Type": "Wait", "Seconds": 1, "End": true`),
		},
	}
}

func valueRules() []Rule {
	return []Rule{
		{
			Name: Type, Section: "States Language: each field's own section",
			Summary:     "A value must be of the kind that its field takes.",
			Explanation: "Numbers are not quoted, End is true without quotes, ErrorEquals is an array even for one name. A number that only the run knows comes from the field's …Path form, or from a JSONata expression.",
			Wrong:       one(`"Type": "Wait", "Seconds": "10", "End": true`),
			Right:       one(`"Type": "Wait", "Seconds": 10, "End": true`),
		}, {
			Name: Enum, Section: "States Language: each field's own section",
			Summary:     "A word must be one of those that its field takes.",
			Explanation: "The words are compared in their exact case: \"Pass\", not \"pass\"; \"DISTRIBUTED\", not \"Distributed\".",
			Wrong:       one(`"Type": "pass", "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: Range, Section: "States Language: each field's own section; quotas",
			Summary:     "A number must be within the bounds of its field.",
			Explanation: "Times are at most 99999999 seconds, BackoffRate is at least 1.0, percentages are from 0 to 100, HeartbeatSeconds is smaller than TimeoutSeconds.",
			Wrong:       task(`"TimeoutSeconds": 0`),
			Right:       task(`"TimeoutSeconds": 30`),
		}, {
			Name: EmptyArray, Section: "States Language: Choice, Parallel, errors",
			Summary:     "Choices, Branches, And, Or and ErrorEquals must not be empty.",
			Explanation: "Without a member there is nothing that the field could do.",
			Wrong:       one(`"Type": "Parallel", "Branches": [], "End": true`),
			Right: one(`"Type": "Parallel", "End": true, "Branches": [
          {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}]`),
		}, {
			Name: EmptyObject, Section: "States Language: State Machine Structure",
			Summary:     "States must have at least one state.",
			Explanation: "StartAt must name one of them.",
			Wrong:       `{"StartAt": "A", "States": {}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: Timestamp, Section: "States Language: Timestamps (RFC 3339)",
			Summary:     "A timestamp has an upper case T, and Z or an offset: \"2024-03-14T01:59:00Z\".",
			Explanation: "The language takes the RFC 3339 profile of ISO 8601. A date alone, a time without a zone, and a blank in place of the T are refused.",
			Wrong:       one(`"Type": "Wait", "Timestamp": "2024-03-14 01:59:00", "End": true`),
			Right:       one(`"Type": "Wait", "Timestamp": "2024-03-14T01:59:00Z", "End": true`),
		}, {
			Name: MisplacedNumber, Severity: source.Warning, Section: "States Language: Retrying after error",
			Summary:     "MaxDelaySeconds should be greater than IntervalSeconds.",
			Explanation: "It bounds the delay before a retry. Where it is not greater than the first delay, every delay is the same and BackoffRate does nothing.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 10, "MaxDelaySeconds": 5}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 10, "MaxDelaySeconds": 60}]`),
		},
	}
}
