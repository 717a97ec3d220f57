package rules

import "asldb/engine/source"

// The rules about Task states.
const (
	Resource           = "invalid-resource"
	UnknownIntegration = "unknown-integration"
	Pattern            = "unsupported-integration-pattern"
	ExpressPattern     = "not-in-express"
	TaskToken          = "task-token-not-sent"
	TaskTimeout        = "task-without-timeout"
)

func taskRules() []Rule {
	const section = "Developer guide: Integrating services"
	resource := func(arn, more string) string {
		return one(`"Type": "Task", "Resource": "` + arn + `", "End": true` + more)
	}
	return []Rule{
		{
			Name: Resource, Section: "States Language: Task State",
			Summary:     "Resource must be a URI, such as the ARN of a function, an activity or an integration.",
			Explanation: "It is a constant, not a path or an expression. ${placeholders} are accepted, because they are replaced on deployment.",
			Wrong:       resource("arn:aws:lambda:us-east-1:function:f", ""),
			Right:       resource("arn:aws:lambda:us-east-1:123456789012:function:f", ""),
		}, {
			Name: UnknownIntegration, Severity: source.Warning, Section: section,
			Summary:     "The integration must exist.",
			Explanation: "Optimized integrations (arn:aws:states:::SERVICE:ACTION) have few actions; use arn:aws:states:::aws-sdk:SERVICE:ACTION for the others. Actions begin with a lowercase letter. AWS adds integrations: an action missing from the table is a warning. Actions and services of the AWS SDK that Step Functions refuses are errors.",
			Wrong:       resource("arn:aws:states:::dynamodb:query", ""),
			Right:       resource("arn:aws:states:::aws-sdk:dynamodb:query", ""),
		}, {
			Name: Pattern, Section: section,
			Summary:     "The integration must support its pattern (.sync, .sync:2, .waitForTaskToken).",
			Explanation: "Not every integration can run a job or wait for a task token; AWS SDK integrations have no .sync. AWS adds patterns to the actions of optimized integrations: one that other actions of the service have is a warning.",
			Wrong:       resource("arn:aws:states:::dynamodb:getItem.sync", ""),
			Right:       resource("arn:aws:states:::dynamodb:getItem", ""),
		}, {
			Name: ExpressPattern, Express: true, Section: "Developer guide: Standard and Express workflows",
			Summary:     "An Express state machine cannot use .sync, .waitForTaskToken, activities or distributed Maps.",
			Explanation: "Express executions end within five minutes and cannot wait for callbacks. The type is that of the template; --type sets another one.",
			Wrong:       resource("arn:aws:states:::sqs:sendMessage.waitForTaskToken", `, "Parameters": {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/q", "MessageBody": {"Token.$": "$$.Task.Token"}}`),
			Right:       resource("arn:aws:states:::sqs:sendMessage", `, "Parameters": {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/q", "MessageBody": {"Token": "none"}}`),
		}, {
			Name: TaskToken, Severity: source.Warning, Section: "Developer guide: Wait for a callback with the task token",
			Summary:     "A task that waits for its token should send it.",
			Explanation: "The callback needs the token: pass $$.Task.Token (in JSONata $states.context.Task.Token) in Parameters or Arguments.",
			Wrong:       resource("arn:aws:states:::sqs:sendMessage.waitForTaskToken", `, "Parameters": {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/q", "MessageBody": "hello"}`),
			Right:       resource("arn:aws:states:::sqs:sendMessage.waitForTaskToken", `, "Parameters": {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/123456789012/q", "MessageBody": {"Token.$": "$$.Task.Token"}}`),
		}, {
			Name: TaskTimeout, Severity: source.Hint, Section: "Developer guide: Best practices, use timeouts",
			Summary:     "A task that waits for a job, a callback or an activity should have TimeoutSeconds.",
			Explanation: "The default is 99999999 seconds, more than three years: without a response, the execution hangs. Reported for activities, .sync and .waitForTaskToken.",
			Wrong:       resource("arn:aws:states:::ecs:runTask.sync", ""),
			Right:       resource("arn:aws:states:::ecs:runTask.sync", `, "TimeoutSeconds": 3600`),
		},
	}
}
