package widget

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTheBetterFitScoresMore(t *testing.T) {
	for _, c := range []struct{ pattern, better, worse string }{
		{"ss", "step-stage", "messages"},
		{"sst", "step-state", "save-fixtures"},
		{"break", "break", "breakpoints"},
		{"next", "next-timer", "find-next"},
		{"ev", "events", "previous-tab"},
	} {
		a, _, okA := Match(c.pattern, c.better)
		b, _, okB := Match(c.pattern, c.worse)
		if !okA || okB && b >= a {
			t.Errorf("%q: %q scores %d (%v), %q %d (%v)", c.pattern, c.better, a, okA, c.worse, b, okB)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		at            []int
		ok            bool
	}{
		{"", "anything", nil, true},
		{"ST", "step", []int{0, 1}, true},
		{"s t", "step", []int{0, 1}, true},
		{"é", "café", []int{3}, true},
		{"pts", "step", nil, false},
		{"stepp", "step", nil, false},
	} {
		_, at, ok := Match(c.pattern, c.text)
		if ok != c.ok || !slices.Equal(at, c.at) {
			t.Errorf("Match(%q, %q) = %v, %v", c.pattern, c.text, at, ok)
		}
	}
}

// TestWhatIsLeftOutStillFits: any letters taken out of a text in their order fit it.
func TestWhatIsLeftOutStillFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.StringMatching(`[a-z -]{1,20}`).Draw(t, "text"))
		var pattern []rune
		for _, r := range text {
			if rapid.Bool().Draw(t, "keep") {
				pattern = append(pattern, r)
			}
		}
		_, at, ok := Match(string(pattern), string(text))
		if !ok {
			t.Fatalf("%q does not fit %q", string(pattern), string(text))
		}
		if !slices.IsSorted(at) {
			t.Fatalf("places %v", at)
		}
	})
}
