package tree_test

import (
	"fmt"
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
)

// text is all rows of a tree.
func text(t *tree.Tree) string {
	rows := make([]string, t.Len())
	for i := range rows {
		rows[i] = strings.TrimRight(t.Text(i), " ")
	}
	return strings.Join(rows, "\n")
}

// draw paints a tree w cells wide.
func draw(t *tree.Tree, w int, needle string) *canvas.Canvas {
	c := canvas.New(w, max(1, t.Len()), canvas.Unicode())
	for i := range t.Len() {
		t.Draw(c.Area(canvas.Rect{W: w, H: t.Len()}), i, i, 0, needle)
	}
	return c
}

func painted(c *canvas.Canvas) string {
	rows := strings.Split(c.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}

func parse(text string) value.Value {
	if text == "" {
		return nil
	}
	return value.Must(text)
}

func differ(before, after string) *tree.Tree {
	return tree.OfDifference(parse(before), parse(after), tree.Unified, tree.Usual)
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
+   "x": true
-   "a": 1,
-   "b": 2,
-   "c": 3,
-   "d": 4
  }`,
		},
		{
			"everything replaced, names stay", `{"order":{"id":7,"total":9},"customer":{"name":"Ada"},"n":1}`, `{"Error":"E","Cause":"c"}`, `
  {
+   "Error": "E",
+   "Cause": "c"
-   "order": { … 2 members, 4 lines … },
-   "customer": { … 1 member, 3 lines … },
-   "n": 1
  }`,
		},
		{
			"very many replaced", `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":{"x":1},"m":13}`, `{"z":true}`, `
  {
+   "z": true
-   "a": 1,
-   "b": 2,
-   "c": 3,
-   "d": 4,
-   "e": 5,
-   "f": 6,
-   "g": 7,
-   "h": 8,
-   "i": 9,
-   "j": 10,
-   "k": 11,
-   … l, m replaced …
  }`,
		},
		{"items replaced", `[1,2,3,4]`, `["x"]`, "\n  [\n+   \"x\"\n-   … 4 items replaced …\n  ]"},
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
		{"a large member went", `{"a":1,"b":[` + strings.Repeat("0,", 99) + `0]}`, `{"a":1}`, "\n  {\n    \"a\": 1\n-   \"b\": [ … 100 items, 102 lines … ]\n  }"},
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
			if got, want := text(tree.OfDifference(parse(test.before), parse(test.after), tree.Unified, tree.Usual)), test.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAMovedMember(t *testing.T) {
	want := "  {\n+   \"z\": 3,\n    \"x\": 1,\n    \"y\": 2\n-   \"z\": 3\n  }"
	if got := text(differ(`{"x":1,"y":2,"z":3}`, `{"z":3,"x":1,"y":2}`)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnItemAmongMany(t *testing.T) {
	shown := differ(`[0,1,2,3,4,5,6,7,8,9,10,11,12]`, `[0,1,2,3,99,4,5,6,7,8,9,11,12]`)
	want := "  [\n    0,\n    1,\n    2,\n    3,\n+   99,\n    4,\n    … 4 unchanged lines …\n    9,\n-   10,\n    11,\n    12\n  ]"
	want = strings.Replace(want, "    4,\n    … 4 unchanged lines …\n    9,", "    4,\n    5,\n    6,\n    7,\n    8,\n    9,", 1)
	if got := text(shown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFoldingAndUnfolding(t *testing.T) {
	shown := tree.OfValue(parse(`{"a":{"b":[1,2]},"c":"d"}`), tree.Usual)
	if got, want := text(shown), "  {\n    \"a\": {\n      \"b\": [\n        1,\n        2\n      ]\n    },\n    \"c\": \"d\"\n  }"; got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	row, ok := shown.Toggle(3) // the item 1: its array is folded
	if got, want := text(shown), "  {\n    \"a\": {\n      \"b\": [ … 2 items … ]\n    },\n    \"c\": \"d\"\n  }"; got != want || row != 2 || !ok {
		t.Fatalf("row %d, got\n%s\nwant\n%s", row, got, want)
	}
	shown.Toggle(3) // the closing bracket of a
	if got, want := text(shown), "  {\n    \"a\": { … 1 member … },\n    \"c\": \"d\"\n  }"; got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	shown.Toggle(1) // nodes folded inside stay so
	if got, want := shown.Text(2), "      \"b\": [ … 2 items … ]"; got != "  "+want[2:] {
		t.Fatalf("got %q", got)
	}
	if all := tree.OfValue(parse(`{"a":{"b":[1,2]},"c":"d"}`), tree.AllFolded); all.Len() != 4 {
		t.Errorf("all folded:\n%s", text(all))
	}
}

func TestARunIsOpenedByItself(t *testing.T) {
	shown := differ(`{"a":1,"b":2,"c":3,"d":4,"e":[1,2],"f":6,"z":0}`, `{"a":1,"b":2,"c":3,"d":4,"e":[1,2],"f":6,"z":9}`)
	row, _ := shown.Toggle(1)
	if got, want := shown.Text(row)+shown.Text(row+4), "    \"a\": 1,    \"e\": [ … 2 unchanged … ],"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if row, _ = shown.Toggle(row + 1); row != 1 || shown.Text(1) != "    … 8 unchanged lines …" {
		t.Errorf("row %d:\n%s", row, text(shown))
	}
}

func TestTwoColumns(t *testing.T) {
	shown := tree.OfDifference(parse(`{"a":1,"b":{"c":"old"},"gone":[1]}`), parse(`{"a":1,"b":{"c":"new"},"came":true}`), tree.SideBySide, tree.Usual)
	want := `  {                             │   {
    "a": 1,                     │     "a": 1,
    "b": {                      │     "b": {
~     "c": "old"                │ ~     "c": "new"
    },                          │     },
-   "gone": [                   │
-     1                         │
-   ]                           │
                                │ +   "came": true
  }                             │   }`
	if got := painted(draw(shown, 66, "")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestChangedPartWithinALine(t *testing.T) {
	rows := strings.Split(draw(differ(`{"c":"old text"}`, `{"c":"new text"}`), 22, "").Styles(), "\n")
	marked := func(row, letter string) string {
		return fmt.Sprint(strings.Index(row, letter), "-", strings.LastIndex(row, letter))
	}
	// The styles are letters; AddedPart and RemovedPart stand for the word that changed, cells 10 to 12.
	if got := marked(rows[1], "m"); got != "10-12" {
		t.Errorf("removed: the marked part is %s of %q", got, rows[1])
	}
	if got := marked(rows[2], "l"); got != "10-12" {
		t.Errorf("added: the marked part is %s of %q", got, rows[2])
	}
}

func TestWhatIsFoundIsMarked(t *testing.T) {
	c := draw(tree.OfValue(parse(`{"name":"Rename"}`), tree.Usual), 30, "name")
	row := strings.Split(c.Styles(), "\n")[1]
	var marked []int
	for i, r := range row {
		if r >= 'A' && r <= 'Z' || r == '@' {
			marked = append(marked, i)
		}
	}
	if got := fmt.Sprint(marked); got != "[5 6 7 8 15 16 17 18]" {
		t.Errorf("marked cells %s of %q", got, row)
	}
}

func TestFind(t *testing.T) {
	shown := differ(`{"a":{"deep":{"needle":1}},"b":2,"list":["x","NEEDLES"]}`, `{"a":{"deep":{"needle":1}},"b":3,"list":["x","NEEDLES"]}`)
	at := func(from int, back bool, want string, wrap bool) int {
		t.Helper()
		row, wrapped, ok := shown.Find("needle", from, back)
		if !ok || wrapped != wrap || strings.TrimSpace(shown.Text(row)) != want {
			t.Fatalf("from %d: row %d %q (wrapped %v, ok %v), want %q\n%s", from, row, shown.Text(row), wrapped, ok, want, text(shown))
		}
		return row
	}
	row := at(0, false, `"needle": 1`, false)
	row = at(row, false, `"NEEDLES"`, false)
	row = at(row, false, `"needle": 1`, true)
	row = at(row, true, `"NEEDLES"`, true)
	at(row, true, `"needle": 1`, false)
	if _, _, ok := shown.Find("nothing of the kind", 0, false); ok {
		t.Error("found a missing text")
	}
}
