package debug_test

import (
	"fmt"
	"log"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
)

const exampleOrder = `{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "ResultPath": "$.receipt", "Next": "Pause"},
    "Pause": {"Type": "Wait", "Seconds": 90, "End": true}
  }
}`

// A session goes forwards and back; going back calls no task again.
func ExampleSession_Do() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(exampleOrder)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	file, err := fixtures.Load("fixtures.yaml", []byte("version: 1\ntasks: {Charge: [{output: {no: 1}}]}\n"))
	if err != nil {
		log.Fatal(err)
	}
	outcomes, err := file.Source(definition)
	if err != nil {
		log.Fatal(err)
	}
	session := debug.New(machine, debug.Options{Input: value.Must(`{"id": 7}`), Source: outcomes})
	for _, command := range []debug.CommandKind{debug.StepState, debug.StepState, debug.Continue} {
		if _, err := session.Do(debug.Command{Kind: command}); err != nil {
			log.Fatal(err)
		}
		last := session.Log().At(session.Position() - 1)
		fmt.Println(session.Position(), last.Type, session.Status())
	}
	fmt.Println(value.Compact(session.Output()))
	// Output:
	// 2 StateEntered RUNNING
	// 7 StateEntered RUNNING
	// 11 ExecutionSucceeded SUCCEEDED
	// {"id":7,"receipt":{"no":1}}
}
