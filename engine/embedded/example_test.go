package embedded_test

import (
	"fmt"
	"log"

	"asldb/engine/embedded"
	"asldb/engine/source"
)

// The definition inside of a SAM template, with the functions of the template resolved.
func ExampleTemplate_Definition() {
	file := &source.File{Name: "template.yaml", Data: []byte(`
Parameters:
  Seconds: {Type: Number, Default: 5}
Resources:
  Orders:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Pause
        States:
          Pause: {Type: Wait, Seconds: !Ref Seconds, End: true}
`)}
	root, problem := source.Read(file, embedded.Tags)
	if problem != nil {
		log.Fatal(problem.Message)
	}
	template := embedded.OfCloudFormation(file, root)
	fmt.Println(template.StateMachines())
	found, _, err := template.Definition(embedded.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pause := found.Root.Get("States").Get("Pause")
	fmt.Println(found.Name, pause.Get("Seconds").Value, "line", pause.Span.Start.Line)
	// Output:
	// [Orders]
	// Orders 5 line 11
}
