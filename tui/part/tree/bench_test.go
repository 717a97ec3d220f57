package tree_test

import (
	"strconv"
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
)

func TestLargeDocuments(t *testing.T) {
	big := func(mark string) value.Value {
		items := make([]value.Value, 50_000)
		for i := range items {
			items[i] = value.ObjectOf(value.Member{Key: "id", Value: value.Int(int64(i))}, value.Member{Key: "mark", Value: value.String(mark)})
		}
		return value.NewArray(items)
	}
	a, b := big("old"), big("new")
	shown := tree.OfDifference(a, b, tree.Unified, tree.Usual) // everything differs: items are matched by their places
	if n := shown.Len(); n < 50_000 || n > 250_002 {
		t.Errorf("%d rows", n)
	}
	last := shown.Len() - 2
	if row, _ := shown.Toggle(last); shown.Text(row+2) != `-     "mark": "old"` || shown.Text(row+3) != `+     "mark": "new"` {
		t.Errorf("the last item unfolds to %q, %q", shown.Text(row+2), shown.Text(row+3))
	}
	c := a.(*value.Array).With(25_000, value.Must(`{"id":25000,"mark":"x"}`))
	if shown = tree.OfDifference(a, c, tree.Unified, tree.Usual); shown.Len() != 9 {
		t.Errorf("one change in 50,000 items gives %d rows:\n%s", shown.Len(), text(shown))
	}
}

// fiveMegabytes is a document of 50,000 members, and the same with one of them changed.
func fiveMegabytes() (doc, changed *value.Object) {
	members := make([]value.Member, 50_000)
	for i := range members {
		members[i] = value.Member{Key: "key" + strconv.Itoa(i), Value: value.Must(
			`{"name":"a name that takes its room here","tags":["a","b"],"n":` + strconv.Itoa(i) + `,"more":"text"}`)}
	}
	doc = value.NewObject(members)
	return doc, doc.With("key777", value.Int(1))
}

// BenchmarkDifference compares two documents of five megabytes that differ in one member.
func BenchmarkDifference(b *testing.B) {
	doc, changed := fiveMegabytes()
	again := value.Must(value.Compact(changed))
	other := value.Must(value.Compact(value.NewObject([]value.Member{{Key: "a", Value: doc}}).Get("a")))
	items := make([]value.Value, 50_000)
	for i := range items {
		items[i] = value.ObjectOf(value.Member{Key: "n", Value: value.Int(int64(-i))})
	}
	for _, bench := range []struct {
		name          string
		before, after value.Value
	}{{"shared", doc, changed}, {"parsed again", doc, again}, {"equal, parsed again", doc, other}, {"nothing in common", doc, value.NewArray(items)}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(value.Size(doc)))
			b.ReportAllocs()
			for b.Loop() {
				tree.OfDifference(bench.before, bench.after, tree.Unified, tree.Usual).Len()
			}
		})
	}
}

// BenchmarkScroll draws 60 rows of a document of five megabytes, further down each time.
func BenchmarkScroll(b *testing.B) {
	doc, _ := fiveMegabytes()
	shown := tree.OfValue(doc, tree.Usual)
	c := canvas.New(200, 60, canvas.Unicode())
	area := c.Area(canvas.Rect{W: 200, H: 60})
	n, top := shown.Len(), 0
	b.ReportAllocs()
	for b.Loop() {
		for y := range 60 {
			shown.Draw(area, y, (top+y)%n, 0, "")
		}
		top = (top + 61) % n
	}
}

// BenchmarkFind searches a document of five megabytes for a missing text.
func BenchmarkFind(b *testing.B) {
	doc, _ := fiveMegabytes()
	shown := tree.OfValue(doc, tree.Usual)
	b.ReportAllocs()
	for b.Loop() {
		shown.Find("not in it", 0, false)
	}
}
