package teststate

import (
	"slices"
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// Every shape is one that fits understands, and every operation is named as operationOf names it.
func TestShapesAreShapes(t *testing.T) {
	shapes, ok := value.Must(string(shapesText)).(*value.Object)
	if !ok || shapes.Len() == 0 {
		t.Fatal("the file must hold an object of operations")
	}
	for operation, shape := range shapes.All() {
		service, action, found := strings.Cut(operation, ":")
		if !found || operationOf("arn:aws:states:::aws-sdk:"+service+":"+action) != operation {
			t.Errorf("%s is no service and action", operation)
		}
		if _, isObject := shape.(*value.Object); !isObject {
			t.Errorf("%s: the answer of an operation is an object", operation)
		}
		wantShape(t, operation, shape)
	}
}

func wantShape(t *testing.T, where string, shape value.Value) {
	t.Helper()
	switch shape := shape.(type) {
	case *value.Object:
		for field, of := range shape.All() {
			wantShape(t, where+"/"+field, of)
		}
	case *value.Array:
		if shape.Len() != 1 {
			t.Fatalf("%s: an array has the one shape of its items", where)
		}
		wantShape(t, where+"[]", shape.At(0))
	case value.String:
		kind, _, _ := strings.Cut(string(shape), "|")
		if !slices.Contains([]string{"any", "object", "string", "number", "boolean"}, kind) {
			t.Errorf("%s: unknown kind %q", where, kind)
		}
	default:
		t.Errorf("%s: %s is no shape", where, value.Compact(shape))
	}
}

// Which operation's answer a task's result is.
func TestOperationOf(t *testing.T) {
	for resource, want := range map[string]string{
		"arn:aws:states:::events:putEvents":                 "eventbridge:putEvents",
		"arn:aws:states:::aws-sdk:s3:getObject":             "s3:getObject",
		"arn:aws:states:::states:startExecution":            "sfn:startExecution",
		"arn:aws:states:::states:startExecution.sync:2":     "sfn:describeExecution",
		"arn:aws:states:::batch:submitJob.sync":             "", // how its job is described is not known here
		"arn:aws:states:::sqs:sendMessage.waitForTaskToken": "", // the holder of the token gives the result
		"arn:aws:lambda:us-east-1:123456789012:function:f":  "",
		"arn:aws:states:us-east-1:123456789012:activity:a":  "",
		"arn:aws:states:::http:invoke":                      "",
		"anything":                                          "",
	} {
		if got := operationOf(resource); got != want {
			t.Errorf("%s: %q, want %q", resource, got, want)
		}
	}
}

// No text makes a request panic.
func FuzzDefinition(f *testing.F) {
	f.Add(`{"Type":"Pass","End":true}`, `{}`)
	f.Add(`{"Type":"Map","ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Pass","End":true}}},"End":true}`, `[1]`)
	f.Add(`{"Type":"Task","Resource":"x:y","Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"Next":"N"}`, `{}`)
	f.Add(`[]`, `1`)
	f.Add(`{"Next":{"Next":1},"Choices":[1,{"Next":"StateName"}]}`, `null`)
	f.Fuzz(func(_ *testing.T, definition, text string) {
		for _, mock := range []*Mock{nil, {Result: &text}, {Error: &ErrorOutput{Error: "E"}}} {
			request := requestOf(definition)
			request.Mock, request.Level = mock, Debug
			if response, err := Run(request); err == nil {
				response.Object(false)
			}
		}
	})
}

func requestOf(definition string) *Request {
	return &Request{Definition: &source.File{Name: "fuzz", Data: []byte(definition)}, RoleARN: "r"}
}
