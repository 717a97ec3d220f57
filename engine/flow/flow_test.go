package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/source"
)

// machine parses a definition that starts at A.
func machine(t testing.TB, states string) *asl.StateMachine {
	t.Helper()
	return parse(t, `{"StartAt": "A", "States": {`+states+`}}`)
}

func parse(t testing.TB, text string) *asl.StateMachine {
	t.Helper()
	m, problems := asl.Parse(&source.File{Name: "t.json", Data: []byte(text)})
	if m == nil {
		t.Fatalf("%v\n%s", problems, text)
	}
	return m
}

// growing returns a machine of n states, which each put their input three times into it.
func growing(n int) string {
	var out strings.Builder
	for i := range n {
		next := fmt.Sprintf(`"Next": "S%d"`, i+1)
		name := fmt.Sprintf("S%d", i)
		if i == 0 {
			name = "A"
		}
		if i == n-1 {
			next = `"End": true`
		}
		fmt.Fprintf(&out, `"%s": {"Type": "Pass", "Parameters": {"a.$": "$", "b.$": "$", "c.$": "$"}, "ResultPath": "$.x%d", %s},`, name, i, next)
	}
	return strings.TrimSuffix(out.String(), ",")
}

// bounded fails the test if f does not end soon: what it guards against took minutes or did not end at all.
func bounded(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}

// A value at three places is one shape: without that, the work would grow threefold with each state.
func TestGrowing(t *testing.T) {
	for _, n := range []int{20, 2000} {
		m := machine(t, growing(n))
		bounded(t, func() {
			if faults := flow.Check(m, flow.Options{}); len(faults) > 0 {
				t.Errorf("%d states: %+v", n, faults[0])
			}
		})
	}
}

// In a loop that wraps its data, in several ways at once, the shapes never stop growing.
func TestGrowingLoop(t *testing.T) {
	var rules, states strings.Builder
	for i := range 30 {
		fmt.Fprintf(&rules, `{"Variable": "$.k", "NumericEquals": %d, "Next": "P%d"},`, i, i)
		fmt.Fprintf(&states, `,"P%d": {"Type": "Pass", "Parameters": {"k.$": "$.k", "m%d.$": "$", "n.$": "$"}, "Next": "A"}`, i, i)
	}
	m := machine(t, `"A": {"Type": "Choice", "Default": "E", "Choices": [`+strings.TrimSuffix(rules.String(), ",")+`]}, "E": {"Type": "Succeed"}`+states.String())
	bounded(t, func() { flow.Check(m, flow.Options{}) })
}

// Many items, all different, which many states go over.
func TestManyItems(t *testing.T) {
	var items, states strings.Builder
	for i := range 390 {
		fmt.Fprintf(&items, `{"k%d": %d},`, i, i)
	}
	for i := range 1000 {
		fmt.Fprintf(&states, `,"S%d": {"Type": "Pass", "Parameters": {"a.$": "$.l[*]", "l.$": "$.l"}, "Next": "S%d"}`, i, i+1)
	}
	m := machine(t, `"A": {"Type": "Pass", "Result": {"l": [`+strings.TrimSuffix(items.String(), ",")+`]}, "Next": "S0"}`+states.String()+`, "S1000": {"Type": "Succeed"}`)
	bounded(t, func() { flow.Check(m, flow.Options{}) })
}

// Containers in containers, which each have their data on several ways.
func TestNested(t *testing.T) {
	inner := `{"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}`
	for i := range 14 {
		inner = fmt.Sprintf(`{"StartAt": "C%d", "States": {
			"C%d": {"Type": "Choice", "Default": "P%d", "Choices": [{"Variable": "$.k", "NumericEquals": 1, "Next": "Q%d"}]},
			"P%d": {"Type": "Pass", "Result": {"p%d": 1, "k": 1}, "Next": "X%d"}, "Q%d": {"Type": "Pass", "Result": {"k": 2}, "Next": "X%d"},
			"X%d": {"Type": "Parallel", "End": true, "Branches": [%s]}}}`, i, i, i, i, i, i, i, i, i, i, inner)
		inner = strings.ReplaceAll(inner, `"I"`, fmt.Sprintf(`"I%d"`, i))
	}
	m := parse(t, inner)
	bounded(t, func() { flow.Check(m, flow.Options{}) })
}

func BenchmarkGrowing(b *testing.B) {
	for _, n := range []int{20, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := machine(b, growing(n))
			b.ReportAllocs()
			for b.Loop() {
				flow.Check(m, flow.Options{})
			}
		})
	}
}

// FuzzCheck: whatever the machine is, the pass ends, and each fault has a place and a message.
func FuzzCheck(f *testing.F) {
	f.Add(`{"StartAt": "A", "States": {` + growing(5) + `}}`)
	for _, c := range slices.Concat(cases, moreCases) {
		f.Add(c.text())
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _ := asl.Parse(&source.File{Name: "t.json", Data: []byte(text)})
		if m == nil {
			return
		}
		for _, fault := range flow.Check(m, flow.Options{}) {
			if fault.Node == nil || fault.State == nil || fault.Message == "" || fault.Rule == "" {
				t.Fatalf("%+v", fault)
			}
		}
	})
}
