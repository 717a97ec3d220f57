package teststate

import (
	"strings"
	"testing"

	"asldb/engine/source"
	"asldb/engine/value"
)

// TestShapeErrors: results that services would not give, in the words that the service was recorded with, and some that
// they would. The first of the fields that is wrong is named.
func TestShapeErrors(t *testing.T) {
	const sdk = "arn:aws:states:::aws-sdk:"
	for _, c := range []struct{ resource, result, strict, present string }{
		{sdk + "kms:encrypt", `{"CiphertextBlob":""}`, "Field 'CiphertextBlob' is smaller than the minimum length",
			"Field 'CiphertextBlob' is smaller than the minimum length"},
		{sdk + "kms:encrypt", `{"CiphertextBlob":true}`, "Field 'CiphertextBlob' must be a string",
			"Field 'CiphertextBlob' must be a string"},
		{sdk + "lambda:getFunction", `{"Configuration":{"MemorySize":1}}`,
			"Field 'MemorySize' is less than the minimum value", "Field 'MemorySize' is less than the minimum value"},
		{sdk + "lambda:getFunction", `{"Configuration":{"MemorySize":99999}}`,
			"Field 'MemorySize' exceeds the maximum value", "Field 'MemorySize' exceeds the maximum value"},
		{sdk + "lambda:getFunction", `{"Configuration":{"MemorySize":128}}`, "", ""},
		{"arn:aws:states:::dynamodb:getItem", `{"ConsumedCapacity":{"CapacityUnits":"1"}}`,
			"Field 'CapacityUnits' must be a number", "Field 'CapacityUnits' must be a number"},
		{"arn:aws:states:::dynamodb:getItem", `{"Item":{"id":{"S":"1"},"n":{"N":1}}}`, "Field 'N' must be a string",
			"Field 'N' must be a string"},
		{"arn:aws:states:::dynamodb:getItem", `{"Item":{"b":{"BOOL":true},"l":{"L":[{"S":"x"}]}}}`, "", ""},
		{"arn:aws:states:::states:startExecution", `{"executionArn":"a","StartDate":"2026-01-01T00:00:00Z"}`,
			"Required field 'ExecutionArn' is missing", ""},
		{"arn:aws:states:::states:startExecution", `{"ExecutionArn":"a","StartDate":1}`,
			"Field 'StartDate' must be a string", "Field 'StartDate' must be a string"},
		{"arn:aws:states:::states:startExecution.sync:2",
			`{"ExecutionArn":"a","StateMachineArn":"m","Status":"SUCCEEDED","StartDate":"2026-01-01T00:00:00Z","Output":{"a":1}}`, "", ""},
		{"arn:aws:states:::states:startExecution.sync", `{"Status":"DONE"}`, "Required field 'ExecutionArn' is missing",
			"Field 'Status' is not an expected value"},
		{"arn:aws:states:::events:putEvents", `{"Entries":[{"EventId":"1"},{"EventId":2}]}`,
			"Field 'EventId' must be a string", "Field 'EventId' must be a string"},
		{"arn:aws:states:::events:putEvents", `{"Entries":{}}`, "Field 'Entries' must be an array",
			"Field 'Entries' must be an array"},
		{sdk + "s3:getObject", `{"StorageClass":"WARM"}`, "Field 'StorageClass' is not an expected value",
			"Field 'StorageClass' is not an expected value"},
		{sdk + "s3:getObject", `{"StorageClass":"FSX_ONTAP","Metadata":{"a":"b"},"Unknown":1}`, "", ""},
		{sdk + "s3:getObject", `{"Metadata":["a"]}`, "Field 'Metadata' must be an object",
			"Field 'Metadata' must be an object"},
		{sdk + "s3:getObject", `{"BucketKeyEnabled":"true"}`, "Field 'BucketKeyEnabled' must be a boolean",
			"Field 'BucketKeyEnabled' must be a boolean"},
		{"arn:aws:states:::lambda:invoke", `{"Payload":[1],"StatusCode":200}`, "", ""},
		{sdk + "lambda:invoke", `{"Payload":[1]}`, "Field 'Payload' must be a string",
			"Field 'Payload' must be a string"},
		{sdk + "ssm:getParameter", `{"Parameter":{"Name":""}}`, "Field 'Name' is smaller than the minimum length",
			"Field 'Name' is smaller than the minimum length"},
		{sdk + "ssm:getParameter", `{"Parameter":{"Name":"` + strings.Repeat("n", 2049) + `"}}`,
			"Field 'Name' exceeds the maximum length", "Field 'Name' exceeds the maximum length"},
		{sdk + "s3:deleteBucket", `[]`, "", ""},
	} {
		for mode, want := range map[Validation]string{Strict: c.strict, Present: c.present, None: ""} {
			got := ""
			if err := checkShape(c.resource, value.Must(c.result), mode); err != nil {
				got = strings.TrimPrefix(err.Error(), "ValidationException: ")
			}
			if want != "" {
				want = "Mock result schema validation error: " + want
			}
			if !strings.HasSuffix(got, want) || want == "" && got != "" {
				t.Errorf("%s %s, mode %d: %q, want %q", c.resource, c.result, mode, got, want)
			}
		}
	}
	if err := CheckResult("arn:aws:states:::states:startExecution",
		value.Must(`{"ExecutionArn":"a","StartDate":1}`)); err != nil {
		t.Errorf("executions have times as numbers: %v", err)
	}
	if err := CheckResult("arn:aws:states:::sqs:sendMessage", value.Must(`[]`)); err == nil {
		t.Error("a result is an object")
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
