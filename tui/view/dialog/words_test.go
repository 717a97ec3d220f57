package dialog

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"asldb/engine/value"
)

func TestCompleteWord(t *testing.T) {
	v := value.Must(`{"order":{"id":"o-1042"},"Reorder":true,"list":["Order placed","order","` + strings.Repeat("order ", 20) + `","two\nlines of order"]}`)
	words := iter.Seq[string](func(yield func(string) bool) { Words(v, yield) })
	for text, want := range map[string][]string{
		"ord": {"order", "Order placed", "Reorder"}, "o-1": {"o-1042"}, "": nil, "none": nil,
	} {
		var got []string
		for _, c := range CompleteWord(text, words) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if Words(v, func(word string) bool { return word != "id" }) {
		t.Error("the words continue after the last that was taken")
	}
}
