package checks

import (
	"path/filepath"
	"strings"
	"testing"

	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
)

// rowsAt80 is how many cells a row of the data has on a screen of 80.
const rowsAt80 = 76

// Each changed leaf of each stage of the runs of the corpus has two rows that differ, without a key, at 80 cells.
func TestChangesAreReadable(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	// A long text with one change goes through the states, whatever they do with it.
	long := strings.Repeat("0123456789", 90)
	input := value.Must(`{"id":"` + long + `","list":[{"a":"` + long + `1"},2]}`)
	stages, leaves := 0, 0
	for _, file := range files {
		run, err := launch.New(launch.Spec{
			Definition: definitions.Definition{File: file}, Missing: fixtures.Echo, Input: launch.Input{Value: input},
		})
		if err != nil {
			continue // a template without its values, for example
		}
		_, err = run.Session.Do(debug.Command{Kind: debug.Continue, Events: 400})
		if err != nil {
			t.Fatal(file, err)
		}
		for e := range run.Session.Log().All() {
			if e.Before == nil || e.After == nil || value.Equal(e.Before, e.After) {
				continue
			}
			stages++
			for _, layout := range []tree.Layout{tree.Unified, tree.SideBySide} {
				leaves += readable(t, filepath.Base(file), e.Before, e.After, layout)
			}
			// The same stage with another end of each text: the changes lie behind what fits.
			leaves += readable(t, filepath.Base(file), e.After, ending(e.After), tree.Unified)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	}
	if stages < 100 || leaves < 100 {
		t.Errorf("%d stages, %d changed leaves: that shows little", stages, leaves)
	}
	t.Logf("%d stages, %d changed leaves", stages, leaves)
}

// readable checks the rows of a difference, and returns how many changed leaves it has.
func readable(t *testing.T, name string, before, after value.Value, layout tree.Layout) (leaves int) {
	t.Helper()
	d := tree.OfDifference(before, after, layout, tree.Usual)
	c := canvas.New(rowsAt80, max(d.Len(), 1), canvas.Unicode())
	for i := range d.Len() {
		d.Draw(c.Area(canvas.Rect{W: rowsAt80, H: d.Len()}), i, i, 0, "")
	}
	rows := strings.Split(c.String(), "\n")
	for i := range d.Len() {
		was, is, ok := d.Row(i).Texts()
		if !ok || was == is || d.Row(i).Change() != tree.Removed && d.Row(i).Change() != tree.Replaced {
			continue
		}
		leaves++
		left, right := rows[i], ""
		if layout == tree.SideBySide && d.Row(i).Change() == tree.Replaced {
			half := []rune(rows[i])
			left, right = string(half[:len(half)/2]), string(half[len(half)/2+1:])
		} else {
			right = otherRow(d, rows, i)
		}
		if bare(left) == bare(right) {
			t.Errorf("%s: %.60q and %.60q look alike:\n%s\n%s", name, was, is, left, right)
		}
	}
	return leaves
}

// otherRow is the row of the text that replaced the one in row i: one that was added with its path.
func otherRow(d *tree.Tree, rows []string, i int) string {
	for j := range d.Len() {
		if d.Row(j).Change() == tree.Added && d.Row(j).Path() == d.Row(i).Path() {
			return rows[j]
		}
	}
	return ""
}

// bare is a row without its sign, and without the comma and the blanks at its end.
func bare(row string) string {
	return strings.Trim(strings.TrimLeft(strings.TrimSpace(row), "-+~▸ "), ", │")
}

// ending returns a value whose texts have another last character.
func ending(v value.Value) value.Value {
	switch v := v.(type) {
	case value.String:
		return v + "!"
	case *value.Array:
		items := make([]value.Value, v.Len())
		for i, item := range v.All() {
			items[i] = ending(item)
		}
		return value.NewArray(items)
	case *value.Object:
		var o value.ObjectBuilder
		for key, member := range v.All() {
			o.Set(key, ending(member))
		}
		return o.Object()
	}
	return v
}
