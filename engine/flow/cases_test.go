package flow_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"asldb/engine/flow"
	"asldb/engine/rules"
	"asldb/engine/value"
)

// testCase is a definition that starts at A, with the messages of its faults: parts of them, in order.
type testCase struct {
	name, states string
	jsonata      bool
	input        string // "" for unknown
	want         []string
	also         string // the further places of all, where it is set
}

func (c *testCase) text() string {
	head := ""
	if c.jsonata {
		head = `"QueryLanguage": "JSONata", `
	}
	return `{` + head + `"StartAt": "A", "States": {` + c.states + `}}`
}

const (
	lambdaTask = `"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}`
	loopBody   = `"ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}`
)

var cases = []testCase{
	{name: "a catcher replaces the data", want: []string{"$.order.items is missing: $ has only Error and Cause, on the way by catcher 1 of Charge"}, states: `
		"A": {"Type": "Pass", "Next": "Charge"},
		"Charge": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "Refund", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Refund"}]},
		"Refund": {"Type": "Pass", "Parameters": {"items.$": "$.order.items"}, "End": true}`},
	{name: "a catcher that keeps them", states: `
		"A": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B"}]},
		"B": {"Type": "Pass", "Parameters": {"items.$": "$.order.items"}, "End": true}`},
	{name: "ResultPath null of a catcher", want: []string{"$.error.Cause is missing: $ has only a, when the data come from A: catcher 2 of C discards the Error Output"}, states: `
		"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "P"}, "P": {"Type": "Pass", "Next": "C"},
		"C": {` + lambdaTask + `, "ResultPath": null, "Next": "D", "Catch": [{"ErrorEquals": ["X"], "ResultPath": "$.error", "Next": "D"}, {"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "D"}]},
		"D": {"Type": "Pass", "InputPath": "$.error.Cause", "End": true}`},
	{name: "a guard", states: `
		"A": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Choice", "Default": "D", "Choices": [{"Variable": "$.order", "IsPresent": true, "Next": "C"}]},
		"C": {"Type": "Pass", "InputPath": "$.order.items", "End": true}, "D": {"Type": "Pass", "InputPath": "$.Error", "End": true}`},
	{name: "a guard inside of And", states: `
		"A": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Choice", "Default": "D", "Choices": [{"And": [{"Variable": "$.charge", "IsPresent": true}, {"Variable": "$.charge.StatusCode", "NumericEquals": 200}], "Next": "C"}]},
		"C": {"Type": "Pass", "InputPath": "$.charge", "End": true}, "D": {"Type": "Succeed"}`},
	{name: "Not and Or", states: `
		"A": {` + lambdaTask + `, "ResultPath": "$.charge", "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Choice", "Default": "C", "Choices": [{"Or": [{"Not": {"Variable": "$.charge", "IsPresent": true}}, {"Variable": "$.charge.StatusCode", "NumericEquals": 500}], "Next": "D"}]},
		"C": {"Type": "Pass", "InputPath": "$.charge.Payload", "End": true}, "D": {"Type": "Succeed"}`},
	{name: "a constant tells the ways apart", states: `
		"A": {"Type": "Choice", "Default": "N", "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "Y"}]},
		"Y": {"Type": "Pass", "Result": {"found": true, "item": {"id": 1}}, "Next": "B"}, "N": {"Type": "Pass", "Result": {"found": false}, "Next": "B"},
		"B": {"Type": "Choice", "Default": "E", "Choices": [{"Variable": "$.found", "BooleanEquals": true, "Next": "C"}]},
		"C": {"Type": "Pass", "InputPath": "$.item.id", "End": true}, "E": {"Type": "Succeed"}`},
	{name: "without Payload", want: []string{"$.id is missing: $ has only DurableExecutionArn, ExecutedVersion"}, states: `
		"A": {` + lambdaTask + `, "Next": "B"}, "B": {"Type": "Pass", "Parameters": {"id.$": "$.id", "ok.$": "$.Payload.id"}, "End": true}`},
	{name: "without Item", want: []string{"$.id is missing"}, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t", "Key": {}}, "Next": "B"},
		"B": {"Type": "Pass", "Parameters": {"id.$": "$.id", "ok.$": "$.Item.id.S"}, "End": true}`},
	{name: "an item is not always found", states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t", "Key": {}}, "Next": "B"},
		"B": {"Type": "Choice", "Default": "D", "Choices": [{"Variable": "$.Item", "IsPresent": false, "Next": "C"}]},
		"C": {"Type": "Succeed"}, "D": {"Type": "Pass", "InputPath": "$.Item.id.S", "End": true}`},
	{name: "without the attribute's type", want: []string{"NumericEquals compares a number, and $.Item.n is an object", "NumericEquals compares a number, and $.Item.n.N is a string", "States.MathAdd: argument 1 must be a number, but is a string"}, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::dynamodb:getItem", "Parameters": {"TableName": "t", "Key": {}}, "Next": "B"},
		"B": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.Item.n", "NumericEquals": 1, "Next": "C"}, {"Variable": "$.Item.n.N", "NumericEquals": 1, "Next": "C"}]},
		"C": {"Type": "Pass", "Parameters": {"sum.$": "States.MathAdd($.Item.n.N, 1)"}, "End": true}`},
	{name: "Output as text", want: []string{"$.Output.id is missing: $.Output is a string"}, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync", "Parameters": {"StateMachineArn": "m"}, "Next": "B"},
		"B": {"Type": "Pass", "InputPath": "$.Output.id", "End": true}`},
	{name: "Output as JSON", states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2", "Parameters": {"StateMachineArn": "m"}, "Next": "B"},
		"B": {"Type": "Pass", "InputPath": "$.Output.id", "End": true}`},
	{name: "the Cause is text", want: []string{"$.Cause.errorMessage is missing"}, states: `
		"A": {` + lambdaTask + `, "End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Pass", "Parameters": {"a.$": "$.Cause.errorMessage", "b.$": "States.StringToJson($.Cause)"}, "End": true}`},
	{name: "Map over an object", want: []string{"$.list is an object, and ItemsPath takes an array"}, states: `
		"A": {"Type": "Pass", "Parameters": {"list": {"a.$": "$.x"}}, "Next": "B"}, "B": {"Type": "Map", "ItemsPath": "$.list", "End": true, ` + loopBody + `}`},
	{name: "Map over a number, and an object in JSONata", jsonata: true, want: []string{"this expression is a number, and Items takes an array", "this value is an object, and Items takes an array"}, states: `
		"A": {"Type": "Map", "Items": "{% $count($states.input.list) %}", "Next": "B", ` + loopBody + `},
		"B": {"Type": "Map", "Items": {"a": 1}, "End": true, ` + strings.ReplaceAll(loopBody, `"I"`, `"J"`) + `}`},
	{name: "SecondsPath to a text", want: []string{`$.wait is the string "soon", and SecondsPath takes a whole number from 0`}, states: `
		"A": {"Type": "Pass", "Result": {"wait": "soon", "text": "5"}, "Next": "B"}, "B": {"Type": "Wait", "SecondsPath": "$.text", "Next": "C"}, "C": {"Type": "Wait", "SecondsPath": "$.wait", "End": true}`},
	{name: "a condition that is a text", jsonata: true, want: []string{"this expression is a string, and a Condition takes a boolean"}, states: `
		"A": {"Type": "Choice", "Default": "B", "Choices": [{"Condition": "{% $states.input.a & 'x' %}", "Next": "B"}]}, "B": {"Type": "Succeed"}`},
	{name: "an item past the branches", want: []string{"$[2] is missing: $ has 2 items; A does not provide it"}, states: `
		"A": {"Type": "Parallel", "Next": "B", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, {"StartAt": "J", "States": {"J": {"Type": "Pass", "End": true}}}]},
		"B": {"Type": "Pass", "Parameters": {"a.$": "$[1].x", "b.$": "$[2]"}, "End": true}`},
	{name: "the result of a branch", want: []string{"$[0].b is missing: $[0] has only a"}, states: `
		"A": {"Type": "Parallel", "Next": "B", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "Result": {"a": 1}, "End": true}}}]},
		"B": {"Type": "Pass", "Parameters": {"a.$": "$[0].a", "b.$": "$[0].b"}, "End": true}`},
	{name: "a branch that may fail softly", want: []string{"$[0].Payload is missing: $[0] has only Error and Cause, on the way by catcher 1 of I"}, states: `
		"A": {"Type": "Parallel", "Next": "B", "Branches": [{"StartAt": "I", "States": {"I": {` + lambdaTask + `, "End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "J"}]}, "J": {"Type": "Pass", "End": true}}}]},
		"B": {"Type": "Pass", "InputPath": "$[0].Payload", "End": true}`},
	{name: "the results of iterations", want: []string{"$[0].b is missing"}, states: `
		"A": {"Type": "Map", "Next": "B", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Result": {"a": 1}, "End": true}}}},
		"B": {"Type": "Pass", "Parameters": {"a.$": "$[0].a", "b.$": "$[0].b", "c.$": "$[*].b"}, "End": true}`},
	{name: "iterations that never end", states: `
		"A": {"Type": "Map", "Next": "B", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Fail"}}}}, "B": {"Type": "Pass", "InputPath": "$[0].x", "End": true}`},
	{name: "the items of a literal", want: []string{"$.price is missing"}, states: `
		"A": {"Type": "Pass", "Result": [{"sku": 1}, {"sku": 2}], "Next": "B"},
		"B": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Parameters": {"a.$": "$.sku", "b.$": "$.price"}, "End": true}}}}`},
	{name: "variables", want: []string{"$order.price is missing"}, states: `
		"A": {"Type": "Pass", "Assign": {"order": {"sku": 1}}, "Next": "B"}, "B": {"Type": "Pass", "Parameters": {"a.$": "$order.sku", "b.$": "$order.price"}, "End": true}`},
	{name: "a variable of two shapes", want: []string{"$v.a is missing: $v has only b, when the data come from A"}, states: `
		"A": {"Type": "Choice", "Default": "C", "Choices": [{"Variable": "$.x", "IsPresent": true, "Assign": {"v": {"a": 1}}, "Next": "B"}], "Assign": {"v": {"b": 1}}},
		"C": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$v.a", "End": true}`},
	{name: "JSONata inside of larger expressions", jsonata: true, want: []string{"$states.input.order.total is missing"}, states: `
		"A": {"Type": "Pass", "Output": {"order": {"price": "{% 1 %}"}}, "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $states.input.order.price + 1 %}", "b": "{% ($o := 1; $states.input.order.total + $o) %}", "c": "{% $exists($states.input.order.total) ? $states.input.order.total : 0 %}"}, "End": true}`},
	{name: "JSONata with a guard", jsonata: true, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Arguments": {"FunctionName": "f"}, "Output": {"order": "{% $states.result.Payload %}"}, "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Choice", "Default": "D", "Choices": [{"Condition": "{% $exists($states.input.order) %}", "Next": "C"}]},
		"C": {"Type": "Pass", "Output": "{% $states.input.order %}", "End": true}, "D": {"Type": "Pass", "Output": "{% $states.input.Error %}", "End": true}`},
	{name: "JSONata without one", jsonata: true, want: []string{"$states.input.order is missing: $states.input has only Error and Cause, on the way by catcher 1 of A"}, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Arguments": {"FunctionName": "f"}, "Output": {"order": "{% $states.result.Payload %}"}, "Next": "B", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}]},
		"B": {"Type": "Pass", "Output": "{% $states.input.order %}", "End": true}`},
	{name: "JSONata over items", jsonata: true, want: []string{"$states.input.list.nmae is missing"}, states: `
		"A": {"Type": "Pass", "Output": {"list": [{"name": "a"}, {"name": "b"}]}, "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $states.input.list.name %}", "b": "{% $states.input.list.nmae %}", "c": "{% $states.input.list[name='a'].name %}", "d": "{% $map($states.input.list, function($x) { $x.name }) %}"}, "End": true}`},
	{name: "arity and types of functions", jsonata: true, want: []string{
		"this call can never work: $length takes from 0 to 1 argument", "this call can never work: the argument str of $uppercase is string, and $states.input.n is a number",
	}, states: `
		"A": {"Type": "Pass", "Output": {"n": 1, "s": "x", "l": [1]}, "Next": "B"},
		"B": {"Type": "Pass", "Output": {"a": "{% $length($states.input.s, 1) %}", "b": "{% $uppercase($states.input.n) %}", "c": "{% $sum($states.input.n) & $join($states.input.l.$string()) %}",
			"d": "{% $type($states.input.n) = 'string' ? $uppercase($states.input.n) : '' %}", "e": "{% $substring($states.input.s, 1) %}"}, "End": true}`},
	{name: "the input is given", input: `{"order": {"id": 1}}`, want: []string{"$.ordr.id is missing; did you mean $.order.id?"}, states: `
		"A": {"Type": "Pass", "Parameters": {"a.$": "$.order.id", "b.$": "$.ordr.id", "c.$": "$$.Execution.Input.order.id"}, "End": true}`},
	{name: "after a failure on every way", want: []string{"$.b is missing", "$.d is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"a": 1}, "Next": "B"}, "B": {"Type": "Pass", "Parameters": {"c.$": "$.b"}, "Next": "C"}, "C": {"Type": "Pass", "Parameters": {"x.$": "$.c.y", "z.$": "$.d"}, "End": true}`},
	{name: "one cause, one fault", want: []string{"$.order.id is missing: $ has only DurableExecutionArn, ExecutedVersion, FunctionError, LogResult, Payload, SdkHttpMetadata, SdkResponseMetadata and StatusCode; A lost it", "$.Body is missing: $ has DurableExecutionArn, ExecutedVersion, FunctionError, LogResult, Payload, SdkHttpMetadata, SdkResponseMetadata, StatusCode and 1 more; no data on its way had it"}, also: "$.order.id@C $.order.customer@D $.order.id@D", input: `{"order": {"id": 1, "customer": 2}}`, states: `
		"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B"}, "B": {"Type": "Pass", "Parameters": {"a.$": "$.order.id"}, "ResultPath": "$.b", "Next": "C"},
		"C": {"Type": "Wait", "SecondsPath": "$.order.id", "Next": "D"}, "D": {"Type": "Pass", "Parameters": {"a.$": "$.order.customer", "b.$": "$.order.id", "c.$": "$.Body"}, "End": true}`},
	{name: "the same, state after state", jsonata: true, want: []string{"$states.input.n is missing: $states.input is a number, not an object; A does not provide it"}, also: "$states.input.n@C $states.input.n@D", states: `
		"A": {"Type": "Pass", "Output": "{% 1 %}", "Next": "B"}, "B": {"Type": "Pass", "Output": "{% $states.input.n + 1 %}", "Next": "C"},
		"C": {"Type": "Pass", "Output": "{% $states.input.n + 2 %}", "Next": "D"}, "D": {"Type": "Pass", "Output": "{% $states.input.n + 3 %}", "End": true}`},
	{name: "a batch", want: []string{"$.items is missing"}, states: `
		"A": {"Type": "Map", "End": true, "ItemBatcher": {"MaxItemsPerBatch": 2, "BatchInput": {"a": 1}}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I",
			"States": {"I": {"Type": "Pass", "Parameters": {"a.$": "$.Items", "b.$": "$.BatchInput.a", "c.$": "$.items"}, "End": true}}}}`},
	{name: "the context object for the data", want: []string{"$.Map.Item.Value is missing"}, states: `
		"A": {"Type": "Pass", "Result": {"l": [1]}, "Next": "B"}, "B": {"Type": "Map", "ItemsPath": "$.l", "ItemSelector": {"v.$": "$.Map.Item.Value"}, "End": true, ` + loopBody + `}`},
}

func TestCases(t *testing.T) {
	for _, c := range slices.Concat(cases, moreCases) {
		t.Run(c.name, func(t *testing.T) {
			var o flow.Options
			if c.input != "" {
				o.Input = value.Must(c.input)
			}
			var got, also []string
			for _, f := range flow.Check(parse(t, c.text()), o) {
				got = append(got, f.Message)
				for _, a := range f.Also {
					also = append(also, a.Read+"@"+a.State.Name)
				}
			}
			if c.also != "" && strings.Join(also, " ") != c.also {
				t.Errorf("also %v, want %s", also, c.also)
			}
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// The data of an integration are in a member of its result, which is easily forgotten.
func TestWrapped(t *testing.T) {
	for resource, want := range map[string]string{
		"lambda:invoke": `did you mean "$.Payload.id"?`, "dynamodb:getItem": `did you mean "$.Item.id.S"?`, "http:invoke": `did you mean "$.ResponseBody.id"?`,
		"states:startExecution.sync:2": `did you mean "$.Output.id"?`, "states:startExecution.sync": "", "sqs:sendMessage": "",
	} {
		faults := flow.Check(machine(t, `"A": {"Type": "Task", "Resource": "arn:aws:states:::`+resource+`", "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.id", "End": true}`), flow.Options{})
		if len(faults) != 1 || faults[0].Suggestion != want {
			t.Errorf("%s: %+v", resource, faults)
		}
	}
}

func TestResults(t *testing.T) {
	m := machine(t, `"A": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "Next": "B"}, "B": {"Type": "Pass", "InputPath": "$.b", "End": true}`)
	faults := flow.Check(m, flow.Options{Results: map[string][]value.Value{"A": {value.Must(`{"a": 1}`), value.Must(`{"b": 1}`)}}})
	if len(faults) != 1 || faults[0].Certain || !strings.HasPrefix(faults[0].Message, "$.b is missing: $ has only a, when the data come from A") {
		t.Errorf("%+v", faults)
	}
}

// row returns a definition with a row of n Choices, each with two ways that add their own member. Behind it a state replaces the
// data, and another one reads a member that it does not have.
func row(n int) string {
	var states strings.Builder
	for i := range n {
		next := fmt.Sprintf("C%d", i+1)
		if i == n-1 {
			next = "Tail"
		}
		fmt.Fprintf(&states, `"C%d": {"Type": "Choice", "Default": "B%[1]d", "Choices": [{"Variable": "$.k%[1]d", "IsPresent": true, "Next": "A%[1]d"}]},`, i)
		for _, way := range "AB" {
			fmt.Fprintf(&states, `"%c%d": {"Type": "Pass", "Result": {"v": %[2]d}, "ResultPath": "$.%[1]c%[2]d", "Next": "%s"},`, way, i, next)
		}
	}
	return `{"StartAt": "C0", "States": {` + states.String() + `"Tail": {"Type": "Pass", "Result": {"only": 1}, "Next": "Last"}, "Last": {"Type": "Pass", "InputPath": "$.zzz", "End": true}}}`
}

// However many states there are, and whatever forms the data have on the ways to them, a read behind them is checked.
func TestManyForms(t *testing.T) {
	for _, n := range []int{200, 600, 2000} {
		if got := rulesOf(t, row(n)); !slices.Equal(got, []string{rules.Discarded}) {
			t.Errorf("%d Choices: %v", n, got)
		}
	}
}

// Data that change without end are not followed, which is said.
func TestEndlessForms(t *testing.T) {
	text := `{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"inner.$": "$"}, "Next": "C"},
		"C": {"Type": "Choice", "Choices": [{"Variable": "$$.State.EnteredTime", "StringEquals": "x", "Next": "A"}], "Default": "B"},
		"B": {"Type": "Pass", "InputPath": "$.zzz", "End": true}}}`
	if got := rulesOf(t, text); !slices.Contains(got, rules.NotFollowed) {
		t.Errorf("what is told: %v", got)
	}
}

// rulesOf returns the rules of the faults of a definition.
func rulesOf(t *testing.T, text string) (found []string) {
	t.Helper()
	for _, f := range flow.Check(parse(t, text), flow.Options{}) {
		found = append(found, f.Rule)
	}
	return found
}

// chain returns a definition of n states, which each add a member, and a state behind them that reads another one.
func chain(n int) string {
	var states strings.Builder
	for i := range n {
		fmt.Fprintf(&states, `"P%d": {"Type": "Pass", "Result": 1, "ResultPath": "$.x%[1]d", "Next": "P%d"},`, i, i+1)
	}
	return `{"StartAt": "S", "States": {"S": {"Type": "Pass", "Result": {"a": 1}, "Next": "P0"}, ` + states.String() +
		fmt.Sprintf(`"P%d": {"Type": "Pass", "InputPath": "$.zzz", "End": true}}}`, n)
}

// Data may have thousands of members, one of each state before: a read behind them is checked.
func TestManyMembers(t *testing.T) {
	for _, n := range []int{400, 3000, 10_000} {
		if got := rulesOf(t, chain(n)); !slices.Equal(got, []string{rules.Discarded}) {
			t.Errorf("%d states: %v", n, got)
		}
	}
}

// The memory of an analysis grows about as the number of states, and not as its square: four times the states take at most six times
// as much. (Time is of the machine, and the collector's.)
func TestNearLinear(t *testing.T) {
	for name, text := range map[string]func(int) string{"Choices in a row": row, "a chain": chain} {
		made := func(n int) float64 {
			machine := parse(t, text(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			flow.Check(machine, flow.Options{})
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		made(100) // tables that are made once
		if few, many := made(500), made(2000); many > 6*few {
			t.Errorf("%s: %.0f bytes for 500 and %.0f for 2,000", name, few, many)
		}
	}
}

// A state to which many others lead, such as the handler of all errors, is checked as any other is.
func TestManyEdgesToOneState(t *testing.T) {
	for _, n := range []int{10, 30, 300} {
		var states strings.Builder
		for i := range n {
			fmt.Fprintf(&states, `"T%d": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "Parameters": {"QueueUrl": "q", "MessageBody": "m"}, "ResultPath": "$.r%[1]d",
				"Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Tell"}], "Next": "T%d"},`, i, i+1)
		}
		text := `{"StartAt": "S", "States": {"S": {"Type": "Pass", "Result": {"a": 1}, "Next": "T0"}, ` + states.String() +
			fmt.Sprintf(`"T%d": {"Type": "Succeed"}, "Tell": {"Type": "Pass", "InputPath": "$.eror.Cause", "End": true}}}`, n)
		if got := rulesOf(t, text); !slices.Equal(got, []string{rules.NeverProvided}) {
			t.Errorf("%d tasks with one handler: %v", n, got)
		}
	}
}

// What only a distributed Map has is read as the rest is: the bounds of batches, the parameters of a writer, and its result.
func TestDistributedMap(t *testing.T) {
	definition := func(fields, path string) string {
		return `{"StartAt": "S", "States": {"S": {"Type": "Pass", "Result": {"items": [1], "bucket": "b"}, "Next": "M"},
			"M": {"Type": "Map", "ItemsPath": "$.items", "ResultPath": "$.written", ` + fields + `, "Next": "E",
				"ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}},
			"E": {"Type": "Pass", "InputPath": "` + path + `", "End": true}}}`
	}
	writer := func(bucket string) string {
		return `"ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket.$": "` + bucket + `"}}`
	}
	for _, test := range []struct{ fields, path, at string }{
		{`"ItemBatcher": {"MaxItemsPerBatchPath": "$.zzz"}`, "$", "MaxItemsPerBatchPath"},
		{`"ItemBatcher": {"MaxItemsPerBatchPath": "$.items[0]"}`, "$", ""},
		{writer("$.bukket"), "$", "Bucket.$"},
		{writer("$.bucket"), "$.written[0]", "InputPath"},
		{writer("$.bucket"), "$.written.ResultWriterDetail.Key", "InputPath"},
		{writer("$.bucket"), "$.written.ResultWriterDetails.Key", ""},
		{`"ResultWriter": {"WriterConfig": {"OutputType": "JSON", "Transformation": "FLATTEN"}}`, "$.written[0]", ""},
	} {
		text := definition(test.fields, test.path)
		faults := flow.Check(parse(t, text), flow.Options{})
		if test.at == "" {
			if len(faults) > 0 {
				t.Errorf("%s, then %s: %s", test.fields, test.path, faults[0].Message)
			}
			continue
		}
		if len(faults) != 1 || !strings.HasSuffix(strings.TrimRight(text[:faults[0].Span.Start.Offset], ` :`), `"`+test.at+`"`) {
			t.Errorf("%s, then %s: %v", test.fields, test.path, faults)
		}
	}
}
