package template_test

import (
	"fmt"
	"log"

	"asldb/engine/path"
	"asldb/engine/template"
	"asldb/engine/value"
)

func ExampleCall_Eval() {
	call, err := template.Parse(`States.Format('{} of {}', $.done, States.ArrayLength($.items))`)
	if err != nil {
		log.Fatal(err)
	}
	v, err := call.Eval(&path.Roots{Data: value.Must(`{"done": 1, "items": ["a", "b", "c"]}`)}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(v))
	// Output: "1 of 3"
}
