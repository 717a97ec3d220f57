package runs

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"testing"
)

// WorkloadFiles are the texts of a workload: its definition, its input and the output that it must have.
type WorkloadFiles struct {
	Definition, Input, Expected []byte
	// Steps is the number of state transitions in one run; attempts of retriers count.
	Steps int64
}

// Names returns the names of the workloads.
func Names() []string {
	return []string{
		"W1-hello", "W2-chain", "W3-loop", "W3m-mathadd", "W4-map", "W5-parallel", "W6-paths", "W6b-paths",
		"W7-retry", "W8-choice", "W9-bigdoc",
	}
}

// Files returns the texts of a workload. They are the same each time.
func Files(name string) WorkloadFiles { return whole()[name] }

// FilesFor returns the texts of a workload for a benchmark, and for a test a tenth of its length.
func FilesFor(t testing.TB, name string) WorkloadFiles {
	if _, ok := t.(*testing.B); ok {
		return Files(name)
	}
	return tenth()[name]
}

// sizes are the lengths of the workloads.
type sizes struct{ chained, counted, mapped, wide, worked, failed, chosen, records int }

var (
	whole = sync.OnceValue(sizes{1000, 10000, 10000, 100, 2000, 1000, 2000, 13000}.written)
	tenth = sync.OnceValue(sizes{100, 1000, 1000, 10, 200, 100, 200, 1300}.written)
)

// written makes the texts of all workloads.
func (n sizes) written() map[string]WorkloadFiles {
	all := make(map[string]WorkloadFiles)
	add := func(name string, steps int, definition, input, expected any) {
		all[name] = WorkloadFiles{encoded(definition), encoded(input), encoded(expected), int64(steps)}
	}
	add("W1-hello", 1, machine("Hello", doc{"Hello": doc{"Type": "Pass", "Result": doc{"msg": "hello"}, "End": true}}),
		doc{"name": "world"}, doc{"msg": "hello"})
	n.chain(add)
	n.loops(add)
	n.maps(add)
	n.paths(add)
	n.choice(add)
	n.big(add)
	return all
}

type (
	doc   = map[string]any
	adder func(name string, steps int, definition, input, expected any)
)

func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps, lists and scalars alone
	}
	return data
}

func machine(start string, states doc) doc { return doc{"StartAt": start, "States": states} }

// with returns a document with more members.
func with(d doc, more doc) doc {
	all := doc{}
	for _, from := range []doc{d, more} {
		for key, v := range from {
			all[key] = v
		}
	}
	return all
}

func function(name string) string { return "arn:aws:lambda:us-east-1:123456789012:function:" + name }

// passes returns a chain of Pass states that write into n members of their input, and the members at its end.
func passes(prefix string, length, n int, result func(k int) doc) (states, last doc) {
	states, last = doc{}, doc{}
	for k := range length {
		member := fmt.Sprintf("f%02d", k%n)
		last[member] = result(k)
		s := doc{"Type": "Pass", "Result": result(k), "ResultPath": "$." + member}
		if k == length-1 {
			s["End"] = true
		} else {
			s["Next"] = fmt.Sprintf("%s%04d", prefix, k+1)
		}
		states[fmt.Sprintf("%s%04d", prefix, k)] = s
	}
	return states, last
}

// chain adds a long chain of states, and many branches of short ones.
func (n sizes) chain(add adder) {
	states, last := passes("S", n.chained, 20, func(k int) doc { return doc{"i": k, "s": fmt.Sprintf("v-%d", k)} })
	input := doc{}
	for i := range 20 {
		input[fmt.Sprintf("f%02d", i)] = doc{"i": -1, "s": fmt.Sprintf("init-%d", i)}
	}
	add("W2-chain", n.chained, machine("S0000", states), input, last)

	const length = 20
	input = doc{"x": 1, "y": doc{"z": "q"}}
	var branches, out []any
	for b := range n.wide {
		prefix := fmt.Sprintf("B%03dS", b)
		states, last := passes(prefix, length, 4, func(k int) doc { return doc{"b": b, "k": k} })
		branches = append(branches, machine(prefix+"0000", states))
		out = append(out, with(input, last))
	}
	add("W5-parallel", n.wide*length+1,
		machine("P", doc{"P": doc{"Type": "Parallel", "Branches": branches, "ResultPath": "$.out", "End": true}}),
		input, with(input, doc{"out": out}))
}

// counting is a loop of a Choice and a state that counts.
func counting(variable string, below int, name string, counts doc) doc {
	return machine("Check", doc{
		"Check": doc{"Type": "Choice", "Default": "Done",
			"Choices": []any{doc{"Variable": variable, "NumericLessThan": below, "Next": name}}},
		name:   counts,
		"Done": doc{"Type": "Succeed"},
	})
}

// loops adds loops with a task, an intrinsic function, and a retrier.
func (n sizes) loops(add adder) {
	count := func(to int) doc { return doc{"c": doc{"n": to}, "label": "counter"} }
	task := doc{"Type": "Task", "Resource": function("incr"), "ResultPath": "$.c", "Next": "Check"}
	add("W3-loop", 2*n.counted+2, counting("$.c.n", n.counted, "Inc", task), count(0), count(n.counted))
	sum := doc{
		"Type":       "Pass",
		"Parameters": doc{"n.$": "States.MathAdd($.c.n, 1)"},
		"ResultPath": "$.c",
		"Next":       "Check",
	}
	add("W3m-mathadd", 2*n.counted+2, counting("$.c.n", n.counted, "Inc", sum), count(0), count(n.counted))
	flaky := with(task, doc{"Resource": function("flaky"), "Retry": []any{
		doc{"ErrorEquals": []any{"States.ALL"}, "IntervalSeconds": 1, "MaxAttempts": 3, "BackoffRate": 2.0}}})
	add("W7-retry", 5*n.failed+2, counting("$.c.n", n.failed, "Flaky", flaky), count(0), count(n.failed))
}

// maps adds a Map state of many items.
func (n sizes) maps(add adder) {
	processor := machine("A", doc{
		"A": doc{"Type": "Pass", "Result": doc{"v": 1}, "ResultPath": "$.p", "Next": "B"},
		"B": doc{"Type": "Task", "Resource": function("identity"), "Next": "C"},
		"C": doc{"Type": "Pass", "End": true},
	})
	var items, out []any
	for i := range n.mapped {
		item := doc{"i": i, "name": fmt.Sprintf("item-%d", i)}
		items, out = append(items, item), append(out, with(item, doc{"p": doc{"v": 1}}))
	}
	add(
		"W4-map",
		3*n.mapped+1,
		machine("M", doc{"M": doc{"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor,
			"ResultPath": "$.out", "End": true}}),
		doc{"items": items},
		doc{"items": items, "out": out},
	)
}

// paths adds a loop with all five fields of paths over a document of 10 KB, with and without an index of an array.
func (n sizes) paths(add adder) {
	random := rand.New(rand.NewSource(7))
	var lines []any
	for i := range 60 {
		lines = append(lines, doc{"sku": fmt.Sprintf("SKU-%05d", i), "qty": random.Intn(9), "text": words(random, 14),
			"dims": doc{"w": random.Intn(90), "h": random.Intn(90), "d": random.Intn(90)}})
	}
	order := doc{"id": "ord-000123", "tags": []any{"new", "gift", "eu"}, "lines": lines,
		"customer": doc{"name": "Ada Example", "email": "ada@example.org",
			"address": doc{"street": "1 Main St", "city": "Oslo", "zip": "0150"}}}
	state := func(result doc) doc { return doc{"state": doc{"payload": doc{"order": order, "result": result}}} }
	one := func(name, path, found string) {
		work := doc{"Type": "Task", "Resource": function("work"), "InputPath": "$.state.payload",
			"Parameters": doc{
				"n.$":    "$.result.n",
				"id.$":   "$.order.id",
				"name.$": "$.order.customer.name",
				"sku.$":  path,
				"tags.$": "$.order.tags",
				"addr":   doc{"zip.$": "$.order.customer.address.zip", "kind": "const"},
			},
			"ResultSelector": doc{"n.$": "$.n", "sku.$": "$.echo.sku", "zip.$": "$.echo.addr.zip"},
			"ResultPath":     "$.state.payload.result", "OutputPath": "$.state", "Next": "Wrap"}
		loop := counting("$.state.payload.result.n", n.worked, "Work", work)
		loop["States"].(doc)["Wrap"] = doc{"Type": "Pass", "Parameters": doc{"state.$": "$"}, "Next": "Check"}
		add(name, 3*n.worked+2, loop, state(doc{"n": 0}), state(doc{"n": n.worked, "sku": found, "zip": "0150"}))
	}
	one("W6-paths", "$.order.lines[3].sku", "SKU-00003")
	one("W6b-paths", "$.order.customer.email", "ada@example.org")
}

// choice adds a loop over a Choice state of 200 rules; the last one holds.
func (n sizes) choice(add adder) {
	var rules []any
	for i := range 199 {
		rule := [...]doc{
			{"Variable": "$.kind", "StringEquals": fmt.Sprintf("k-%d", i)},
			{"Variable": "$.num", "NumericEquals": 1000 + i},
			{"Variable": "$.nested.a.b", "StringLessThan": fmt.Sprintf("a%d", i)},
			{"And": []any{doc{"Variable": "$.flag", "BooleanEquals": false},
				doc{"Variable": "$.num", "NumericGreaterThan": i}}},
			{"Not": doc{"Variable": "$.kind", "StringEquals": "k-none"}},
		}[i%5]
		rules = append(rules, with(rule, doc{"Next": "Bad"}))
	}
	loop := counting("$.c.n", n.chosen, "Inc",
		doc{"Type": "Task", "Resource": function("incr"), "ResultPath": "$.c", "Next": "Check"})
	states := loop["States"].(doc)
	states["Bad"] = doc{"Type": "Fail", "Error": "Bad", "Cause": "a rule held that must not"}
	check := states["Check"].(doc)
	check["Choices"] = append(rules, check["Choices"].([]any)...)
	input := func(to int) doc {
		return doc{"kind": "k-none", "num": 7, "flag": true, "nested": doc{"a": doc{"b": "zz"}}, "c": doc{"n": to}}
	}
	add("W8-choice", 2*n.chosen+2, loop, input(0), input(n.chosen))
}

// big adds ten states over a document of 5 MB.
func (n sizes) big(add adder) {
	random := rand.New(rand.NewSource(11))
	var list []any
	for i := range n.records {
		list = append(
			list,
			doc{"id": i, "name": fmt.Sprintf("user-%d", i), "email": fmt.Sprintf("user%d@example.org", i),
				"active": i%3 > 0, "score": float64(random.Intn(1e6)) / 1000,
				"tags":  []any{words(random, 1), words(random, 1)},
				"attrs": doc{"a": random.Intn(1e6), "b": words(random, 1), "c": doc{"d": random.Intn(99), "e": nil}},
				"text":  words(random, 34)},
		)
	}
	input := doc{"meta": doc{"source": "made", "count": n.records}, "records": list}
	states, last := doc{}, with(input, nil)
	for k := range 10 {
		member := fmt.Sprintf("inj%d", k)
		s := doc{"Type": "Pass", "Result": doc{"v": k}, "ResultPath": "$." + member}
		v := doc{"v": k}
		if k%2 == 1 {
			s, v = doc{"Type": "Task", "Resource": function("touch"), "ResultPath": "$." + member}, doc{
				"ok":   true,
				"keys": len(last),
			}
		}
		last[member] = v
		if k == 9 {
			s["End"] = true
		} else {
			s["Next"] = fmt.Sprintf("S%d", k+1)
		}
		states[fmt.Sprintf("S%d", k)] = s
	}
	add("W9-bigdoc", 10, machine("S0", states), input, last)
}

var vocabulary = strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike")

// words returns n words.
func words(random *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = vocabulary[random.Intn(len(vocabulary))]
	}
	return strings.Join(list, " ")
}
