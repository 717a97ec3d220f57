package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/value"
)

// Results that share their blocks grow apart, whichever of them is set, and however often they are shared.
func TestResultsAreShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 3*resultBlock).Draw(t, "length")
		all := []results{newResults(length)}
		want := [][]value.Value{make([]value.Value, length)}
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			of := rapid.IntRange(0, len(all)-1).Draw(t, "of")
			if rapid.Bool().Draw(t, "share") {
				all = append(all, all[of].share())
				want = append(want, slices.Clone(want[of]))
				continue
			}
			i, v := rapid.IntRange(0, length-1).Draw(t, "place"), value.Int(rapid.Int64().Draw(t, "result"))
			all[of].set(i, v)
			want[of][i] = v
		}
		for of := range all {
			there := slices.DeleteFunc(want[of], func(v value.Value) bool { return v == nil })
			if !value.Equal(all[of].array(), value.NewArray(there)) {
				t.Fatalf("results %d are %s, want %s", of, value.Compact(all[of].array()),
					value.Compact(value.NewArray(there)))
			}
		}
	})
}
