package path_test

import (
	"errors"
	"fmt"
	"log"

	"asldb/engine/path"
	"asldb/engine/value"
)

func ExamplePath_Get() {
	roots := &path.Roots{Data: value.Must(`{"order": {"lines": [{"price": 2}, {"price": 3}], "city": "Oslo"}}`)}
	for _, text := range []string{"$.order.lines[*].price", "$.order.lines[?(@.price > 2)]", "$.order.cty"} {
		p, err := path.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		v, err := p.Get(roots)
		var miss *path.MissError
		if errors.As(err, &miss) {
			fmt.Println(miss.Found, "has no", miss.Missing+", but", miss.Suggestion)
			continue
		}
		fmt.Println(value.Compact(v))
	}
	// Output:
	// [2,3]
	// [{"price":3}]
	// $.order has no cty, but city
}

// A write through a Reference Path, as ResultPath does it: the old value stays as it is.
func ExamplePath_Set() {
	p, err := path.ParseReference("$.order.receipt")
	if err != nil {
		log.Fatal(err)
	}
	before := value.Must(`{"order": {"id": 7}}`)
	after, err := p.Set(before, value.Must(`{"no": 1}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(before), value.Compact(after))
	// Output: {"order":{"id":7}} {"order":{"id":7,"receipt":{"no":1}}}
}
