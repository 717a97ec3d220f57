package value_test

import (
	"fmt"

	"asldb/engine/value"
)

func ExampleCount() {
	before := value.Must(`{"id": 7, "paid": false, "note": "x"}`)
	after := value.Must(`{"id": 7, "paid": true, "receipt": {"no": 1}}`)
	fmt.Printf("%+v\n", value.Count(before, after))
	names, more := value.Lost(before, after, 3)
	fmt.Println(names, more)
	// Output:
	// {Added:1 Removed:1 Changed:1}
	// [note] 0
}
