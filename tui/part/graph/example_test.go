package graph_test

import (
	"fmt"
	"log"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

const orders = `{"StartAt": "Check", "States": {
  "Check": {"Type": "Choice", "Choices": [{"Variable": "$.paid", "BooleanEquals": true, "Next": "Ship"}], "Default": "Refuse"},
  "Ship": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:ship", "End": true},
  "Refuse": {"Type": "Fail", "Error": "NotPaid"}}}`

func parsed() *asl.StateMachine {
	definition, problems := asl.Parse(&source.File{Name: "orders.asl.json", Data: []byte(orders)})
	if definition == nil {
		log.Fatal(problems[0].Message)
	}
	return definition
}

// A definition is laid out once, for the space that there is.
func ExampleSheet_Fit() {
	definition := parsed()
	sheet := graph.NewSheet(graph.Build(definition))
	drawing := sheet.Fit(60, 20)
	fmt.Println(drawing.Text(canvas.ASCII(), &graph.Overlay{}))
	// Output:
	// +-----------+
	//            |  Check ?  |
	//            +--+-----+--+
	// $.paid = true |     | default
	//           +---+     |
	//      +----V---+  +--V---------+
	//      |  Ship  |  |  Refuse ;  |
	//      +--------+  +------------+
}

// The same graph for a page in Markdown.
func ExampleModel_Mermaid() {
	definition := parsed()
	fmt.Print(graph.Build(definition).Mermaid(nil))
	// Output:
	// flowchart TD
	//   s0{"Check"}
	//   s1(["Ship"])
	//   s2(["Refuse"])
	//   s0 -->|"#36;.paid = true"| s1
	//   s0 -->|"default"| s2
}
