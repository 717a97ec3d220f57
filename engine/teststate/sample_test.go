package teststate

import (
	"testing"

	"asldb/engine/value"
)

// A sample of any operation is a result that is taken.
func TestSampleIsTaken(t *testing.T) {
	for operation := range shapes().All() {
		shape, ok := shapeOf(operation).(*value.Object)
		if !ok {
			t.Fatal(operation)
		}
		if sample := sampleOfFields(shape); sample != nil {
			if err := fits(shape, sample, "", true); err != nil {
				t.Errorf("%s: %v of %s", operation, err, value.Compact(sample))
			}
		}
	}
	if got := value.Compact(Sample("arn:aws:states:::states:startExecution.sync:2")); got != `{"ExecutionArn":"","StateMachineArn":"","Status":"SUCCEEDED","StartDate":""}` {
		t.Error(got)
	}
	for _, resource := range []string{"arn:aws:lambda:eu-west-1:1:function:f", "arn:aws:states:::sqs:sendMessage", "arn:aws:states:::states:startExecution.waitForTaskToken"} {
		if got := Sample(resource); got != nil {
			t.Errorf("%s: %s", resource, value.Compact(got))
		}
	}
	if Shape("arn:aws:states:::sqs:sendMessage") == nil || Shape("arn:aws:states:::aws-sdk:none:none") != nil {
		t.Error("Shape knows other operations than the table has")
	}
}
