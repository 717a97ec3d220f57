package graph

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"asldb/engine/asl"
	"asldb/internal/testkit"
	"asldb/tui/part/canvas"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := string(testkit.Read(t, file)); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// underway is a run of the loop example that waits for the second retry of Charge.
func underway(s *asl.State) Mark {
	switch s.Name {
	case "Validate":
		return Mark{Visited: true, Badge: "(2) «1"}
	case "Route", "Verdict", "Review":
		return Mark{Visited: true, Breakpoint: s.Name == "Review"}
	case "Charge":
		return Mark{Visited: true, Current: true, Active: true, Waiting: true, Badge: "«2/5"}
	case "Done":
		return Mark{BreakpointOff: true}
	}
	return Mark{}
}

// underwayTaken: Validate, Route, Review, Verdict, Validate again, Route, Charge.
func underwayTaken(from *asl.State, edge int) bool {
	e := from.Edges()[edge]
	switch from.Name {
	case "Validate", "Review":
		return e.Kind == asl.EdgeNext
	case "Route":
		return true
	case "Verdict":
		return e.To.Name == "Validate"
	}
	return false
}

func TestPictures(t *testing.T) {
	for _, file := range []string{"testdata/loop.asl.json", "testdata/nested.asl.json", "../../../internal/definitions/order.asl.json"} {
		m := Build(parse(t, file, testkit.Read(t, file)))
		name := strings.TrimSuffix(filepath.Base(file), ".asl.json")
		for _, width := range []int{100, 76, 50, 30} {
			sheet := NewSheet(m)
			over := &Overlay{}
			for set, glyphs := range map[string]*canvas.Glyphs{"": canvas.Unicode(), "-ascii": canvas.ASCII()} {
				if name == "loop" {
					over.Taken = underwayTaken
					over.Mark = func(s *asl.State) Mark {
						mark := underway(s)
						mark.Badge = strings.ReplaceAll(mark.Badge, "«", glyphs.Retried)
						return mark
					}
				}
				text := ""
				if d := sheet.Fit(width, 60); d == nil || d.w > width {
					text = sheet.Rail().Text(width, glyphs, over)
				} else {
					if over.Taken != nil {
						over.Trail = d.Trail(over.Taken)
					}
					text = d.Text(glyphs, over)
				}
				golden(t, name+"-"+strconv.Itoa(width)+set, text)
			}
		}
	}
}

// TestFoldedPicture has its containers as one node each.
func TestFoldedPicture(t *testing.T) {
	file := "testdata/nested.asl.json"
	sheet := NewSheet(Build(parse(t, file, testkit.Read(t, file))))
	for _, state := range sheet.Model.States() {
		if state.Scope.Container == nil {
			sheet.Fold(state)
		}
	}
	golden(t, "nested-folded", sheet.Fit(80, 40).Text(canvas.Unicode(), nil))
}

// TestWhatFitsIsChosen: all of the machine in view comes before large boxes, and these before a part of it.
func TestWhatFitsIsChosen(t *testing.T) {
	file := "../../../internal/definitions/order.asl.json"
	sheet := NewSheet(Build(parse(t, file, testkit.Read(t, file))))
	for _, view := range []struct {
		w, h  int
		want  Density
		whole bool
	}{
		{100, 60, Boxes, true}, {100, 33, Chips, true}, {70, 26, Chips, true}, {50, 26, Chips, false},
		{44, 26, Rail, false}, {44, 15, Chips, false}, {40, 26, Rail, false}, {100, 8, Rail, false},
	} {
		d, got, whole := sheet.Fit(view.w, view.h), Rail, false
		if d != nil {
			got, whole = d.Shape.Density, d.w <= view.w && d.h <= view.h
		}
		if got != view.want || whole != view.whole {
			t.Errorf("a view of %dx%d shows %s, all of it: %v; want %s, %v", view.w, view.h, got, whole, view.want, view.whole)
		}
		want := 4 + 3 + len("NotifyCustomer") + 4 // the list: the indent, the sign, the longest row's name, the signs behind it
		switch {
		case d != nil:
			want = min(d.w, view.w)
		case view.w >= panAlways: // with what a state leads to
			want = 3 + canvas.Width("ChargeCard→ AwaitSettlement  » OrderRejected") + 4
		}
		if w := sheet.Width(view.w, view.w, view.h); w != want {
			t.Errorf("in %dx%d the best drawing is %d wide, want %d", view.w, view.h, w, want)
		}
	}
	if got, want := sheet.Width(50, 70, 26), sheet.Fit(70, 26).w; got != want || want <= 50 {
		t.Errorf("a drawing that is whole in 70 cells, and not in 50, gets %d, want %d", got, want)
	}
}

func TestTwoHundredStates(t *testing.T) {
	sheet := NewSheet(Build(machineOf(t, 200)))
	sheet.Auto, sheet.Density = false, Chips
	golden(t, "states200-chips", sheet.Fit(100, 40).Text(canvas.Unicode(), nil))
	check(t, sheet.Fit(100, 40))
}

// TestSteppingLaysNothingOutAgain: a run is painted over the same drawing.
func TestSteppingLaysNothingOutAgain(t *testing.T) {
	file := "testdata/loop.asl.json"
	sheet := NewSheet(Build(parse(t, file, testkit.Read(t, file))))
	before := sheet.Fit(80, 40)
	kept := *before
	plain := before.Text(canvas.Unicode(), nil)
	before.Text(canvas.Unicode(), &Overlay{Mark: underway, Trail: before.Trail(underwayTaken)})
	if after := sheet.Fit(80, 40); after != before || !reflect.DeepEqual(after.block, kept.block) || after.Text(canvas.Unicode(), nil) != plain {
		t.Error("the drawing has changed")
	}
}

func TestTakenLinesAreHeavy(t *testing.T) {
	file := "testdata/loop.asl.json"
	d := NewSheet(Build(parse(t, file, testkit.Read(t, file)))).Fit(80, 40)
	for i := range d.lines {
		l := &d.lines[i]
		trail := d.Trail(func(from *asl.State, edge int) bool { return from == l.from && edge == l.edges[0] })
		want := cellsOf(d, l)
		for at := range d.segs {
			s := d.segs[at]
			_, first := want[point{int(s.x1), int(s.y1)}]
			if _, last := want[point{int(s.x2), int(s.y2)}]; trail.links[d.segLink[at]] && !(first && last) {
				t.Errorf("%s to %s: the trail leaves the line", l.from.Name, l.to.Name)
			}
		}
		if !trail.links[l.head] {
			t.Errorf("%s to %s: the trail does not begin", l.from.Name, l.to.Name)
		}
	}
}

func TestNavigation(t *testing.T) {
	file := "testdata/loop.asl.json"
	m := Build(parse(t, file, testkit.Read(t, file)))
	d := NewSheet(m).Fit(100, 40)
	at := func(name string) *Node { return d.Node(m.top.State(name)) }
	for _, c := range []struct {
		from, want string
		to         Direction
	}{
		{"Validate", "Route", Down}, {"Route", "Validate", Up}, {"Validate", "Validate", Up}, {"Route", "Review", Down},
		{"Done", "Failed", Right}, {"Failed", "Done", Left},
	} {
		if got := d.Toward(at(c.from), c.to).State.Name; got != c.want {
			t.Errorf("from %s toward %d: %s, want %s", c.from, c.to, got, c.want)
		}
	}
	if n := d.At(at("Charge").Rect.X+2, at("Charge").Rect.Y+1); n != at("Charge") {
		t.Errorf("at Charge there is %v", n)
	}
	if got := m.Find("CHARGE", m.states[0], 1); got == nil || got.Name != "Charge" {
		t.Errorf("found %v", got)
	}
	if got := m.Find("nowhere", m.states[0], 1); got != nil {
		t.Errorf("found %v", got)
	}
}

// TestRevealKeepsAMargin: a node that is looked at is in view with three cells around it, wherever it is.
func TestRevealKeepsAMargin(t *testing.T) {
	d := Layout(Build(machineOf(t, 200)), Boxes.shapes()[0], nil)
	dw, dh := d.Size()
	for _, size := range [][2]int{{80, 24}, {60, 16}, {200, 60}, {40, 10}} {
		x, y, w, h := 0, 0, size[0], size[1]
		for i := range d.nodes {
			n := &d.nodes[i]
			x, y = d.Reveal(n, x, y, w, h)
			if n.Open || n.Rect.W+2*Margin > w || n.Rect.H+2*Margin > h {
				continue
			}
			r := n.Rect
			top, bottom := max(r.Y-Margin, 0), min(r.Y+r.H+Margin, dh)
			left, right := max(r.X-Margin, 0), min(r.X+r.W+Margin, dw)
			if top < y || bottom > y+h || left < x || right > x+w {
				t.Fatalf("%s at %v is not in the view of %v at %d, %d", n.State.Name, r, size, x, y)
			}
		}
	}
}
