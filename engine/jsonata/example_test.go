package jsonata_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"time"

	"asldb/engine/jsonata"
	"asldb/engine/value"
)

func ExampleExpression_Eval() {
	x, err := jsonata.Compile(`{"total": $sum(lines.(price * quantity)), "first": lines[0].name}`, jsonata.Options{})
	if err != nil {
		log.Fatal(err)
	}
	input := value.Must(`{"lines": [{"name": "tea", "price": 2.5, "quantity": 2}, {"name": "cup", "price": 7, "quantity": 1}]}`)
	result, err := x.Eval(input, nil, jsonata.Env{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(result))
	// Output: {"total":12,"first":"tea"}
}

// Variables come from a function, the time and random numbers from an Env: the same Env gives the same result.
func ExampleEnv() {
	x, err := jsonata.Compile(`$now() & ", " & $rate * 2 & ", " & $formatInteger($floor($random() * 1000), "000")`,
		jsonata.Options{})
	if err != nil {
		log.Fatal(err)
	}
	bindings := func(name string) value.Value {
		if name == "rate" {
			return value.Int(4)
		}
		return nil
	}
	for range 2 {
		result, err := x.Eval(nil, bindings, jsonata.Env{Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			Random: rand.NewPCG(1, 2)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(value.Compact(result))
	}
	// Output:
	// "2026-01-02T03:04:05.000Z, 8, 769"
	// "2026-01-02T03:04:05.000Z, 8, 769"
}

// An error has the code and the wording of the reference implementation, and a place.
func ExampleError() {
	for _, text := range []string{`1 + `, `"a" + 1`, `$error("out of stock")`} {
		x, err := jsonata.Compile(text, jsonata.Options{})
		if err == nil {
			_, err = x.Eval(nil, nil, jsonata.Env{})
		}
		var wrong *jsonata.Error
		if errors.As(err, &wrong) {
			fmt.Println(wrong.Code, wrong)
		}
	}
	// Output:
	// S0207 S0207: Unexpected end of expression
	// T2001 T2001: The left side of the "+" operator must evaluate to a number
	// D3137 D3137: out of stock
}

// A function from outside has a signature in JSONata's notation.
func ExampleHostFunction() {
	options := jsonata.Options{Functions: []jsonata.HostFunction{{
		Name: "shout", Signature: "<s-:s>", Arity: 1,
		Call: func(_ jsonata.Env, args []value.Value) (value.Value, error) {
			if args[0] == nil {
				return nil, nil
			}
			return value.String(strings.ToUpper(string(args[0].(value.String))) + "!"), nil
		},
	}}}
	x, err := jsonata.Compile(`["hey", "you"].$shout($)`, options)
	if err != nil {
		log.Fatal(err)
	}
	result, err := x.Eval(nil, nil, jsonata.Env{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(result))
	// Output: ["HEY!","YOU!"]
}

// Every evaluation is bounded; the bounds can be narrowed for a single one.
func ExampleLimits() {
	x, err := jsonata.Compile(`($loop := function($n) { $loop($n + 1) }; $loop(0))`, jsonata.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = x.Eval(nil, nil, jsonata.Env{Limits: jsonata.Limits{Steps: 10_000}})
	var wrong *jsonata.Error
	fmt.Println(errors.As(err, &wrong) && wrong.Code == jsonata.CodeLimit)
	// Output: true
}

// EvalTrace returns the result of each part of an expression.
func ExampleExpression_EvalTrace() {
	x, err := jsonata.Compile(`$sum(lines[paid].price) > 10`, jsonata.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, trace, err := x.EvalTrace(value.Must(`{"lines": [{"price": 8, "paid": true}, {"price": 5, "paid": false}]}`),
		nil, jsonata.Env{})
	if err != nil {
		log.Fatal(err)
	}
	var print func(depth int, t *jsonata.Trace)
	print = func(depth int, t *jsonata.Trace) {
		if t.Value != nil {
			fmt.Printf("%s%s = %s\n", strings.Repeat("  ", depth), t.Text, value.Compact(t.Value))
		}
		for _, part := range t.Children {
			print(depth+1, part)
		}
	}
	print(0, trace)
	// Output:
	// $sum(lines[paid].price) > 10 = false
	//   $sum(lines[paid].price) = 8
	//     lines[paid].price = 8
	//       lines[paid] = {"price":8,"paid":true}
	//         paid = true
	//       price = 8
}

// StepFunctions gives the language as AWS Step Functions has it, with its own functions.
func ExampleStepFunctions() {
	x, err := jsonata.Compile(`$partition([1..5], 2)`, jsonata.StepFunctions())
	if err != nil {
		log.Fatal(err)
	}
	result, err := x.Eval(nil, nil, jsonata.Env{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Compact(result))
	// Output:
	// [[1,2],[3,4],[5]]
}
