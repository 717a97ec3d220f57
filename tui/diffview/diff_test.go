package diffview_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"asldb.dev/asldb/engine/value"
	"asldb.dev/asldb/tui/canvas"
	"asldb.dev/asldb/tui/diffview"
	"asldb.dev/asldb/tui/jsonview"
	"pgregory.net/rapid"
)

func draw(d *diffview.Diff) string {
	c := canvas.New(48, max(1, len(d.Rows)), canvas.Unicode())
	for i := range d.Rows {
		d.Draw(c.Area(canvas.Rect{W: 48, H: len(d.Rows)}), i, i, 0)
	}
	rows := strings.Split(c.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}

func TestDiff(t *testing.T) {
	order := `{"id":7,"lines":[1,2],"total":129.90,"vip":false}`
	for _, test := range []struct{ name, before, after, want string }{
		{
			"a member came", `{"order":` + order + `,"n":1}`, `{"order":` + order + `,"n":1,"payment":{"id":"ch_1"}}`, `
  {
    "order": { … 4 unchanged … },
    "n": 1,
+   "payment": {
+     "id": "ch_1"
+   }
  }`,
		},
		{
			"a member changed", `{"a":1,"b":{"c":"old text"},"d":[1,2,3]}`, `{"a":1,"b":{"c":"new text"},"d":[1,2,3]}`, `
  {
    "a": 1,
    "b": {
-     "c": "old text"
+     "c": "new text"
    },
    "d": [ … 3 unchanged … ]
  }`,
		},
		{
			"two members changed", `{"a":1,"b":2}`, `{"a":3,"b":4}`, `
  {
-   "a": 1,
+   "a": 3,
-   "b": 2
+   "b": 4
  }`,
		},
		{
			"a long unchanged stretch", `{"a":1,"b":2,"c":3,"d":4,"e":[1,2],"f":6,"z":0}`, `{"a":1,"b":2,"c":3,"d":4,"e":[1,2],"f":6,"z":9}`, `
  {
    … 8 unchanged lines …
    "f": 6,
-   "z": 0
+   "z": 9
  }`,
		},
		{
			"everything replaced", `{"a":1,"b":2,"c":3,"d":4}`, `{"x":true}`, `
  {
-   … 4 lines replaced …
+   "x": true
  }`,
		},
		{"the first value", ``, `[1]`, "\n+ [\n+   1\n+ ]"},
		{"nothing left", `"x"`, ``, "\n- \"x\""},
		{"an item inserted at the front", `[{"a":1},{"a":2}]`, `[{"a":0},{"a":1},{"a":2}]`, `
  [
+   {
+     "a": 0
+   },
    { … 1 unchanged … },
    { … 1 unchanged … }
  ]`},
		{"a large member went", `{"a":1,"b":[` + strings.Repeat("0,", 99) + `0]}`, `{"a":1}`, "\n  {\n    \"a\": 1\n-   \"b\": … 102 lines removed …\n  }"},
		{"another kind", `{"a":{"b":1}}`, `{"a":[1]}`, `
  {
-   "a": {
-     "b": 1
-   }
+   "a": [
+     1
+   ]
  }`},
		{"written otherwise", `[1]`, `[1.0]`, "\n  [\n-   1\n+   1.0\n  ]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, want := draw(diffview.Compute(parse(test.before), parse(test.after), false)), test.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func parse(text string) value.Value {
	if text == "" {
		return nil
	}
	return value.Must(text)
}

func TestChangedPartWithinALine(t *testing.T) {
	d := diffview.Compute(value.Must(`{"c":"old text"}`), value.Must(`{"c":"new text"}`), false)
	c := canvas.New(22, len(d.Rows), canvas.Unicode())
	for i := range d.Rows {
		d.Draw(c.Area(canvas.Rect{W: 22, H: 4}), i, i, 0)
	}
	rows := strings.Split(c.Styles(), "\n")
	marked := func(row, letter string) string {
		from, to := strings.Index(row, letter), strings.LastIndex(row, letter)
		return fmt.Sprint(from, "-", to)
	}
	// The styles are letters; AddedPart and RemovedPart stand for the word that changed, cells 10 to 12.
	if got := marked(rows[1], "m"); got != "10-12" {
		t.Errorf("removed: the marked part is %s of %q", got, rows[1])
	}
	if got := marked(rows[2], "l"); got != "10-12" {
		t.Errorf("added: the marked part is %s of %q", got, rows[2])
	}
}

func TestUnfold(t *testing.T) {
	d := diffview.Compute(value.Must(`{"o":{"a":1},"n":1}`), value.Must(`{"o":{"a":1},"n":2}`), true)
	want := "  {\n    \"o\": {\n      \"a\": 1\n    },\n-   \"n\": 1\n+   \"n\": 2\n  }"
	if got := draw(d); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

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

// document draws an arbitrary small JSON value; few keys and numbers make many coincidences.
func document(t *rapid.T, depth int) value.Value {
	switch n := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case n <= 1 && depth > 0:
		var b value.ObjectBuilder
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			b.Set(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key"), document(t, depth-1))
		}
		return b.Object()
	case n <= 3 && depth > 0:
		items := make([]value.Value, rapid.IntRange(0, 4).Draw(t, "items"))
		for i := range items {
			items[i] = document(t, depth-1)
		}
		return value.NewArray(items)
	}
	return value.Int(int64(rapid.IntRange(0, 2).Draw(t, "number")))
}

// TestBothSidesCanBeReadOffTheDiff takes the rows of each side and checks that they are that value's
// pretty form.
func TestBothSidesCanBeReadOffTheDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := document(t, 3), document(t, 3)
		d := diffview.Compute(before, after, true)
		if d.Unchanged {
			if value.Compact(before) != value.Compact(after) {
				t.Fatalf("%s and %s are said to be the same", value.Compact(before), value.Compact(after))
			}
			return
		}
		for _, side := range []struct {
			name string
			not  diffview.Kind
			v    value.Value
		}{{"before", diffview.Added, before}, {"after", diffview.Removed, after}} {
			var rows []string
			for _, row := range d.Rows {
				if row.Kind != side.not {
					rows = append(rows, strings.TrimSuffix(row.Line.Text("…"), ","))
				}
			}
			want := strings.Split(value.Pretty(side.v), "\n")
			for i := range want {
				want[i] = strings.TrimSuffix(want[i], ",")
			}
			if got, want := strings.Join(rows, "\n"), strings.Join(want, "\n"); got != want {
				t.Fatalf("%s: got\n%s\nwant\n%s", side.name, got, want)
			}
		}
	})
}

func TestLargeDocuments(t *testing.T) {
	big := func(mark string) value.Value {
		items := make([]value.Value, 50_000)
		for i := range items {
			items[i] = value.ObjectOf(value.Member{Key: "id", Value: value.Int(int64(i))}, value.Member{Key: "mark", Value: value.String(mark)})
		}
		return value.NewArray(items)
	}
	a, b := big("old"), big("new")
	d := diffview.Compute(a, b, false) // everything differs: members are matched by name
	if len(d.Rows) != 50_000*5+2 {
		t.Errorf("%d rows", len(d.Rows))
	}
	c := a.(*value.Array).With(25_000, value.Must(`{"id":25000,"mark":"x"}`))
	if d = diffview.Compute(a, c, false); len(d.Rows) != 9 {
		t.Errorf("one change in 50,000 items gives %d rows:\n%s", len(d.Rows), draw(d))
	}
}

func BenchmarkDiffOneChangeInFiveMegabytes(b *testing.B) {
	members := make([]value.Member, 50_000)
	for i := range members {
		members[i] = value.Member{Key: "key" + strconv.Itoa(i), Value: value.Must(`{"name":"a name that takes room","tags":["a","b"],"n":` + strconv.Itoa(i) + `}`)}
	}
	doc := value.NewObject(members)
	size := value.Size(doc)
	changed := doc.With("key777", value.Int(1))
	b.Run("shared", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			diffview.Compute(doc, changed, false)
		}
	})
	b.Run("parsed again", func(b *testing.B) {
		again := value.Must(value.Compact(changed))
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			diffview.Compute(doc, again, false)
		}
	})
	b.Run("lines only", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			jsonview.Lines(doc)
		}
	})
}
