package checks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/starter"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/testkit"
	"asldb/internal/testkit/runs"
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/tree"
)

// dataWidth is the width of the rows of data on a screen of 80 cells.
const dataWidth = 76

// leaves counts the changed texts that were looked at, in values that were not looked at before.
type leaves struct {
	stages, real, made, rows int
	known                    map[string]bool
}

// TestDifferencesCanBeRead looks at the data of each stage of all recorded executions and of runs of the published
// workflows: wherever a text was changed, the rows of 80 cells contain characters that differ, and they are marked.
// Stages seldom change a text, so each text is also changed at its beginning, its middle and its end.
func TestDifferencesCanBeRead(t *testing.T) {
	n := leaves{known: make(map[string]bool)}
	for _, c := range runs.LoadAWS(t) {
		if s, _, err := runCase(c); err == nil {
			n.log(t, c.Name, s.Log())
		}
	}
	files, err := filepath.Glob(filepath.Join(testkit.Dir(t, "workflows"), "files", "*.asl.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	for _, file := range files {
		if s := workflow(t, file); s != nil {
			n.log(t, filepath.Base(file), s.Log())
		}
	}
	t.Logf("%d stages, %d texts that they change, %d texts changed here, %d rows", n.stages, n.real, n.made, n.rows)
	if n.stages == 0 || n.real == 0 || n.made == 0 || n.rows < n.made {
		t.Error("too little was looked at")
	}
}

// workflow runs a definition with the fixtures that are made for it; nil where it is not taken.
func workflow(t *testing.T, file string) *debug.Session {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	definition, _ := asl.Parse(&source.File{Name: file, Data: data})
	if definition == nil {
		return nil
	}
	machine, err := engine.Compile(definition, engine.AWS)
	if err != nil {
		return nil
	}
	made, err := fixtures.Load("init.yaml", starter.Draft(t.Context(), definition).YAML())
	if err != nil {
		t.Fatal(file, err)
	}
	bound, err := made.Source(definition)
	if err != nil {
		return nil
	}
	s := debug.New(machine, debug.Options{
		Input: made.Input, Context: made.Context, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: 1,
		Source: fixtures.OnMissing(bound, fixtures.Fail), Limits: engine.Limits{History: 2000},
	})
	if _, err := s.Do(debug.Command{Kind: debug.Continue}); err != nil {
		return nil
	}
	return s
}

// log looks at the stages of a run. Values that were looked at already are passed over.
func (n *leaves) log(t *testing.T, name string, log *runlog.Log) {
	for e := range log.All() {
		if e.Type != engine.StageCompleted || e.Before == nil || e.After == nil {
			continue
		}
		n.stages++
		n.real += n.difference(t, name, e.Before, e.After)
		if value.Size(e.After) > 20_000 {
			continue // the payloads at the limit are one letter many times
		}
		if key := value.Compact(e.After); !n.known[key] {
			n.known[key] = true
			for _, at := range []int{0, 1, 2} {
				n.made += n.difference(t, name, e.After, edited(e.After, at))
			}
		}
	}
}

// edited changes a character of every text of a value: the first, the middle one or the last.
func edited(v value.Value, at int) value.Value {
	switch v := v.(type) {
	case value.String:
		runes := []rune(v)
		if len(runes) == 0 {
			return value.String("x")
		}
		place := []int{0, len(runes) / 2, len(runes) - 1}[at]
		if runes[place] == 'x' {
			runes[place] = 'y'
		} else {
			runes[place] = 'x'
		}
		return value.String(runes)
	case *value.Array:
		items := make([]value.Value, v.Len())
		for i := range items {
			items[i] = edited(v.At(i), at)
		}
		return value.NewArray(items)
	case *value.Object:
		members := make([]value.Member, 0, v.Len())
		for key, m := range v.All() {
			members = append(members, value.Member{Key: key, Value: edited(m, at)})
		}
		return value.NewObject(members)
	}
	return v
}

// difference checks the rows of a difference in both layouts, and the lines of reports; it returns the number of
// changed texts.
func (n *leaves) difference(t *testing.T, name string, before, after value.Value) (texts int) {
	unified := tree.OfDifference(before, after, tree.Unified, tree.Usual)
	rows, style := drawn(unified)
	for i := range unified.Len() {
		row := unified.Row(i)
		a, b, ok := row.Texts()
		if !ok || row.Change() != tree.Removed {
			continue
		}
		texts++
		n.rows++
		k := i + 1 // the row of the new text, behind the other rows that go with this one
		for k < unified.Len() && (unified.Row(k).Path() != row.Path() || unified.Row(k).Change() != tree.Added) {
			k++
		}
		if k == unified.Len() {
			t.Fatalf("%s: %s has no row of the new text %.300q", name, row.Path(), b)
		}
		if string([]rune(rows[i])[1:]) == string([]rune(rows[k])[1:]) || !style(i, 0) && !style(k, 0) {
			t.Fatalf("%s: %s from\n%.300q to\n%.300q is shown as\n%s\n%s", name, row.Path(), a, b, rows[i], rows[k])
		}
	}
	side := tree.OfDifference(before, after, tree.SideBySide, tree.Usual)
	rows, style = drawn(side)
	half := (dataWidth - 3) / 2
	for i := range side.Len() {
		row := side.Row(i)
		if a, b, ok := row.Texts(); ok && row.Change() == tree.Replaced {
			n.rows++
			cells := []rune(rows[i])
			if !style(i, 0) && !style(i, half) || string(cells[2:half]) == string(cells[half+5:]) {
				t.Fatalf("%s: %s from\n%.300q to\n%.300q is shown as\n%s", name, row.Path(), a, b, rows[i])
			}
		}
	}
	var finding suite.Finding
	finding.Differences = value.List(before, after)
	for i := range finding.Differences {
		d := &finding.Differences[i]
		was, is := value.Pair(d.Wanted, d.Found, 60)
		if wording.Line(was) == wording.Line(is) && wording.Bare(was) != wording.Bare(is) {
			t.Fatalf("%s: %s is reported as %s twice", name, d.Path, was)
		}
	}
	lines := suiterun.Differences(&finding)
	for i := 0; i+1 < len(lines); i++ {
		if _, was, ok := strings.Cut(lines[i], "  - "); ok {
			if is := strings.TrimPrefix(strings.TrimLeft(lines[i+1], " "), "+ "); is == was {
				t.Fatalf("%s: reported as\n%s\n%s", name, lines[i], lines[i+1])
			}
		}
	}
	return texts
}

// drawn paints all rows of a tree. marked reports whether a row has a cell with the style of a changed part from a
// column on, up to the middle for the left column.
func drawn(shown *tree.Tree) (rows []string, marked func(i, from int) bool) {
	c := canvas.New(dataWidth, max(shown.Len(), 1), canvas.Unicode())
	for i := range shown.Len() {
		shown.Draw(c.Area(canvas.Rect{W: dataWidth, H: shown.Len()}), i, i, 0, "")
	}
	return strings.Split(c.String(), "\n"), func(i, from int) bool {
		for x := from; x < dataWidth; x++ {
			if style := c.At(x, i).Style; style == canvas.RemovedPart || style == canvas.AddedPart {
				return true
			}
		}
		return false
	}
}
