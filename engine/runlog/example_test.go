package runlog_test

import (
	"fmt"
	"log"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

const order = `{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "ResultPath": "$.receipt", "Next": "Pause"},
    "Pause": {"Type": "Wait", "Seconds": 90, "End": true}
  }
}`

// The log of a run finds the events that carry data, whatever is between.
func ExampleLog() {
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
	for execution.Status() == engine.Runnable {
		events.Append(execution.Step())
	}
	for event := range events.All() {
		if event.Type == engine.StateEntered || event.Type == engine.TaskScheduled {
			fmt.Println(event.Type, event.Visit.Path(), value.Compact(event.After))
		}
	}
	fmt.Println(events.Last().Type)
	// Output:
	// StateEntered Charge {"id":7}
	// TaskScheduled Charge {"id":7}
	// TaskScheduled
}
