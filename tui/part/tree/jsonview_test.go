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

// linesOf appends the lines of a value as the views show it.
func linesOf(dst []tree.Line, l tree.Line) []tree.Line {
	closed := tree.Line{Value: l.Value, Depth: l.Depth, Part: tree.Close, Comma: l.Comma}
	inside := func(part tree.Line, last bool) {
		part.Depth, part.Comma = l.Depth+1, !last
		dst = linesOf(dst, part)
	}
	open := func() {
		dst = append(dst, tree.Line{Key: l.Key, HasKey: l.HasKey, Value: l.Value, Depth: l.Depth, Part: tree.Open})
	}
	switch v := l.Value.(type) {
	case *value.Array:
		if v.Len() > 0 {
			open()
			for i, item := range v.All() {
				inside(tree.Line{Value: item}, i == v.Len()-1)
			}
			return append(dst, closed)
		}
	case *value.Object:
		if v.Len() > 0 {
			open()
			for i := range v.Len() {
				inside(tree.Line{Key: v.At(i).Key, HasKey: true, Value: v.At(i).Value}, i == v.Len()-1)
			}
			return append(dst, closed)
		}
	}
	l.Part = tree.Whole
	return append(dst, l)
}

func TestLinesAreThePrettyForm(t *testing.T) {
	for _, doc := range []string{
		`1`, `"a\tb"`, `null`, `{}`, `[]`, `[[],{}]`,
		`{"a":1.0,"b":[true,false,null,{"c":"x"}],"d":{"e":{},"f":12345678901234567890}}`,
	} {
		v := value.Must(doc)
		lines := linesOf(nil, tree.Line{Value: v})
		if got, want := viewText(lines), value.Pretty(v); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", doc, got, want)
		}
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
