package history_test

import (
	"fmt"
	"log"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/recorder/history"
)

const order = `{"StartAt": "Keep", "States": {"Keep": {"Type": "Pass", "Result": 1, "ResultPath": "$.n", "End": true}}}`

// A run as GetExecutionHistory shows it.
func ExampleOf() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(order)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	execution := machine.Start(value.Must(`{"id": 7}`), engine.StartOptions{})
	var events runlog.Log
	for !execution.Status().Done() {
		events.Append(execution.Step())
	}
	for _, event := range history.Of(events.All()) {
		fmt.Println(event.ID, event.Previous, event.Type)
	}
	// Output:
	// 1 0 ExecutionStarted
	// 2 0 PassStateEntered
	// 3 2 PassStateExited
	// 4 3 ExecutionSucceeded
}

// A history as the AWS command line prints it.
func ExampleRead() {
	executions, err := history.Read(history.File{Name: "history.json", Data: []byte(`{"events": [
	  {"timestamp": "2026-01-02T03:04:05Z", "type": "ExecutionStarted", "id": 1, "previousEventId": 0, "executionStartedEventDetails": {"input": "{\"id\": 7}"}},
	  {"timestamp": "2026-01-02T03:04:06Z", "type": "ExecutionFailed", "id": 2, "previousEventId": 1, "executionFailedEventDetails": {"error": "Order.Lost"}}]}`)})
	if err != nil {
		log.Fatal(err)
	}
	input, _ := executions[0].Started().Payload("input")
	fmt.Println(value.Compact(input), executions[0].End().Text("error"))
	// Output:
	// {"id":7} Order.Lost
}
