package diffview_test

import (
	"slices"
	"testing"

	"asldb/tui/part/diffview"
)

func TestChangedParts(t *testing.T) {
	for _, test := range []struct {
		other, text string
		want        []string
	}{
		{`"old text"`, `"new text"`, []string{"new"}},
		{`1`, `1.0`, []string{".0"}},
		{`"x"`, `"x"`, nil},
	} {
		var got []string
		for _, span := range diffview.Changed(test.other, test.text) {
			got = append(got, test.text[span.From:span.To])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s to %s: %q, want %q", test.other, test.text, got, test.want)
		}
	}
}
