package engine_test

import (
	"fmt"
	"log"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

const order = `{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "ResultPath": "$.receipt", "Next": "Pause"},
    "Pause": {"Type": "Wait", "Seconds": 90, "End": true}
  }
}`

// An execution does no I/O: it makes requests, and its driver answers them.
func Example() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(order)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	execution := machine.Start(value.Must(`{"id": 7}`), engine.StartOptions{})
	for !execution.Status().Done() {
		switch execution.Status() {
		case engine.AwaitingAnswer:
			request := execution.Requests()[0]
			fmt.Println("asked:", request.Visit.Path(), value.Compact(request.Parameters))
			err = execution.Answer(request.ID, engine.Outcome{Output: value.Must(`{"no": 1}`)})
		case engine.AwaitingTime:
			at, _ := execution.NextTimer()
			fmt.Println("waits until", at.Format("15:04:05"))
			err = execution.AdvanceTo(at)
		default:
			for _, event := range execution.Step() {
				if event.Type == engine.StateExited {
					fmt.Println("left:", event.Visit.Path(), value.Compact(event.After))
				}
			}
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(execution.Status(), value.Compact(execution.Output()))
	// Output:
	// asked: Charge {"id":7}
	// left: Charge {"id":7,"receipt":{"no":1}}
	// waits until 00:01:30
	// left: Pause {"id":7,"receipt":{"no":1}}
	// SUCCEEDED {"id":7,"receipt":{"no":1}}
}
