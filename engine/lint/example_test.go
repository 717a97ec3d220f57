package lint_test

import (
	"fmt"
	"log"

	"asldb/engine/lint"
	"asldb/engine/source"
)

func ExampleAll() {
	src := &source.File{Name: "order.asl.json", Data: []byte(`{
  "StartAt": "Charge",
  "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true,
      "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Failed"}, {"ErrorEquals": ["Card.Declined"], "Next": "Failed"}]},
    "Failed": {"Type": "Fail"}
  }
}`)}
	root, problem := source.Read(src, nil)
	if problem != nil {
		log.Fatal(problem.Message)
	}
	for _, d := range lint.All(src, root, lint.Options{}) {
		fmt.Println(d.Span.Start.Line, d.Severity, d.Rule)
	}
	// Output:
	// 5 error states-all-misplaced
}
