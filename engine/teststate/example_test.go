package teststate_test

import (
	"fmt"
	"log"

	"asldb/engine/source"
	"asldb/engine/teststate"
	"asldb/engine/value"
)

// One state alone, with a mocked result.
func ExampleRun() {
	result := `{"no": 1}`
	response, err := teststate.Run(&teststate.Request{
		Definition: &source.File{Name: "state.json", Data: []byte(`{"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
		  "Parameters": {"FunctionName": "charge", "Payload.$": "$.order"}, "ResultPath": "$.receipt", "Next": "Ship"}`)},
		Input: value.Must(`{"order": {"id": 7}}`),
		Level: teststate.Debug,
		Mock:  &teststate.Mock{Result: &result, Validation: teststate.None},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, response.NextState, value.Compact(response.Output))
	fmt.Println(value.Compact(response.Inspection.Get("afterParameters")))
	// Output:
	// SUCCEEDED Ship {"order":{"id":7},"receipt":{"no":1}}
	// {"FunctionName":"charge","Payload":{"id":7}}
}
