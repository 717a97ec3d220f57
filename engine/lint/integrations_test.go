package lint

import (
	"testing"

	"asldb/engine/rules"
)

// TestPatternSeverity: a pattern that the table lacks for an action of an optimized integration is a warning, since AWS
// gives actions new ones; one that no action of the service has, and one that cannot be, is an error.
func TestPatternSeverity(t *testing.T) {
	for resource, want := range map[string]string{
		"bedrock:invokeModel.waitForTaskToken": "warning", // the guide contradicts itself
		"eks:runJob.waitForTaskToken":          "warning",
		"dynamodb:getItem.sync":                "error",
		"sqs:sendMessage.sync":                 "error",
		"http:invoke.waitForTaskToken":         "error",
		"athena:getQueryResults.sync":          "warning",
		"dynamodb:query":                       "warning",
		"ecs:runTask.waitForTaskToken":         "",
		"bedrockagentcore:invokeHarness":       "",
		"aws-sdk:glue:startJobRun.sync":        "error",
		"lambda:invoke.wait":                   "error",
	} {
		_, problems := find(taskOf(resource, ""), Options{})
		got := ""
		for _, d := range problems {
			if d.Rule == rules.Pattern || d.Rule == rules.UnknownIntegration {
				got = d.Severity.String()
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", resource, got, want)
		}
	}
}

// TestLambdaErrors: names that a function's errors cannot have are told by their likeness, whatever the Resource names
// it by.
func TestLambdaErrors(t *testing.T) {
	const catch = `,"Retry":[{"ErrorEquals":["Lambda.TooManyRequestException","Lambda.ServiceException","Lambda.AWSLambdaException","Lambda.SdkClientException","Lambda.Unknown","Own"]}]`
	const want = `warning unknown-service-error: lambda raises no error "Lambda.TooManyRequestException" did you mean "Lambda.TooManyRequestsException"?`
	expectTabled(t, taskOf("lambda:invoke", catch), want)
	expectTabled(t, `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","End":true`+catch+`}}}`, want)
}
