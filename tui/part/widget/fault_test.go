package widget

import (
	"strings"
	"testing"

	"asldb/tui/part/canvas"
)

func TestFaultLines(t *testing.T) {
	for _, test := range []struct {
		line    string
		offset  int
		message string
		cells   int
		want    string
	}{
		{"$.a = 1", 4, "did you mean ==?", 40, "$.a = 1|    ^ did you mean ==?"},
		{"$.ü = 1", 5, "wrong", 40, "$.ü = 1|    ^ wrong"},
		{"$.a = 1", 4, "did you mean == or something else?", 20, "$.a = 1|    ^|did you mean == or|something else?"},
		{"$.a.b.c.d.e.f.g.h = 1", 18, "wrong", 20, "…c.d.e.f.g.h = 1|             ^ wrong"},
		{"len(", 4, "ends", 20, "len(|    ^ ends"},
	} {
		got := strings.Join(FaultLines(test.line, test.offset, test.message, test.cells, canvas.Unicode()), "|")
		if got != test.want {
			t.Errorf("%s in %d cells:\n%s\nwant\n%s", test.line, test.cells, got, test.want)
		}
	}
}
