package jsonata

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
)

// orders is a document with n orders, about a kilobyte for five.
func orders(n int) value.Value {
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"total":%d.5,"vip":%v,"customer":{"name":"c%d","city":"Köln"},"items":[{"sku":"x%d","q":2,"p":9.5},{"sku":"y","q":1,"p":110.95}]}`,
			i, i%200, i%3 == 0, i%50, i)
	}
	b.WriteString(`]}`)
	return value.Must(b.String())
}

func benchmark(b *testing.B, text string, input value.Value) {
	x, err := Compile(text, StepFunctions())
	if err != nil {
		b.Fatal(err)
	}
	states := value.ObjectOf(value.Member{Key: "input", Value: input})
	bindings := func(name string) value.Value {
		if name == "states" {
			return states
		}
		return nil
	}
	env := testEnv()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Eval(nil, bindings, env); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSmallPath(b *testing.B) {
	benchmark(b, `$states.input.orders[0].customer.name`, orders(5))
}

func BenchmarkSmallCondition(b *testing.B) {
	benchmark(b, `$states.input.orders[0].total >= 0 and $states.input.orders[1].vip = false`, orders(5))
}

func BenchmarkMediumObject(b *testing.B) {
	benchmark(b, `{"names": $states.input.orders.customer.name, "sum": $sum($states.input.orders.total), "big": $states.input.orders[total > 2].{"id": id, "label": $uppercase(customer.city) & "-" & $string(id)}}`, orders(5))
}

func BenchmarkLargeReport(b *testing.B) {
	benchmark(b, `(
		$all := $states.input.orders;
		$line := function($item){ $item.q * $item.p };
		{
			"customers": $all{customer.name: $count($)},
			"top": $all^(>total)[[0..2]].id,
			"lines": $all.items.{"sku": sku, "order": %.id, "value": $line($)},
			"text": $join($map($all, function($o, $i){ $i & ":" & $formatNumber($o.total, "#,##0.00") }), ";"),
			"first": $fromMillis(1741964966535, "[D01].[M01].[Y0001]")
		}
	)`, orders(50))
}

func BenchmarkFilterSum5000(b *testing.B) {
	benchmark(b, `$sum($states.input.orders[total > 100 and vip = true].total)`, orders(5000))
}

func BenchmarkFilterSumLambda5000(b *testing.B) {
	benchmark(b, `$sum($map($filter($states.input.orders, function($o){ $o.total > 100 }), function($o){ $o.total * 2 }))`, orders(5000))
}

// About five megabytes.
func BenchmarkGroup30000(b *testing.B) {
	benchmark(b, `$states.input.orders{customer.name: $sum(items.(q * p))}`, orders(30_000))
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(`{"names": $states.input.orders.customer.name, "sum": $sum($states.input.orders.total)}`,
			Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrace(b *testing.B) {
	x, err := Compile(`$sum(orders[total > 2].total)`, StepFunctions())
	if err != nil {
		b.Fatal(err)
	}
	input := orders(50)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := x.EvalTrace(input, nil, Env{}); err != nil {
			b.Fatal(err)
		}
	}
}
