package tree_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/tui/part/tree"
)

// document draws an arbitrary small JSON value; few keys and numbers make many coincidences.
func document(t *rapid.T, depth int) value.Value {
	switch n := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case n <= 1 && depth > 0:
		var b value.ObjectBuilder
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			b.Set(rapid.SampledFrom([]string{"a", "b", "it's", "d e"}).Draw(t, "key"), document(t, depth-1))
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

// TestBothSidesCanBeReadOffTheDifference takes the rows of each side and checks that they are that value's pretty form.
func TestBothSidesCanBeReadOffTheDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := document(t, 3), document(t, 3)
		shown := tree.OfDifference(before, after, tree.Unified, tree.AllOpen)
		for _, side := range []struct {
			not string
			v   value.Value
		}{{"+", before}, {"-", after}} {
			var rows []string
			for i := range shown.Len() {
				if row := shown.Text(i); !strings.HasPrefix(row, side.not) {
					rows = append(rows, strings.TrimSuffix(row[2:], ","))
				}
			}
			want := strings.Split(value.Pretty(side.v), "\n")
			for i := range want {
				want[i] = strings.TrimSuffix(want[i], ",")
			}
			if got, want := strings.Join(rows, "\n"), strings.Join(want, "\n"); got != want {
				t.Fatalf("without %s: got\n%s\nwant\n%s", side.not, got, want)
			}
		}
	})
}

// TestPathsLeadToTheValues follows the path of every row in the document that it is about.
func TestPathsLeadToTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := document(t, 3), document(t, 3)
		layout := tree.Layout(rapid.IntRange(0, 1).Draw(t, "layout"))
		shown := tree.OfDifference(before, after, layout, tree.AllOpen)
		for i := range shown.Len() {
			row := shown.Row(i)
			doc := after
			if row.Change() == tree.Removed {
				doc = before
			}
			p, err := path.Parse(row.Path())
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Find(&path.Roots{Data: doc}); !value.Equal(got, row.Value()) {
				t.Fatalf("row %d: %s leads to %s, want %s", i, row.Path(), value.Compact(got), value.Compact(row.Value()))
			}
			if at := shown.Locate(row.Path()); row.Change() != tree.Removed && shown.Row(at).Path() != row.Path() {
				t.Fatalf("%s is located at %s", row.Path(), shown.Row(at).Path())
			}
		}
	})
}

// TestFoldingKeepsTheRowsTogether folds and unfolds at random and checks that the rows stay a tree's, that the row that
// Toggle returns is the folded node's or, where it was a scalar, of the one around it, and that
// doing it twice changes nothing.
func TestFoldingKeepsTheRowsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := document(t, 4), document(t, 4)
		var shown *tree.Tree
		folding := tree.Folding(rapid.IntRange(0, 2).Draw(t, "folding"))
		if rapid.Bool().Draw(t, "difference") {
			shown = tree.OfDifference(before, after, tree.Layout(rapid.IntRange(0, 1).Draw(t, "layout")), folding)
		} else {
			shown = tree.OfValue(after, folding)
		}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			at := rapid.IntRange(0, shown.Len()-1).Draw(t, "row")
			path, old, around := shown.Row(at).Path(), text(shown), nodesAround(shown, at)
			run := shown.Row(at).Value() == nil
			row, ok := shown.Toggle(at)
			if row < 0 || row >= shown.Len() {
				t.Fatalf("row %d of %d", row, shown.Len())
			}
			// The paths say nothing of that: an item that was removed has its path in the value before, and the items around it
			// theirs in the value after.
			switch got := shown.Row(row); {
			case slices.Contains(around, got.Node):
			case run && row == at: // its first part
			case got.Value() == nil && row > 0 && slices.Contains(nodesAround(shown, row), around[len(around)-2]): // a run that is folded
			default:
				t.Fatalf("folding %s leads to %s", path, got.Path())
			}
			consistent(t, shown)
			if !ok && text(shown) != old {
				t.Fatal("nothing was folded, and the rows are others")
			}
			if ok && rapid.Bool().Draw(t, "again") && shown.Row(row).Foldable() {
				if shown.Toggle(row); text(shown) != old && strings.HasPrefix(path, shown.Row(row).Path()+".") {
					t.Fatalf("folding twice: got\n%s\nwant\n%s", text(shown), old)
				}
			}
			needle := rapid.SampledFrom([]string{"1", "a", "it", "zz"}).Draw(t, "needle")
			if hit, _, ok := shown.Find(needle, row, rapid.Bool().Draw(t, "back")); ok && !strings.Contains(shown.Text(hit), needle) && !shown.Columns() {
				t.Fatalf("found %q in %q", needle, shown.Text(hit))
			}
			consistent(t, shown)
		}
	})
}

// nodesAround returns the nodes that a row is inside of, from the outermost to its own.
func nodesAround(shown *tree.Tree, at int) []*tree.Node {
	var around []*tree.Node
	for i := range at {
		switch row := shown.Row(i); row.Part {
		case tree.Open:
			around = append(around, row.Node)
		case tree.Close:
			around = around[:len(around)-1]
		case tree.Whole:
		}
	}
	if shown.Row(at).Part == tree.Close {
		return around
	}
	return append(around, shown.Row(at).Node)
}

// consistent checks that every row is found again by its node.
func consistent(t *rapid.T, shown *tree.Tree) {
	for i := range shown.Len() {
		row := shown.Row(i)
		first := shown.RowOf(row.Node)
		if first > i || shown.Row(first).Node != row.Node {
			t.Fatalf("row %d is of a node at row %d", i, first)
		}
		_ = shown.Text(i)
	}
}
