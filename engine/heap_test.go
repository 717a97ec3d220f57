package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type number int

func (n *number) Before(other *number) bool { return *n < *other }

// TestOrder: values leave the heap in their order, whatever the order and the time in which they came.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[number, *number]
		var held []number
		for _, push := range rapid.SliceOf(rapid.Bool()).Draw(t, "pushes") {
			if push || len(held) == 0 {
				added := number(rapid.IntRange(0, 9).Draw(t, "number"))
				h.Push(added)
				held = append(held, added)
				continue
			}
			slices.Sort(held)
			if got := h.Pop(); got != held[0] {
				t.Fatalf("%d comes first of %v", got, held)
			}
			held = held[1:]
		}
		if len(h) != len(held) {
			t.Fatalf("the heap has %d values, want %d", len(h), len(held))
		}
	})
}
