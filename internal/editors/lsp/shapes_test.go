package lsp

import (
	"slices"
	"strings"
	"testing"
)

// TestCompletionFromShapes: what the definition alone tells of the data is completed, without fixtures.
func TestCompletionFromShapes(t *testing.T) {
	e := begin(t, map[string]string{})
	for _, test := range []struct {
		name, states string
		want         []string
	}{
		{"the input", `"A": {"Type": "Pass", "Result": {"order": {"id": 1, "name": "n"}}, "Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"x.$": "$.order.¦"},
			"End": true}`, []string{"$.order.id", "$.order.name"}},
		{"a result", `"A": {"Type": "Task", "QueryLanguage": "JSONata", "Resource": "arn:aws:states:::dynamodb:getItem",
			"Arguments": {"TableName": "t", "Key": {}}, "Output": "{% $states.result.¦ %}", "End": true}`,
			[]string{"$states.result.ConsumedCapacity", "$states.result.Item"}},
		{"a variable", `"A": {"Type": "Pass", "Assign": {"cart": {"total": 1, "lines": []}}, "Next": "B"},
			"B": {"Type": "Pass", "Parameters": {"x.$": "$cart.¦"},
			"End": true}`, []string{"$cart.lines", "$cart.total"}},
	} {
		got, _ := completed(t, e, "a.asl.json", `{"StartAt": "A", "States": {`+test.states+`}}`, "")
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q, want %q", test.name, got, want)
			}
		}
	}
}

// TestHoverFromShapes: of a path, its kind, the state that has made it, and the ways on which it is missing.
func TestHoverFromShapes(t *testing.T) {
	e := begin(t, map[string]string{})
	got := hovered(t, e, e.open("a.asl.json", `{"StartAt": "Price", "States": {
		"Price": {"Type": "Pass", "Result": {"total": 3}, "ResultPath": "$.order", "Next": "Load"},
		"Load": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"},
		"ResultPath": "$.loaded",
			"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Use"}], "Next": "Use"},
		"Use": {"Type": "Pass", "Parameters": {"x.$": "$.order.to¦tal"}, "End": true}}}`))
	for _, want := range []string{"number", "made by Price (line 2)", "missing on the way by catcher 1 of Load"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}
