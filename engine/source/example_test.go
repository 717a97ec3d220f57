package source_test

import (
	"fmt"

	"asldb/engine/source"
)

// A tree of nodes knows where each of them is.
func ExampleRead() {
	file := &source.File{Name: "order.yaml", Data: []byte("id: 7\nlines:\n  - {sku: tea}\n")}
	root, _ := source.Read(file, nil)
	sku := root.Get("lines").Items[0].Get("sku")
	fmt.Println(sku.Value, sku.Span.Start.Line, sku.Span.Start.Col)
	// Output: tea 3 11
}

// A problem is shown with the line that it is in.
func ExampleDiagnostic_Format() {
	file := &source.File{Name: "order.json", Data: []byte(`{"id": 7,}`)}
	_, problem := source.Read(file, nil)
	fmt.Println(problem.Format())
	// Output:
	// order.json:1:9: error: the text is not JSON: a comma before } [malformed-json]
	//  1 | {"id": 7,}
	//    |         ^
	//    = remove the comma
}
