package executions_test

import (
	"strings"
	"testing"

	"asldb/internal/executions"
)

func TestARN(t *testing.T) {
	const execution = "arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a"
	for text, want := range map[string]executions.ARN{
		execution: {Text: execution, Region: "eu-west-1", Resource: executions.StandardExecution, Machine: "Order",
			Name: "4f1a"},
		"https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/" +
			execution: {Text: execution, Region: "eu-west-1", Resource: executions.StandardExecution, Machine: "Order",
			Name: "4f1a"},
		"https://console.aws.amazon.com/states/home?region=eu-west-1#/executions/details/" +
			strings.ReplaceAll(execution, ":", "%3A") +
			"?statusFilter=FAILED": {Text: execution, Region: "eu-west-1", Resource: executions.StandardExecution,
			Machine: "Order", Name: "4f1a"},
		"arn:aws-cn:states:cn-north-1:1:stateMachine:Order:live": {Text: "arn:aws-cn:states:cn-north-1:1:stateMachine:Order:live", Region: "cn-north-1", Resource: executions.StateMachine, Machine: "Order"},
		"arn:aws:states:eu-west-1:1:express:Order:4f1a:77":       {Text: "arn:aws:states:eu-west-1:1:express:Order:4f1a:77", Region: "eu-west-1", Resource: executions.ExpressExecution, Machine: "Order", Name: "4f1a:77"},
		"arn:aws:states:eu-west-1:1:mapRun:Order/each:4f1a":      {Text: "arn:aws:states:eu-west-1:1:mapRun:Order/each:4f1a", Region: "eu-west-1", Resource: executions.MapRun, Machine: "Order/each", Name: "4f1a"},
		"https://console.aws.amazon.com/states/home#/%zz/" +
			execution: {Text: execution, Region: "eu-west-1", Resource: executions.StandardExecution, Machine: "Order",
			Name: "4f1a"},
		"https://example.com/":                       {},
		"order":                                      {},
		"arn:aws:lambda:eu-west-1:1:function:f":      {},
		"arn:aws:states:eu-west-1:1:activity:a":      {},
		"arn:aws:states:eu-west-1:1:execution:Order": {},
		"arn:aws:states::1:execution:Order:1":        {},
	} {
		got, err := executions.ParseARN(text)
		if (err == nil) != (want.Text != "") || err == nil && got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
