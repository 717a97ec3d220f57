package services

import (
	"slices"
	"testing"
)

// TestCallOf reads Resources of each kind.
func TestCallOf(t *testing.T) {
	for _, test := range []struct {
		resource, service, action, pattern string
		sdk, known                         bool
	}{
		{"arn:aws:states:::aws-sdk:dynamodb:getItem", "dynamodb", "getItem", "", true, true},
		{"arn:aws:states:::aws-sdk:sfn:startSyncExecution", "sfn", "startSyncExecution", "", true, true},
		{"arn:aws:states:::sqs:sendMessage.waitForTaskToken", "sqs", "sendMessage", ".waitForTaskToken", false, true},
		{"arn:aws-us-gov:states:::states:startExecution.sync:2", "states", "startExecution", ".sync:2", false, true},
		{"arn:aws:states:::bedrock:invokeModel", "bedrock", "invokeModel", "", false, true},
		{"arn:aws:states:::http:invoke", "http", "invoke", "", false, false},
		{"arn:aws:states:::aws-sdk:nosuch:thing", "nosuch", "thing", "", true, false},
	} {
		c, ok := CallOf(test.resource)
		if !ok || c.ServiceName != test.service || c.Action != test.action || c.Pattern != test.pattern ||
			c.SDK != test.sdk || (c.Operation != nil) != test.known {
			t.Errorf("%s: %v, %+v", test.resource, ok, c)
		}
	}
	for _, resource := range []string{"arn:aws:lambda:us-east-1:123456789012:function:f", "arn:aws:states:::sqs",
		"states:::sqs:sendMessage", ""} {
		if c, ok := CallOf(resource); ok {
			t.Errorf("%q is a call: %+v", resource, c)
		}
	}
}

// TestMembersAndErrors has the names of parameters and errors as SDK integrations and optimized ones spell them.
func TestMembersAndErrors(t *testing.T) {
	sdk, _ := CallOf("arn:aws:states:::aws-sdk:dynamodb:putItem")
	own, _ := CallOf("arn:aws:states:::dynamodb:putItem")
	if m, ok := sdk.Member(sdk.Operation.Input, "TableName"); !ok || sdk.Name(m) != "TableName" {
		t.Error("putItem has no TableName")
	}
	if _, ok := sdk.Member(sdk.Operation.Input, "Tablename"); ok {
		t.Error("putItem has Tablename")
	}
	for name, want := range map[string]string{"tablename": "TableName", "TableNam": "TableName", "Zzz": ""} {
		if got := sdk.NearestMember(sdk.Operation.Input, name); got != want {
			t.Errorf("the member nearest to %s is %q, want %q", name, got, want)
		}
	}
	for _, test := range []struct {
		call  *Call
		error string
		want  bool
	}{
		{&sdk, "ConditionalCheckFailedException", true}, {&sdk, "SdkClientException", true},
		{&sdk, "DynamoDbException", true},
		{&sdk, "ConditionalCheckFailed", false}, {&own, "ConditionalCheckFailedException", true},
		{&own, "Nothing", false}, {&Call{}, "Any", true},
	} {
		if got := test.call.Raises(test.error); got != test.want {
			t.Errorf("%s (SDK %v): %v", test.error, test.call.SDK, got)
		}
	}
	for name, want := range map[string]string{"ConditionalCheckFailed": "ConditionalCheckFailedException",
		"ConditionalChekFailedException": "ConditionalCheckFailedException", "Zzz": ""} {
		if got := sdk.NearestError(name); got != want {
			t.Errorf("the error nearest to %s is %q, want %q", name, got, want)
		}
	}
	states, _ := CallOf("arn:aws:states:::states:startExecution")
	lambda, _ := CallOf("arn:aws:states:::aws-sdk:lambda:invoke")
	for call, want := range map[*Call]string{&sdk: "DynamoDb", &own: "DynamoDB", &states: "StepFunctions",
		&lambda: "Lambda"} {
		if got := call.ErrorPrefix(); got != want {
			t.Errorf("the errors of %s:%s begin with %s, want %s", call.ServiceName, call.Action, got, want)
		}
	}
}

// The Error Names of a call come from its integration and its operation, with the prefix of the service.
func TestErrorNames(t *testing.T) {
	for resource, want := range map[string][]string{
		"arn:aws:states:::lambda:invoke": {"Lambda.TooManyRequestsException", "Lambda.ServiceException",
			"Lambda.Unknown", "Lambda.ResourceNotFoundException"},
		"arn:aws:states:::dynamodb:putItem": {"DynamoDB.ConditionalCheckFailedException",
			"DynamoDB.ThrottlingException"},
		"arn:aws:states:::aws-sdk:s3:getObject":         {"S3.NoSuchKeyException", "S3.S3Exception"},
		"arn:aws:states:::states:startExecution.sync:2": {"StepFunctions.ExecutionAlreadyExistsException"},
		"arn:aws:states:::sns:publish.waitForTaskToken": {"SNS.NotFoundException"},
	} {
		call, ok := CallOf(resource)
		if !ok {
			t.Fatal(resource)
		}
		names := call.ErrorNames()
		for i, name := range names {
			if slices.Contains(names[:i], name) {
				t.Errorf("%s: %s comes twice", resource, name)
			}
		}
		for _, name := range want {
			if !slices.Contains(names, name) {
				t.Errorf("%s lacks %s: %v", resource, name, names)
			}
		}
	}
	if call, _ := CallOf("arn:aws:states:::nothing:atAll"); call.ErrorNames() != nil {
		t.Error("a service that is not known has errors")
	}
}
