package dialog

import (
	"strconv"
	"strings"
	"testing"

	"asldb/engine/value"
)

// TestTree has the keys of the data pane.
func TestTree(t *testing.T) {
	v := value.Must(`{"order":{"id":7,"lines":[{"sku":"TEA"},{"sku":"POT"}]},"paid":true}`)
	s := around(t)
	tree := NewTree(s, "$states.result", v, nil)
	s.show(tree).sees("$states.result", `"sku": "POT"`, "$  object, 2 members", "space fold")
	s.press("down", " ").sees(`"order": { .. 2 members .. }`, "$.order  object, 2 members")
	s.press("enter").sees(`"sku": "TEA"`).press(":fold-all")
	s.press("y")
	if got := strings.Join(s.did, " "); !strings.HasPrefix(got, "copy {\n  \"id\": 7") || s.said[0] != "Copied $.order, 46 B, to the terminal's clipboard." {
		t.Errorf("%q, %q", got, s.said)
	}
	s.press("/").typed("pot").press("enter").sees("$.order.lines[1].sku")
	s.press("n").sees("$.order.lines[1].sku").press("l", "h", "g").sees("$  object")
	s.press("/")
	if s.press("esc"); s.open != tree {
		t.Error("the prompt does not go back to the tree")
	}
	s.press("/").typed("none").press("enter")
	if said := s.said[len(s.said)-1]; said != "Not found: none" {
		t.Errorf("said %q", said)
	}
	s.press("esc").closed()
}

// TestGreatTree: a great value is folded at first.
func TestGreatTree(t *testing.T) {
	items := make([]value.Value, foldedFrom)
	for i := range items {
		items[i] = value.Must(`{"n":` + strconv.Itoa(i) + `}`)
	}
	s := around(t)
	s.show(NewTree(s, "$", value.NewArray(items), nil)).sees("[", "row 1 of 2002").press("G").sees("row 2002 of 2002")
}
