package tree_test

import (
	"strings"
	"testing"

	"asldb/engine/value"
	"asldb/tui/part/tree"
)

func changed(before, after value.Value) *tree.Tree {
	return tree.OfDifference(before, after, tree.Unified, tree.Usual)
}

// TestTheChangeIsOnTheRow: a text begins shortly before its change where that is beyond the row.
func TestTheChangeIsOnTheRow(t *testing.T) {
	same := strings.Repeat("0123456789", 500)
	object := func(key, text string) value.Value {
		return value.ObjectOf(value.Member{Key: key, Value: value.String(text)})
	}
	for _, test := range []struct{ name, key, before, after, want string }{
		{"beyond the row", "v", same + "x tail", same + "y tail", `
  {
-   "v": "…123456789x tail"
+   "v": "…123456789y tail"
  }`},
		{"an end", "v", same, same + "more", `
  {
-   "v": "…123456789"
+   "v": "…123456789more"
  }`},
		{"near the beginning", "v", "abc " + same, "abd " + same, `
  {
-   "v": "abc 01234567890123456789012…
+   "v": "abd 01234567890123456789012…
  }`},
		{"behind a long name", strings.Repeat("name", 10), "abc", "abd", `
  {
- …amenamename": "abc"
+ …amenamename": "abd"
  }`},
	} {
		tree := changed(object(test.key, test.before), object(test.key, test.after))
		if got := "\n" + painted(draw(tree, 38, "")); got != test.want {
			t.Errorf("%s: got%s\nwant%s", test.name, got, test.want)
		}
	}
}

// TestJSONInsideOfATextIsData: both texts are unpacked and compared member by member; a path leads to the text.
func TestJSONInsideOfATextIsData(t *testing.T) {
	tree := differ(`{"body":"{\"id\":7,\"lines\":[1,2],\"n\":1}","m":1}`, `{"body":"{\"id\":7,\"lines\":[1,3],\"n\":1}","m":1}`)
	want := `
  {
    "body": JSON {
      "id": 7,
      "lines": [
        1,
-       2
+       3
      ],
      "n": 1
    },
    "m": 1
  }`
	if got := "\n" + painted(draw(tree, 60, "")); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	if row := tree.Row(1); row.Path() != "$.body" || row.Value() != value.String(`{"id":7,"lines":[1,3],"n":1}`) || row.InText() {
		t.Errorf("the text is %s: %v", row.Path(), row.Value())
	}
	if row := tree.Row(6); row.Path() != "$.body" || !value.Equal(row.Value(), value.Int(3)) || !row.InText() {
		t.Errorf("inside of the text %s is %v", row.Path(), row.Value())
	}
	if row, there := tree.Reveal("$.body"); !there || row != 1 {
		t.Errorf("$.body is row %d, %v", row, there)
	}
	if row, _, ok := tree.Find("lines", 0, false); !ok || row != 3 {
		t.Errorf("lines are in row %d, %v", row, ok)
	}
	tree.Toggle(1)
	if got := strings.TrimSpace(tree.Text(1)); !strings.HasSuffix(got, `"body": JSON { … 3 members, changed inside … },`) {
		t.Errorf("folded it is %q", got)
	}
	same := differ(`{"body":"{\"a\": 1}"}`, `{"body":"{\"a\":1}"}`)
	if got := text(same); !strings.Contains(got, `-   "body": "{\"a\": 1}"`) {
		t.Errorf("texts with the same data:\n%s", got)
	}
}

// TestAMovedMemberShowsItsChange: of a member at another place both rows begin before the change.
func TestAMovedMemberShowsItsChange(t *testing.T) {
	same := strings.Repeat("0123456789", 50)
	rows := painted(draw(differ(`{"v":"`+same+`x","m":1}`, `{"m":2,"v":"`+same+`y"}`), 38, ""))
	for _, want := range []string{`-   "v": "…`, `+   "v": "…`, `x",`, `y"`} {
		if !strings.Contains(rows, want) {
			t.Errorf("there is no %s in\n%s", want, rows)
		}
	}
}
