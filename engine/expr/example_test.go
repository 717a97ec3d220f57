package expr_test

import (
	"fmt"
	"log"

	"asldb/engine/expr"
	"asldb/engine/value"
)

// A condition as breakpoints and watches have them.
func ExampleExpression_Truth() {
	x, err := expr.Compile(`$.total > 100 && $.lines[?(@.sku == "tea")] && attempt == 2`)
	if err != nil {
		log.Fatal(err)
	}
	holds, err := x.Truth(&expr.Env{
		Data:   value.Must(`{"total": 120.50, "lines": [{"sku": "tea"}, {"sku": "cup"}]}`),
		Fields: map[string]value.Value{"attempt": value.Int(2)},
	})
	fmt.Println(holds, err)
	// Output: true <nil>
}
