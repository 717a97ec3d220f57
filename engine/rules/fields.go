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
			Summary:     "A field must be one that the language defines for the object.",
			Explanation: "The service rejects unknown fields, because a misspelt one would have no effect. Comments belong in \"Comment\".",
			Wrong:       one(`"Type": "Pass", "Ende": true, "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: MissingField, Section: "States Language: State Machine Structure, and each state type",
			Summary:     "Required fields must be present.",
			Explanation: "Every machine needs StartAt and States, every state Type, a Task Resource, a Choice Choices, a Parallel Branches, a Map ItemProcessor, a retrier and a catcher ErrorEquals.",
			Wrong:       one(`"Type": "Task", "End": true`),
			Right:       one(`"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
		}, {
			Name: WrongStateType, Section: "States Language: table of state types and fields",
			Summary:     "A field must be allowed for the state's type.",
			Explanation: "For example, a Choice has no Next (its rules have), a Pass has no Retry, and a Fail has no OutputPath.",
			Wrong:       one(`"Type": "Pass", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
			Right:       one(`"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true`),
		}, {
			Name: WrongQueryLanguage, Section: "States Language: Query Languages",
			Summary:     "A field must be allowed for the state's query language.",
			Explanation: "InputPath, Parameters, ResultSelector, ResultPath, OutputPath, ItemsPath, Variable and all fields …Path are JSONPath's; Arguments, Output, Items and Condition are JSONata's.",
			Wrong:       task(`"Arguments": {"FunctionName": "f"}`),
			Right:       task(`"Parameters": {"FunctionName": "f"}`),
		}, {
			Name: Exclusive, Section: "States Language: each field's own section",
			Summary:     "Mutually exclusive fields must not be combined.",
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
			Summary:     "A value must have the type that its field requires.",
			Explanation: "Numbers and booleans are not quoted, and ErrorEquals is an array even for one name. Use the field's …Path form or a JSONata expression for a number that is known only at run time.",
			Wrong:       one(`"Type": "Wait", "Seconds": "10", "End": true`),
			Right:       one(`"Type": "Wait", "Seconds": 10, "End": true`),
		}, {
			Name: Enum, Section: "States Language: each field's own section",
			Summary:     "A value must be one of the values that its field allows.",
			Explanation: "Values are case-sensitive: \"Pass\", not \"pass\"; \"DISTRIBUTED\", not \"Distributed\".",
			Wrong:       one(`"Type": "pass", "End": true`),
			Right:       one(`"Type": "Pass", "End": true`),
		}, {
			Name: Range, Section: "States Language: each field's own section; quotas",
			Summary:     "A number must be within the range of its field.",
			Explanation: "Times are at most 99999999 seconds, BackoffRate is at least 1.0, percentages are from 0 to 100, HeartbeatSeconds is smaller than TimeoutSeconds.",
			Wrong:       task(`"TimeoutSeconds": 0`),
			Right:       task(`"TimeoutSeconds": 30`),
		}, {
			Name: EmptyArray, Section: "States Language: Choice, Parallel, errors",
			Summary:     "Choices, Branches, And, Or and ErrorEquals must not be empty.",
			Explanation: "An empty array has no effect.",
			Wrong:       one(`"Type": "Parallel", "Branches": [], "End": true`),
			Right: one(`"Type": "Parallel", "End": true, "Branches": [
          {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}]`),
		}, {
			Name: EmptyObject, Section: "States Language: State Machine Structure",
			Summary:     "States must not be empty.",
			Explanation: "StartAt must name one of them.",
			Wrong:       `{"StartAt": "A", "States": {}}`,
			Right:       one(`"Type": "Succeed"`),
		}, {
			Name: Timestamp, Section: "States Language: Timestamps (RFC 3339)",
			Summary:     "A timestamp must have an uppercase T and a Z or an offset: \"2024-03-14T01:59:00Z\".",
			Explanation: "The language takes the RFC 3339 profile of ISO 8601. A date alone, a time without a zone, and a space instead of the T are rejected.",
			Wrong:       one(`"Type": "Wait", "Timestamp": "2024-03-14 01:59:00", "End": true`),
			Right:       one(`"Type": "Wait", "Timestamp": "2024-03-14T01:59:00Z", "End": true`),
		}, {
			Name: MisplacedNumber, Severity: source.Warning, Section: "States Language: Retrying after error",
			Summary:     "MaxDelaySeconds should be greater than IntervalSeconds.",
			Explanation: "It limits the delay before a retry. If it does not exceed the first delay, all delays are equal and BackoffRate has no effect.",
			Wrong:       task(`"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 10, "MaxDelaySeconds": 5}]`),
			Right:       task(`"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 10, "MaxDelaySeconds": 60}]`),
		},
	}
}
