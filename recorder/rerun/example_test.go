package rerun_test

import (
	"fmt"
	"log"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/recorder/history"
	"asldb/recorder/rerun"
)

const order = `{"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "ResultPath": "$.receipt", "End": true}}}`

const recorded = `{"events": [
  {"timestamp": 1767323045.0, "type": "ExecutionStarted", "id": 1, "previousEventId": 0, "executionStartedEventDetails": {"input": "{\"id\": 7}"}},
  {"timestamp": 1767323045.1, "type": "TaskStateEntered", "id": 2, "previousEventId": 0, "stateEnteredEventDetails": {"name": "Charge", "input": "{\"id\": 7}"}},
  {"timestamp": 1767323045.1, "type": "LambdaFunctionScheduled", "id": 3, "previousEventId": 2, "lambdaFunctionScheduledEventDetails": {"resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "input": "{\"id\": 7}"}},
  {"timestamp": 1767323045.2, "type": "LambdaFunctionStarted", "id": 4, "previousEventId": 3},
  {"timestamp": 1767323047.2, "type": "LambdaFunctionSucceeded", "id": 5, "previousEventId": 4, "lambdaFunctionSucceededEventDetails": {"output": "1"}},
  {"timestamp": 1767323047.2, "type": "TaskStateExited", "id": 6, "previousEventId": 5, "stateExitedEventDetails": {"name": "Charge", "output": "{\"id\":7,\"receipt\":1}"}},
  {"timestamp": 1767323047.2, "type": "ExecutionSucceeded", "id": 7, "previousEventId": 6, "executionSucceededEventDetails": {"output": "{\"id\":7,\"receipt\":1}"}}]}`

// A recorded execution runs again with its definition, and is compared event by event.
func ExampleRecording_Check() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(order)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	executions, err := history.Read(history.File{Name: "history.json", Data: []byte(recorded)})
	if err != nil {
		log.Fatal(err)
	}
	recording := rerun.Of(executions[0])
	options, outcomes := recording.Options()
	session := debug.New(machine, options)
	outcomes.Follow(session.Now)
	check, err := recording.Check(session, outcomes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(check)
	// Output:
	// all 7 recorded events agree
}
