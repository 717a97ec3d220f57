package outcome_test

import (
	"fmt"
	"testing"

	"asldb/engine/outcome"
)

func TestKindsHaveNames(t *testing.T) {
	for i, name := range outcome.Names() {
		if kind, ok := outcome.Parse(name); !ok || kind != outcome.All()[i] || kind.String() != name {
			t.Errorf("%q is read as %v, %v", name, kind, ok)
		}
	}
	for _, name := range []string{"", "Exec", "output"} {
		if kind, ok := outcome.Parse(name); ok {
			t.Errorf("%q is read as %v", name, kind)
		}
	}
	if outcome.Nested.Outside() || !outcome.Exec.Outside() {
		t.Error("another definition calls nothing outside, a command does")
	}
}

func ExampleActions() {
	fmt.Println(outcome.Actions())
	fmt.Println(outcome.Objects())
	// Output:
	// run commands (exec), call endpoints (http) and functions (lambda)
	// commands, endpoints and functions
}
