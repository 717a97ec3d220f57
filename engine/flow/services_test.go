package flow_test

import (
	"fmt"
	"slices"
	"testing"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// TestWordsOfServices: a comparison with a word that only seems to be one of those that a service gives never holds, in
// both languages. A word that is like none may be newer than the table.
func TestWordsOfServices(t *testing.T) {
	const run = `"A": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:glue:getJobRun", %s: {"JobName": "j",
		"RunId": "r"}, "Next": "B"},
		"B": {"Type": "Choice", "Default": "C", "Choices": [%s]}, "C": {"Type": "Succeed"}`
	for rule, want := range map[string]string{
		`{"Variable": "$.JobRun.JobRunState", "StringEquals": "SUCEEDED", "Next": "C"}`:               "SUCCEEDED",
		`{"Variable": "$.JobRun.JobRunState", "StringEquals": "succeeded", "Next": "C"}`:              "SUCCEEDED",
		`{"Variable": "$.JobRun.JobRunState", "StringEquals": "SUCCEEDED", "Next": "C"}`:              "",
		`{"Variable": "$.JobRun.JobRunState", "StringEquals": "HIBERNATING", "Next": "C"}`:            "",
		`{"Variable": "$.JobRun.JobRunState", "StringMatches": "SUC*", "Next": "C"}`:                  "",
		`{"Variable": "$.JobRun.JobName", "StringEquals": "SUCEEDED", "Next": "C"}`:                   "",
		`{"Condition": "{% $states.input.JobRun.JobRunState = 'SUCEEDED' %}", "Next": "C"}`:           "SUCCEEDED",
		`{"Condition": "{% $states.input.JobRun.JobRunState in ['FAILD', 'ERROR'] %}", "Next": "C"}`:  "FAILED",
		`{"Condition": "{% $states.input.JobRun.JobRunState != 'SUCEEDED' %}", "Next": "C"}`:          "",
		`{"Condition": "{% $states.input.JobRun.JobRunState = 'FAILED' %}", "Next": "C"}`:             "",
		`{"Condition": "{% $states.input.JobRun.JobRunState in ['FAILED', 'ERROR'] %}", "Next": "C"}`: "",
	} {
		language, given := asl.JSONPath, `"Parameters"`
		if rule[2] == 'C' {
			language, given = asl.JSONata, `"Arguments"`
		}
		got := ""
		for _, f := range flow.Check(parse(t, `{"QueryLanguage": "`+language.String()+`", "StartAt": "A",
			"States": {`+fmt.Sprintf(run, given, rule)+`}}`), flow.Options{}) {
			if f.Rule != rules.NeverHolds {
				t.Errorf("%s: %s", rule, f.Message)
			}
			got = f.Expected
		}
		if got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// TestScalarsOfServices: Step Functions writes the times and the blobs of a result as strings; of an ended
// job a time may
// be a number, and an attribute of DynamoDB has its value in a member.
func TestScalarsOfServices(t *testing.T) {
	const get = `"arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t", "Key": {"id": {"S": "a"}}}`
	for _, test := range []struct{ task, rule, message, advice string }{
		{`"arn:aws:states:::aws-sdk:glue:getJobRun", "Parameters": {"JobName": "j", "RunId": "r"}`,
			`"Variable": "$.JobRun.StartedOn", "NumericGreaterThan": 3`,
			"NumericGreaterThan compares a number, and $.JobRun.StartedOn is a string: the comparison never holds", ""},
		{`"arn:aws:states:::aws-sdk:glue:getJobRun", "Parameters": {"JobName": "j", "RunId": "r"}`,
			`"Variable": "$.JobRun.StartedOn", "TimestampGreaterThan": "2024-03-14T01:59:00Z"`, "", ""},
		{`"arn:aws:states:::aws-sdk:kms:encrypt", "Parameters": {"KeyId": "k", "Plaintext": "p"}`,
			`"Variable": "$.CiphertextBlob", "BooleanEquals": true`,
			"BooleanEquals compares a boolean, and $.CiphertextBlob is a string: the comparison never holds", ""},
		{`"arn:aws:states:::glue:startJobRun.sync", "Parameters": {"JobName": "j"}`,
			`"Variable": "$.StartedOn", "NumericGreaterThan": 3`, "", ""},
		{get, `"Variable": "$.Item.name", "StringEquals": "x"`,
			"StringEquals compares a string, and $.Item.name is an object: the comparison never holds",
			`did you mean "$.Item.name.S"?`},
		{get, `"Variable": "$.Item.n", "NumericEquals": 1`,
			"NumericEquals compares a number, and $.Item.n is an object: the comparison never holds",
			"an attribute of DynamoDB has its number as a text: a Pass with States.StringToJson($.Item.n.N) before makes it one"},
		{get, `"Variable": "$.Item.name.S", "StringEquals": "x"`, "", ""},
	} {
		message, advice := "", ""
		for _, f := range flow.Check(machine(t, `"A": {"Type": "Task", "Resource": `+test.task+`, "Next": "B"},
			"B": {"Type": "Choice", "Default": "C", "Choices": [{`+test.rule+`, "Next": "C"}]},
				"C": {"Type": "Succeed"}`), flow.Options{}) {
			message, advice = f.Message, f.Suggestion
		}
		if message != test.message || advice != test.advice {
			t.Errorf("%s: %q, %q; want %q, %q", test.rule, message, advice, test.message, test.advice)
		}
	}
}

// TestConstantTests: a test that has one outcome for all data is told, with its value; one that has
// different outcomes for
// the ways to it is not, even where the rules before it leave the data of one way.
func TestConstantTests(t *testing.T) {
	const two = `"A": {"Type": "Choice", "Default": "N", "Choices": [{"Variable": "$.x", "IsPresent": true,
		"Next": "Y"}]},
		"Y": {"Type": "Pass", "Result": {"kind": "a"}, "Next": "B"}, "N": {"Type": "Pass", "Result": {"kind": "b"},
			"Next": "B"}, `
	const one = `"A": {"Type": "Pass", "Result": {"n": 3, "s": "a", "t": "2024-03-14T01:59:00Z"}, "Next": "B"}, `
	const query = `"A": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"n": 3, "s": "a"}, "Next": "B"}, `
	for _, test := range []struct {
		states, rules string
		want          []string
	}{
		{one, `{"Variable": "$.n", "NumericGreaterThan": 5, "Next": "C"}`,
			[]string{"NumericGreaterThan never holds: $.n is always 3"}},
		{one, `{"Variable": "$.s", "StringMatches": "a*", "Next": "C"}`,
			[]string{`StringMatches always holds: $.s is always "a"`}},
		{one, `{"And": [{"Variable": "$.s", "StringEquals": "b"}, {"Variable": "$.q", "IsPresent": true}],
			"Next": "C"}`,
			[]string{`StringEquals never holds: $.s is always "a"`, "$.q is never there: $ has only n, s and t"}},
		{one, `{"Variable": "$.n", "NumericEqualsPath": "$.n", "Next": "C"}`, nil},
		{two, `{"Variable": "$.kind", "StringEquals": "a", "Next": "C"}, {"Variable": "$.kind", "StringEquals": "b",
			"Next": "C"}`, nil},
		{two, `{"Variable": "$.kind", "StringEquals": "c", "Next": "C"}`,
			[]string{`StringEquals never holds: $.kind is always "a"`}},
		{query, `{"Condition": "{% $exists($states.input.nextToken) %}", "Next": "C"}`,
			[]string{"this Condition never holds"}},
		{query, `{"Condition": "{% $states.input.s = 'a' and $exists($states.input.n) %}", "Next": "C"}`,
			[]string{"this Condition always holds"}},
		{query, `{"Condition": "{% $states.input.s = 'b' %}", "Next": "C"}`, []string{"this Condition never holds"}},
		{query, `{"Condition": "{% $states.input.n > $states.input.m %}", "Next": "C"}`, nil},
		{query, `{"Condition": "{% true %}", "Next": "C"}`, nil},
	} {
		language := ""
		if test.states == query {
			language = `"QueryLanguage": "JSONata", `
		}
		m := machine(t, test.states+`"B": {"Type": "Choice", `+language+`"Default": "C",
			"Choices": [`+test.rules+`]}, "C": {"Type": "Succeed"}`)
		var got []string
		for _, f := range flow.Check(m, flow.Options{}) {
			if f.Rule == rules.ConstantChoice {
				got = append(got, f.Message)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.rules, got, test.want)
		}
		for _, f := range flow.Check(m, flow.Options{Input: value.Must(`{"x": 1}`)}) {
			if f.Rule == rules.ConstantChoice {
				t.Errorf("%s: of a given input %s", test.rules, f.Message)
			}
		}
	}
}
