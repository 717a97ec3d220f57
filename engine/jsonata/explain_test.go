package jsonata

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
)

// outline writes a trace, a sub-expression a line.
func outline(b *strings.Builder, tr *Trace, depth int) {
	result := "nothing"
	switch {
	case tr.Err != nil:
		result = tr.Err.Error()
	case tr.Function:
		result = "a function"
	case tr.Value != nil:
		result = value.Compact(tr.Value)
	}
	fmt.Fprintf(b, "%s%s = %s (%d)", strings.Repeat("  ", depth), tr.Text, result, tr.Count)
	if tr.Item != nil {
		fmt.Fprintf(b, " at %d: %s", tr.Index, value.Compact(tr.Item))
	}
	b.WriteString("\n")
	for _, child := range tr.Children {
		outline(b, child, depth+1)
	}
}

// A trace shows the result of each part, and which one became nothing.
func TestTrace(t *testing.T) {
	input := value.Must(`{"orders":[{"id":1,"total":5.50},{"id":2,"total":50}]}`)
	tests := []struct{ text, want string }{
		{`orders[total > 100].id`, `
orders[total > 100].id = nothing (1)
  orders[total > 100] = nothing (1)
    total > 100 = false (2)
      total = 5.50 (2)
`},
		{`$sum(orders.total) & nope.x`, `
$sum(orders.total) & nope.x = "55.5" (1)
  $sum(orders.total) = 55.5 (1)
    orders.total = [5.50,50] (1)
      orders = [{"id":1,"total":5.50},{"id":2,"total":50}] (1)
      total = [5.50,50] (1)
  nope.x = nothing (1)
    nope = nothing (1)
`},
		{`orders.(id + "x")`, `
orders.(id + "x") = T2002: The right side of the "+" operator must evaluate to a number (1)
  orders = [{"id":1,"total":5.50},{"id":2,"total":50}] (1)
  (id + "x") = T2002: The right side of the "+" operator must evaluate to a number (1) at 0: {"id":1,"total":5.50}
    id + "x" = T2002: The right side of the "+" operator must evaluate to a number (1)
      id = 1 (1)
`},
		{`$map(orders, function($o){ $o.id * 2 })`, `
$map(orders, function($o){ $o.id * 2 }) = [2,4] (1)
  orders = [{"id":1,"total":5.50},{"id":2,"total":50}] (1)
  function($o){ $o.id * 2 } = a function (1)
  $o.id * 2 = 2 (2)
    $o.id = 1 (2)
      $o = {"id":1,"total":5.50} (2)
      id = 1 (2)
`},
		{`$foo(1)`, `
$foo(1) = T1006: Attempted to invoke a non-function (1)
  $foo = nothing (1)
`},
		{`orders@$o.$o[id = 2].total`, `
orders@$o.$o[id = 2].total = 50 (1)
  orders@$o = [{"id":1,"total":5.50},{"id":2,"total":50}] (1)
  $o[id = 2] = {"id":2,"total":50} (1)
    id = 2 = false (2)
      id = 1 (2)
  total = 50 (1)
`},
	}
	for _, test := range tests {
		x, err := Compile(test.text, StepFunctions())
		if err != nil {
			t.Fatal(err)
		}
		v, tr, err := x.EvalTrace(input, nil, testEnv())
		var b strings.Builder
		outline(&b, tr, 0)
		if got := "\n" + b.String(); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
		plain, plainErr := x.Eval(input, nil, testEnv())
		if !value.Equal(v, plain) || (err == nil) != (plainErr == nil) {
			t.Errorf("%s: %v, %v with a trace, %v, %v without", test.text, v, err, plain, plainErr)
		}
	}
}

// A trace is bounded, however much is evaluated.
func TestTraceBounds(t *testing.T) {
	x, err := Compile(`($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(1200))`, StepFunctions())
	if err != nil {
		t.Fatal(err)
	}
	v, tr, err := x.EvalTrace(nil, nil, testEnv())
	if err != nil || value.Compact(v) != "1200" {
		t.Fatal(v, err)
	}
	count := 0
	var visit func(tr *Trace)
	visit = func(tr *Trace) {
		if count++; tr.Start > tr.End || x.String()[tr.Start:tr.End] != tr.Text {
			t.Fatalf("%d to %d is not %q", tr.Start, tr.End, tr.Text)
		}
		for _, child := range tr.Children {
			visit(child)
		}
	}
	visit(tr)
	if count > MaxTraces || count < 1000 {
		t.Errorf("%d records", count)
	}
}

// Where an evaluation in a loop failed, the trace shows that one, with the place and the value of the item.
func TestTraceOfTheItemThatFailed(t *testing.T) {
	input := value.Must(`{"lines":[{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}],
		"orders":[{"lines":[1,2]},{"lines":[3,"x",4]}]}`)
	const notANumber = `T2001: The left side of the "*" operator must evaluate to a number`
	tests := []struct{ text, want string }{
		{`lines.(q * p)`, `
lines.(q * p) = ` + notANumber + ` (1)
  lines = [{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}] (1)
  (q * p) = ` + notANumber + ` (1) at 2: {"q":"two","p":5}
    q * p = ` + notANumber + ` (1)
      q = "two" (1)
      p = 5 (1)
`},
		{`$map(lines, function($l){ $l.q * 2 })`, `
$map(lines, function($l){ $l.q * 2 }) = ` + notANumber + ` (1)
  lines = [{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}] (1)
  function($l){ $l.q * 2 } = a function (1)
  $l.q * 2 = ` + notANumber + ` (3) at 2: {"q":"two","p":5}
    $l.q = "two" (1)
      $l = {"q":"two","p":5} (1)
      q = "two" (1)
`},
		{`lines[q * 2 > 3].p`, `
lines[q * 2 > 3].p = ` + notANumber + ` (1)
  lines[q * 2 > 3] = ` + notANumber + ` (1)
    q * 2 > 3 = ` + notANumber + ` (3) at 2: {"q":"two","p":5}
      q * 2 = ` + notANumber + ` (1)
        q = "two" (1)
`},
		// A loop in a loop: each says its own place.
		{`orders.(lines.($ * 2))`, `
orders.(lines.($ * 2)) = ` + notANumber + ` (1)
  orders = [{"lines":[1,2]},{"lines":[3,"x",4]}] (1)
  (lines.($ * 2)) = ` + notANumber + ` (1) at 1: {"lines":[3,"x",4]}
    lines.($ * 2) = ` + notANumber + ` (1)
      lines = [3,"x",4] (1)
      ($ * 2) = ` + notANumber + ` (1) at 1: "x"
        $ * 2 = ` + notANumber + ` (1)
          $ = "x" (1)
`},
		// The first one has a place, too; the parts that the items before did not evaluate are there.
		{`lines.(p = 3 ? q : "x" * q)`, `
lines.(p = 3 ? q : "x" * q) = ` + notANumber + ` (1)
  lines = [{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}] (1)
  (p = 3 ? q : "x" * q) = ` + notANumber + ` (1) at 1: {"q":1,"p":4}
    p = 3 ? q : "x" * q = ` + notANumber + ` (1)
      p = 3 = false (1)
        p = 4 (1)
      "x" * q = ` + notANumber + ` (1)
        q = 1 (1)
`},
		{`lines.("x" * q)`, `
lines.("x" * q) = ` + notANumber + ` (1)
  lines = [{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}] (1)
  ("x" * q) = ` + notANumber + ` (1) at 0: {"q":2,"p":3}
    "x" * q = ` + notANumber + ` (1)
      q = 2 (1)
`},
		// A part without failures counts all evaluations, and shows the first.
		{`lines.(p > 3 ? p * 2 : 0)`, `
lines.(p > 3 ? p * 2 : 0) = [0,8,10,12] (1)
  lines = [{"q":2,"p":3},{"q":1,"p":4},{"q":"two","p":5},{"q":7,"p":6}] (1)
  (p > 3 ? p * 2 : 0) = [0,8,10,12] (1)
    p > 3 ? p * 2 : 0 = 0 (4)
      p > 3 = false (4)
        p = 3 (4)
      p * 2 = 8 (3)
        p = 4 (3)
`},
	}
	for _, test := range tests {
		x, err := Compile(test.text, StepFunctions())
		if err != nil {
			t.Fatal(err)
		}
		_, trace, _ := x.EvalTrace(input, nil, Env{})
		var b strings.Builder
		outline(&b, trace, 0)
		if got := "\n" + b.String(); got != test.want {
			t.Errorf("%s: got%s\nwant%s", test.text, got, test.want)
		}
	}
}
