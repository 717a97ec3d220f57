package services

import (
	"slices"
	"strings"
)

// ownErrors has the Error Names of optimized integrations that no model has, without the prefix (developer guide, pages
// of the integrations; recorded executions). The service's own prefix is the one of [Service.Prefix] where prefix is
// empty.
var ownErrors = map[string]struct {
	prefix string
	names  []string
}{
	"lambda": {names: []string{
		"ServiceException", "SdkClientException", "TooManyRequestsException", "ClientExecutionTimeoutException",
		"ResourceConflictException", "Unknown",
	}},
	"dynamodb": {prefix: "DynamoDB", names: []string{"ConditionalCheckFailedException",
		"ProvisionedThroughputExceededException", "ThrottlingException"}},
	"ecs":    {prefix: "ECS", names: []string{"ServerException", "ThrottlingException"}},
	"glue":   {names: []string{"ConcurrentRunsExceededException", "EntityNotFoundException"}},
	"states": {prefix: "StepFunctions", names: []string{"ExecutionAlreadyExistsException"}},
	"events": {names: []string{"FailedEntry"}},
	"sns":    {prefix: "SNS", names: []string{"NotFoundException", "InvalidParameterException"}},
	"sqs":    {prefix: "SQS", names: []string{"QueueDoesNotExistException"}},
}

// ErrorPrefix is the service's name in the Error Names of the call.
func (c *Call) ErrorPrefix() string {
	if prefix := ownErrors[c.ServiceName].prefix; prefix != "" && !c.SDK {
		return prefix
	}
	return c.Service.Prefix
}

// Raises reports whether the call may fail with an error of that name, without the service's prefix. Any operation of
// the service counts: one raises errors of another one's model.
func (c *Call) Raises(name string) bool {
	if c.Service == nil || name == "SdkClientException" || name == c.Service.Prefix+"Exception" {
		return true
	}
	if !c.SDK && (slices.Contains(ownErrors[c.ServiceName].names, name) || base(name)) {
		return true
	}
	return slices.ContainsFunc(c.Service.Errors(), func(e Error) bool {
		return e.Name == name || !c.SDK && (e.Model == name || e.Model+"Exception" == name)
	})
}

// base reports whether a name is a service's name for errors that no model names, as optimized integrations write
// it: "AWSLambdaException", "AmazonDynamoDBException".
func base(name string) bool {
	return (strings.HasPrefix(name, "AWS") || strings.HasPrefix(name, "Amazon")) && strings.HasSuffix(name, "Exception")
}

// NearestError returns the error that was probably meant by a name that the service does not raise, both without the
// service's prefix, or "". The word Exception at the end counts for nothing.
func (c *Call) NearestError(name string) string {
	const suffix = "Exception"
	stem := strings.TrimSuffix(name, suffix)
	own := make(map[string]string) // by stem
	var stems []string
	add := func(full string) bool {
		s := strings.TrimSuffix(full, suffix)
		own[s] = full
		stems = append(stems, s)
		return strings.EqualFold(s, stem)
	}
	if !c.SDK {
		for _, full := range ownErrors[c.ServiceName].names {
			if add(full) {
				return full
			}
		}
	}
	for _, e := range c.Service.Errors() {
		full := e.Name
		if !c.SDK {
			full = e.Model
		}
		if add(full) {
			return full
		}
	}
	if near := own[nearest(stem, slices.Values(stems))]; near != "" || stem != name {
		return near
	}
	var whole []string // the word at the end may be the misspelt one
	for _, s := range stems {
		whole = append(whole, own[s])
	}
	return nearest(name, slices.Values(whole))
}

// ErrorNames returns the Error Names with which the call may fail, with the service's prefix: those that its
// integration is known to raise, those that its operation names, and the one of all others. They are in that order,
// each once.
func (c *Call) ErrorNames() []string {
	if c.Service == nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if name = c.ErrorPrefix() + "." + name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if !c.SDK {
		for _, name := range ownErrors[c.ServiceName].names {
			add(name)
		}
	}
	if c.Operation != nil {
		for _, e := range c.Operation.Errors {
			add(c.errorName(e))
		}
	}
	if c.SDK {
		add(c.Service.Prefix + "Exception")
	}
	return names
}

// errorName returns the name of an error of the model as the call's integration writes it, without the prefix.
func (c *Call) errorName(e Error) string {
	switch {
	case c.SDK:
		return e.Name
	case strings.HasSuffix(e.Model, "Exception"):
		return e.Model
	}
	return e.Model + "Exception"
}

// ErrorName returns the Error Name of an error that the service answers with, by its name in the model: "NoSuchKey". Of
// one that the model does not name it is [Service.BaseError] in an SDK integration.
func (c *Call) ErrorName(code string) string {
	known := slices.ContainsFunc(c.Service.Errors(), func(e Error) bool { return e.Model == code })
	if c.SDK && !known {
		return c.Service.BaseError()
	}
	return c.ErrorPrefix() + "." + c.errorName(Error{Name: errorOf(code), Model: code})
}
