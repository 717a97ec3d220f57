package graph

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
)

func parse(t testing.TB, name string, data []byte) *asl.StateMachine {
	t.Helper()
	definition, problems := asl.Parse(&source.File{Name: name, Data: data})
	if definition == nil {
		t.Skipf("%s is not accepted: %v", name, problems)
	}
	return definition
}

func allShapes() []Shape { return append(Boxes.shapes(), Chips.shapes()...) }

// failer is the common part of testing.T and rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// point is a cell of a drawing.
type point struct{ x, y int }

// cellsOf returns the directions of a line's cells.
func cellsOf(d *Drawing, l *line) map[point]uint8 {
	cells := map[point]uint8{}
	for at := l.head; at >= 0; at = d.links[at].next {
		for _, s := range d.segs[d.links[at].first:d.links[at].end] {
			for x := int(s.x1); x <= int(s.x2); x++ {
				for y := int(s.y1); y <= int(s.y2); y++ {
					bits := uint8(0)
					if x > int(s.x1) {
						bits |= west
					}
					if x < int(s.x2) {
						bits |= east
					}
					if y > int(s.y1) {
						bits |= north
					}
					if y < int(s.y2) {
						bits |= south
					}
					cells[point{x, y}] |= bits
				}
			}
		}
	}
	return cells
}

func onBorder(r canvas.Rect, p point) bool {
	return r.Contains(p.x, p.y) && (p.x == r.X || p.x == r.X+r.W-1 || p.y == r.Y || p.y == r.Y+r.H-1)
}

func beside(r canvas.Rect, p point) bool {
	return onBorder(r, p) || r.Contains(p.x+1, p.y) || r.Contains(p.x-1, p.y) || r.Contains(p.x, p.y+1) || r.Contains(p.x, p.y-1)
}

// check finds out whether a drawing has every property that it must have.
func check(t failer, d *Drawing) {
	t.Helper()
	checkNodes(t, d)
	seen := map[point]map[*asl.State]uint8{}
	starts := map[point]bool{}
	for i := range d.lines {
		l := &d.lines[i]
		cells := cellsOf(d, l)
		checkLine(t, d, l, cells)
		for p, bits := range cells {
			if seen[p] == nil {
				seen[p] = map[*asl.State]uint8{}
			}
			seen[p][l.to] |= bits
			if onBorder(d.Node(l.from).Rect, p) || l.catch && p.y == d.Node(l.from).Rect.Y+d.Node(l.from).Rect.H/2 {
				starts[p] = true // lines of one state begin together
			}
		}
	}
	for p, byTarget := range seen {
		if p.x < 0 || p.y < 0 || p.x >= d.w || p.y >= d.h {
			t.Fatalf("a line leaves the drawing at %v", p)
		}
		if starts[p] || len(byTarget) < 2 {
			continue
		}
		if len(byTarget) > 2 {
			t.Fatalf("at %v lines to %d states meet", p, len(byTarget))
		}
		all := uint8(0)
		for _, bits := range byTarget {
			if bits != east|west && bits != north|south || bits == all {
				t.Fatalf("at %v lines to different states meet and do not cross:\n%s", p, d.Text(canvas.Unicode(), nil))
			}
			all |= bits
		}
	}
	checkTexts(t, d, seen)
}

func checkNodes(t failer, d *Drawing) {
	t.Helper()
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.Rect.X < 0 || n.Rect.Y < 0 || n.Rect.X+n.Rect.W > d.w || n.Rect.Y+n.Rect.H > d.h {
			t.Fatalf("%s at %v leaves the drawing of %d x %d", n.State.Name, n.Rect, d.w, d.h)
		}
		if parent := n.State.Scope.Container; parent != nil {
			inner := d.Node(parent).Rect.Inner()
			if !inner.Contains(n.Rect.X, n.Rect.Y) || !inner.Contains(n.Rect.X+n.Rect.W-1, n.Rect.Y+n.Rect.H-1) {
				t.Fatalf("%s at %v is not inside %s at %v", n.State.Name, n.Rect, parent.Name, inner)
			}
		}
		for j := range d.nodes[:i] {
			o := &d.nodes[j]
			if overlap(n.Rect, o.Rect) && !within(n.State, o.State) && !within(o.State, n.State) {
				t.Fatalf("%s at %v and %s at %v overlap", n.State.Name, n.Rect, o.State.Name, o.Rect)
			}
		}
	}
}

func overlap(a, b canvas.Rect) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

func within(s, container *asl.State) bool {
	for s = s.Scope.Container; s != nil; s = s.Scope.Container {
		if s == container {
			return true
		}
	}
	return false
}

// checkLine: a line joins its ends cell by cell, and touches no other state.
func checkLine(t failer, d *Drawing, l *line, cells map[point]uint8) {
	t.Helper()
	from, to := d.Node(l.from).Rect, d.Node(l.to).Rect
	var todo []point
	reached := map[point]bool{}
	for p := range cells {
		if onBorder(from, p) {
			todo = append(todo, p)
			reached[p] = true
		}
	}
	arrives := false
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range d.arrows {
			arrives = arrives || (point{a.x, a.y}) == p && beside(to, p)
		}
		for bit, next := range map[uint8]point{north: {p.x, p.y - 1}, south: {p.x, p.y + 1}, east: {p.x + 1, p.y}, west: {p.x - 1, p.y}} {
			if cells[p]&bit != 0 && !reached[next] {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	if !arrives || len(reached) != len(cells) {
		t.Fatalf("the line from %s to %s does not join them (%d of %d cells)\n%s", l.from.Name, l.to.Name, len(reached), len(cells), d.Text(canvas.Unicode(), nil))
	}
	for p := range cells {
		for _, state := range l.from.Scope.States {
			if r := d.Node(state).Rect; r.Contains(p.x, p.y) && !(onBorder(r, p) && (state == l.from || state == l.to)) {
				t.Fatalf("the line from %s to %s crosses %s at %v\n%s", l.from.Name, l.to.Name, state.Name, p, d.Text(canvas.Unicode(), nil))
			}
		}
	}
}

// checkTexts: a condition covers nothing, and is next to no line but its own.
func checkTexts(t failer, d *Drawing, lines map[point]map[*asl.State]uint8) {
	t.Helper()
	taken := map[point]bool{}
	for i := range d.texts {
		text := &d.texts[i]
		own := cellsOf(d, &line{head: text.link})
		for x := text.x - 1; x <= text.x+text.width; x++ {
			p := point{x, text.y}
			if _, mine := own[p]; lines[p] != nil && !mine && !fromState(d, text.state, p) {
				t.Fatalf("the text %q touches another line at %v\n%s", text.text, p, d.Text(canvas.Unicode(), nil))
			}
			if x < text.x || x == text.x+text.width {
				continue
			}
			if taken[p] {
				t.Fatalf("the text %q is on another", text.text)
			}
			taken[p] = true
			for _, state := range text.state.Scope.States {
				if d.Node(state).Rect.Contains(p.x, p.y) {
					t.Fatalf("the text %q is on %s", text.text, state.Name)
				}
			}
		}
	}
}

// fromState reports whether a line of the state itself passes p.
func fromState(d *Drawing, state *asl.State, p point) bool {
	for _, at := range d.linesOf[state] {
		if _, ok := cellsOf(d, &d.lines[at])[p]; ok {
			return true
		}
	}
	return false
}

func checkAll(t testing.TB, definition *asl.StateMachine) {
	m := Build(definition)
	folds := Folds{}
	for _, state := range m.States() {
		if m.Inside(state) > 0 {
			folds[state] = true
		}
	}
	for _, shape := range allShapes() {
		for _, f := range []Folds{nil, folds} {
			d := Layout(m, shape, f)
			check(t, d)
			if again := Layout(Build(definition), shape, f); !reflect.DeepEqual(d.block, again.block) {
				t.Fatalf("%v: the second layout differs from the first", shape)
			}
		}
	}
}

func TestCorpusHasEveryProperty(t *testing.T) {
	dir := filepath.Join(testkit.Dir(t, "workflows"), "files")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			t.Parallel()
			checkAll(t, parse(t, entry.Name(), testkit.Read(t, dir, entry.Name())))
		})
	}
}

func TestExamplesHaveEveryProperty(t *testing.T) {
	for _, pattern := range []string{"../../../testdata/examples/*/*.asl.json", "../../../internal/definitions/*.asl.json", "testdata/*.asl.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no definition matches %s: %v", pattern, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) { checkAll(t, parse(t, file, testkit.Read(t, file))) })
		}
	}
}

// TestRandomMachines draws machines that no person would write.
func TestRandomMachines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		counter := 0
		text, err := json.Marshal(randomScope(rt, 0, &counter))
		if err != nil {
			rt.Fatal(err)
		}
		definition, problems := asl.Parse(&source.File{Name: "random.asl.json", Data: text})
		if definition == nil {
			rt.Fatalf("%s: %v", text, problems)
		}
		m := Build(definition)
		check(rt, Layout(m, rapid.SampledFrom(allShapes()).Draw(rt, "shape"), nil))
	})
}

// randomScope makes a scope with a chain through all of its states, so that each can be reached.
func randomScope(t *rapid.T, depth int, counter *int) map[string]any {
	n := rapid.IntRange(1, 9-2*depth).Draw(t, "states")
	names := make([]string, n)
	for i := range names {
		*counter++
		names[i] = strings.Repeat("N", rapid.IntRange(1, 24).Draw(t, "name")) + strconv.Itoa(*counter)
	}
	states := map[string]any{}
	other := func() string { return names[rapid.IntRange(0, n-1).Draw(t, "other")] }
	for i, name := range names {
		states[name] = randomState(t, depth, counter, other, names, i)
	}
	return map[string]any{"StartAt": names[0], "States": states}
}

func randomState(t *rapid.T, depth int, counter *int, other func() string, names []string, i int) map[string]any {
	state := map[string]any{}
	kinds := []string{"Task", "Choice", "Pass", "Task"}
	if depth < 2 {
		kinds = append(kinds, "Parallel", "Map")
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	if kind == "Choice" && i+1 == len(names) {
		kind = "Pass"
	}
	state["Type"] = kind
	switch kind {
	case "Choice":
		var rules []any
		for range rapid.IntRange(1, 5).Draw(t, "rules") {
			rules = append(rules, map[string]any{"Variable": "$." + strings.Repeat("v", rapid.IntRange(1, 20).Draw(t, "variable")), "NumericEquals": 1, "Next": other()})
		}
		state["Choices"], state["Default"] = rules, names[i+1]
		return state
	case "Task":
		state["Resource"] = "arn:aws:lambda:us-east-1:123456789012:function:f"
	case "Parallel":
		var branches []any
		for range rapid.IntRange(1, 3).Draw(t, "branches") {
			branches = append(branches, randomScope(t, depth+1, counter))
		}
		state["Branches"] = branches
	case "Map":
		state["ItemProcessor"] = randomScope(t, depth+1, counter)
	}
	if state["End"] = true; i+1 < len(names) {
		delete(state, "End")
		state["Next"] = names[i+1]
	}
	if kind != "Pass" {
		var catchers []any
		if i+1 < len(names) && rapid.Bool().Draw(t, "elsewhere") {
			catchers = append(catchers, map[string]any{"ErrorEquals": []string{"Elsewhere"}, "Next": names[i+1]})
			state["Next"] = other()
		}
		for c := range rapid.IntRange(0, 2).Draw(t, "catchers") {
			catchers = append(catchers, map[string]any{"ErrorEquals": []string{fmt.Sprintf("E%d", c)}, "Next": other()})
		}
		if catchers != nil {
			state["Catch"] = catchers
		}
	}
	return state
}
