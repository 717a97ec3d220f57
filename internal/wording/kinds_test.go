package wording_test

import (
	"testing"

	"asldb/internal/wording"
)

type fruit uint8

func TestKinds(t *testing.T) {
	names := []string{1: "apple", 3: "pear"}
	for kind, want := range []string{"fruit(0)", "apple", "fruit(2)", "pear", "fruit(4)"} {
		if got := wording.KindName(names, fruit(kind)); got != want {
			t.Errorf("%d is %q, not %q", kind, got, want)
		}
	}
	for name, want := range map[string]fruit{"apple": 1, "pear": 3, "": 0, "plum": 0} {
		if kind, ok := wording.KindNamed[fruit](names, name); kind != want || ok != (want > 0) {
			t.Errorf("%q is %d, %v", name, kind, ok)
		}
	}
}
