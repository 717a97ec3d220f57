package engine

import (
	"strings"

	"asldb/engine/value"
)

// IntegrationKind tells the kinds of tasks apart, as far as events and results differ.
type IntegrationKind uint8

// The kinds of tasks.
const (
	// OtherTask is a Resource that Step Functions would not know: a task all the same.
	OtherTask IntegrationKind = iota
	// LambdaTask is a function named by its own ARN.
	LambdaTask
	// ActivityTask is done by a worker that polls for it.
	ActivityTask
	// OptimizedTask is a service that Step Functions has its own integration for.
	OptimizedTask
	// SDKTask is a call of any service by the AWS SDK.
	SDKTask
	// HTTPTask is a call of an HTTP endpoint.
	HTTPTask
)

// Pattern is how a task waits for its result.
type Pattern uint8

// The patterns of service integrations.
const (
	// RequestResponse continues with the service's answer.
	RequestResponse Pattern = iota
	// RunJob (.sync) waits for the end of the job.
	RunJob
	// WaitForToken (.waitForTaskToken) waits until the task token is returned.
	WaitForToken
)

// Integration describes a task by its Resource.
type Integration struct {
	Kind    IntegrationKind
	Pattern Pattern
	// ResourceType and Resource are as history events name them: "sqs" and
	// "sendMessage.waitForTaskToken", "aws-sdk:dynamodb" and "putItem". Resource is the whole ARN of a
	// function or an activity, which have no ResourceType.
	ResourceType, Resource string
}

// IntegrationOf reads a Resource.
func IntegrationOf(resource string) Integration {
	parts := strings.SplitN(resource, ":", 6)
	if len(parts) < 6 || parts[0] != "arn" {
		return Integration{Resource: resource, ResourceType: "unknown"}
	}
	name := parts[5]
	switch {
	case parts[2] == "lambda":
		return Integration{Kind: LambdaTask, Resource: resource}
	case strings.HasPrefix(name, "activity:"):
		return Integration{Kind: ActivityTask, Resource: resource}
	case parts[2] != "states":
		return Integration{Resource: resource, ResourceType: "unknown"}
	}
	of := Integration{Kind: OptimizedTask, ResourceType: name}
	// The version of a job's pattern (.sync:2) belongs to the action, not to the service.
	if at := strings.LastIndexByte(strings.TrimSuffix(name, ":2"), ':'); at >= 0 {
		of.ResourceType, of.Resource = name[:at], name[at+1:]
	}
	switch {
	case strings.HasPrefix(name, "aws-sdk:"):
		of.Kind = SDKTask
	case of.ResourceType == "http":
		of.Kind = HTTPTask
	}
	switch _, pattern, _ := strings.Cut(of.Resource, "."); {
	case pattern == "waitForTaskToken":
		of.Pattern = WaitForToken
	case pattern == "sync", pattern == "sync:2":
		of.Pattern = RunJob
	}
	return of
}

// partitionOf returns the partition of an ARN, empty of other texts.
func partitionOf(arn string) string {
	rest, is := strings.CutPrefix(arn, "arn:")
	partition, _, found := strings.Cut(rest, ":")
	if !is || !found || strings.Contains(partition, "$") {
		return ""
	}
	return partition
}

// elsewhere reports whether the resource of a task is of another partition than the execution: the partition of the
// state machine in the driver's context, else of the first Task.
func (e *evaluator) elsewhere(t *thread) bool {
	home := e.machine.partition
	if context, ok := e.options.Context.(*value.Object); ok {
		machine, _ := context.Get("StateMachine").(*value.Object)
		if machine != nil && machine.Get("Id") != nil {
			id, _ := machine.Get("Id").(value.String)
			home = partitionOf(string(id))
		}
	}
	own := partitionOf(t.state.def.Resource)
	return own != "" && home != "" && own != home
}

// name returns the name of the task's service in messages: its type, or the whole Resource where it has none.
func (of *Integration) name() string {
	if of.Kind == LambdaTask || of.Kind == ActivityTask || of.Kind == OtherTask {
		return of.Resource
	}
	return of.ResourceType
}

// malformed returns the name of a member of the payload that the integration refuses, empty where it
// takes them all. API Gateway's headers must be lists, as it was recorded saying.
func (of *Integration) malformed(payload value.Value) string {
	if of.ResourceType != "apigateway" {
		return ""
	}
	parameters, _ := payload.(*value.Object)
	if parameters == nil {
		return ""
	}
	headers, _ := parameters.Get("Headers").(*value.Object)
	if headers == nil {
		return ""
	}
	for _, header := range headers.All() {
		if header.Kind() != value.KindArray {
			return "Headers"
		}
	}
	return ""
}

// reports reports whether the outcome comes from outside by SendTaskSuccess or SendTaskFailure.
func (i Integration) reports() bool { return i.Kind == ActivityTask || i.Pattern == WaitForToken }
