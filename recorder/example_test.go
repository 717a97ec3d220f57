package recorder_test

import (
	"fmt"
	"log"
	"os"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/recorder"
)

const order = `{"StartAt": "Keep", "States": {"Keep": {"Type": "Pass", "Result": 1, "ResultPath": "$.n", "End": true}}}`

// A Writer writes one event a line, as JSON.
func ExampleWriter() {
	definition, problems := asl.Parse(&asl.Source{Name: "order.asl.json", Data: []byte(order)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		log.Fatal(err)
	}
	execution := machine.Start(value.Must(`{"id": 7}`), engine.StartOptions{})
	w := recorder.NewWriter(os.Stdout)
	for !execution.Status().Done() {
		for _, event := range execution.Step() {
			if event.Type == engine.StateExited {
				if err := w.Write(&event); err != nil {
					log.Fatal(err)
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(execution.Status())
	// Output:
	// {"seq":5,"time":"2000-01-01T00:00:00Z","type":"StateExited","thread":0,"state":"Keep","visit":1,"entered":2,"stage":"output","inspection":"output","historyId":3,"before":{"id":7},"after":{"id":7,"n":1}}
	// SUCCEEDED
}
