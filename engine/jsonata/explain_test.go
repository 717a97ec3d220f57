package jsonata

import (
	"fmt"
	"strings"
	"testing"

	"asldb.dev/asldb/engine/value"
)

// outline writes a trace, a sub-expression a line.
func outline(b *strings.Builder, tr *Trace, depth int) {
	what := "nothing"
	switch {
	case tr.Err != nil:
		what = tr.Err.Error()
	case tr.Function:
		what = "a function"
	case tr.Value != nil:
		what = value.Compact(tr.Value)
	}
	fmt.Fprintf(b, "%s%s = %s (%d)\n", strings.Repeat("  ", depth), tr.Text, what, tr.Count)
	for _, child := range tr.Children {
		outline(b, child, depth+1)
	}
}

// A trace shows what each part gave, and which one became nothing.
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
  (id + "x") = T2002: The right side of the "+" operator must evaluate to a number (1)
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
