package value_test

import (
	"errors"
	"fmt"
	"log"

	"asldb/engine/value"
)

// Members stay in the order of the text, and numbers as they were written.
func ExampleParse() {
	v, err := value.Parse([]byte(`{"total": 1.0, "id": 12345678901234567890, "a": [true, null]}`), value.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(v))
	order := v.(*value.Object)
	fmt.Println(order.Get("id").(value.Number).Text(), order.Get("lost") == nil)
	for key, member := range order.All() {
		fmt.Println(key, value.KindOf(member))
	}
	// Output:
	// {"total":1.0,"id":12345678901234567890,"a":[true,null]}
	// 12345678901234567890 true
	// total number
	// id number
	// a array
}

// A syntax error has its place.
func ExampleParse_error() {
	_, err := value.Parse([]byte("{\n  \"a\": 1,\n}"), value.Limits{})
	var syntax *value.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax.Line, syntax.Col, err)
	}
	// Output:
	// 2 9 line 2, column 9: a comma before }
}

// A write gives a new value, which shares the untouched parts with the old one.
func ExampleObject_With() {
	before := value.Must(`{"order": {"id": 7}, "paid": false}`).(*value.Object)
	after := before.With("paid", value.Bool(true)).With("by", value.String("card"))
	fmt.Println(value.Compact(before))
	fmt.Println(value.Compact(after))
	fmt.Println(value.Identical(before.Get("order"), after.Get("order")))
	// Output:
	// {"order":{"id":7},"paid":false}
	// {"order":{"id":7},"paid":true,"by":"card"}
	// true
}

// Equality is JSON's: the order of members and the notation of numbers do not count.
func ExampleEqual() {
	a, b := value.Must(`{"n": 1.0, "m": [1e2]}`), value.Must(`{"m": [100], "n": 1}`)
	fmt.Println(value.Equal(a, b), value.Hash(a) == value.Hash(b), value.Identical(a, b))
	// Output: true true false
}

// An ObjectBuilder makes an object member by member.
func ExampleObjectBuilder() {
	var b value.ObjectBuilder
	b.Set("id", value.Int(7))
	b.Set("prices", value.ArrayOf(value.Float(1.5), value.Int(2)))
	fmt.Println(value.Pretty(b.Object()))
	// Output:
	// {
	//   "id": 7,
	//   "prices": [
	//     1.5,
	//     2
	//   ]
	// }
}
