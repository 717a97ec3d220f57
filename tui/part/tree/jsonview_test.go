package tree_test

import (
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/tree"
)

func viewText(lines []tree.Line) string {
	rows := value.Each(lines, func(l tree.Line) string { return l.Text("…") })
	return strings.Join(rows, "\n")
}

func TestLinesAreThePrettyForm(t *testing.T) {
	for _, doc := range []string{
		`1`, `"a\tb"`, `null`, `{}`, `[]`, `[[],{}]`,
		`{"a":1.0,"b":[true,false,null,{"c":"x"}],"d":{"e":{},"f":12345678901234567890}}`,
	} {
		v := value.Must(doc)
		lines := tree.Lines(v)
		if got, want := viewText(lines), value.Pretty(v); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", doc, got, want)
		}
	}
	if tree.Lines(nil) != nil {
		t.Error("an absent value has lines")
	}
}

func TestFoldedLine(t *testing.T) {
	l := tree.Line{Key: "order", HasKey: true, Value: value.Must(`{"a":1,"b":[2]}`), Depth: 1, Note: "2 unchanged", Comma: true}
	if got, want := l.Text("…"), `  "order": { … 2 unchanged … },`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongStringIsCut(t *testing.T) {
	l := tree.Line{Value: value.String(strings.Repeat("é", 1<<20))}
	if got := l.Text("…"); len(got) > 10_000 || !strings.HasSuffix(got, "…") {
		t.Errorf("a string of 2 MB gives a line of %d bytes", len(got))
	}
}
