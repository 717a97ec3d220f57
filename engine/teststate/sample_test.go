package teststate

import (
	"strings"
	"testing"

	"asldb/engine/services"
	"asldb/engine/value"
)

// TestSampleIsTaken: a sample is a result that is taken, whatever the operation.
func TestSampleIsTaken(t *testing.T) {
	checked := 0
	for _, name := range []string{"athena", "dynamodb", "ecs", "eventbridge", "glue", "kms", "lambda", "s3",
		"sagemaker", "sfn", "sqs"} {
		service, found := services.Find(name)
		if !found {
			continue
		}
		for action := range service.Actions() {
			resource := "arn:aws:states:::aws-sdk:" + name + ":" + action
			sample := Sample(resource)
			if sample == nil {
				continue
			}
			checked++
			if err := checkShape(resource, sample, Strict); err != nil {
				t.Errorf("%s: %v of %s", resource, err, value.Compact(sample))
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d samples", checked)
	}
	for resource, want := range map[string]string{
		"arn:aws:states:::states:startExecution.sync:2": `{"ExecutionArn":"ExecutionArn","Input":{},"Name":"Name","Output":{},"StartDate":"2026-01-01T00:00:00Z","StateMachineArn":"StateMachineArn","Status":"SUCCEEDED","StopDate":"2026-01-01T00:00:00Z"}`,
		"arn:aws:states:::bedrock:invokeModel":          `{"Body":{},"ContentType":"application/json"}`,
	} {
		if got := Sample(resource); got == nil || value.Compact(got) != want {
			t.Errorf("%s: %v, want %s", resource, got, want)
		}
	}
	for _, resource := range []string{"arn:aws:lambda:eu-west-1:1:function:f", "arn:aws:states:::dynamodb:putItem",
		"arn:aws:states:::states:startExecution.waitForTaskToken"} {
		if got := Sample(resource); got != nil {
			t.Errorf("%s: %s", resource, value.Compact(got))
		}
	}
}

func TestShape(t *testing.T) {
	if got := value.Compact(Shape("arn:aws:states:::states:startExecution")); !strings.HasPrefix(got,
		`{"ExecutionArn!":"string","StartDate!":"string","SdkHttpMetadata":{`) {
		t.Error(got)
	}
	if got := Shape("arn:aws:states:::batch:submitJob.sync").(*value.Object).Get("JobArn"); got != value.Value(
		value.String("string")) {
		t.Error("the description of a job has no JobArn")
	}
	item, _ := Shape("arn:aws:states:::dynamodb:getItem").(*value.Object).Get("Item").(*value.Object)
	attribute, _ := item.Get("*").(*value.Object)
	if got := value.Compact(attribute); got != `{"S":"string","N":"string","B":"string","SS":["string"],"NS":["string"],"BS":["string"],"M":{"*":"object"},"L":["object"],"NULL":"boolean","BOOL":"boolean"}` &&
		!value.Equal(attribute, value.Must(`{"S":"string","N":"string","B":"string","SS":["string"],"NS":["string"],"BS":["string"],"M":{"*":"object"},"L":["object"],"NULL":"boolean","BOOL":"boolean"}`)) {
		t.Error(got)
	}
	if got := Shape("arn:aws:states:::lambda:invoke").(*value.Object).Get("Payload"); got != value.Value(
		value.String("any")) {
		t.Error(value.Compact(got))
	}
	for _, resource := range []string{"arn:aws:states:::aws-sdk:none:none",
		"arn:aws:states:::batch:submitJob.waitForTaskToken"} {
		if Shape(resource) != nil {
			t.Errorf("%s has a shape", resource)
		}
	}
}
