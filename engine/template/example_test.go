package template_test

import (
	"fmt"
	"log"

	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

// A payload template: a field whose name ends with ".$" has a Path or an intrinsic function.
func ExampleTemplate_Eval() {
	t, err := template.Compile(value.Must(`{"order.$": "$.id", "label.$": "States.Format('no. {}', $.id)", "retry": false}`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := t.Eval(&path.Roots{Data: value.Must(`{"id": 17}`)}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(v))
	// Output: {"order":17,"label":"no. 17","retry":false}
}

// A field of a JSONata state: strings between {% and %} are expressions.
func ExampleQuery_Eval() {
	q, err := template.CompileQuery(value.Must(`{"total": "{% $sum($states.input.prices) %}", "currency": "EUR"}`),
		"Output")
	if err != nil {
		log.Fatal(err)
	}
	v, err := q.Eval(&template.QueryRoots{States: value.Must(`{"input": {"prices": [1.5, 2.5]}}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(v))
	// Output: {"total":4,"currency":"EUR"}
}
