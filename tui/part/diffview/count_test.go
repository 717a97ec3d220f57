package diffview_test

import (
	"slices"
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/diffview"
)

func TestCount(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          diffview.Counts
	}{
		{`{"a":1}`, `{"a":1}`, diffview.Counts{}},
		{`{"a":1}`, `{"a":1,"b":{"c":1,"d":2}}`, diffview.Counts{Added: 1}},
		{`{"a":1,"b":2,"c":3}`, `{"c":4}`, diffview.Counts{Removed: 2, Changed: 1}},
		{`{"a":{"b":[1,2,3]}}`, `{"a":{"b":[1,9,3,4]}}`, diffview.Counts{Changed: 1, Added: 1}},
		{`[1,2,3]`, `[2,3]`, diffview.Counts{Removed: 1}},
		{`1`, `"1"`, diffview.Counts{Changed: 1}},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, diffview.Counts{Changed: 1}},
	} {
		if got := diffview.Count(value.Must(test.before), value.Must(test.after)); got != test.want {
			t.Errorf("%s to %s: got %+v, want %+v", test.before, test.after, got, test.want)
		}
	}
}

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
