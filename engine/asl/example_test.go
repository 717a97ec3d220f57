package asl_test

import (
	"fmt"
	"log"

	"asldb/engine/asl"
)

// Every problem of a definition has its place.
func ExampleParse() {
	src := &asl.Source{Name: "order.asl.json", Data: []byte(`{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Pass", "Next": "Chek"},
    "Check": {"Type": "Succeed"}
  }
}`)}
	_, problems := asl.Parse(src)
	for _, problem := range problems {
		fmt.Println(problem.Span.Start.Line, problem.Rule, problem.Suggestion)
	}
	// Output:
	// 4 transition-target-not-found did you mean "Check"?
}

func ExampleStateMachine_All() {
	machine, problems := asl.Parse(&asl.Source{Name: "each.asl.yaml", Data: []byte(`
StartAt: Each
States:
  Each:
    Type: Map
    End: true
    ItemProcessor:
      StartAt: Price
      States:
        Price: {Type: Pass, End: true}
`)})
	if machine == nil {
		log.Fatal(problems[0].Message)
	}
	for state := range machine.All() {
		fmt.Println(state.Type, state.Name)
	}
	// Output:
	// Map Each
	// Pass Price
}
