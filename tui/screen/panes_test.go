package screen

import (
	"testing"

	"pgregory.net/rapid"

	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// TestLayoutCoversEveryScreenOnce arranges every size from 1x1 to 300x90 in every mode and checks that
// no two parts overlap, none leaves the screen, together they cover it, and each has its least size.
func TestLayoutCoversEveryScreenOnce(t *testing.T) {
	for h := 1; h <= 90; h++ {
		for w := 1; w <= 300; w++ {
			for focus := range view.Count {
				for _, zoom := range []bool{false, true} {
					checkLayout(t, w, h, Mode{Focus: focus, Zoom: zoom})
					if t.Failed() {
						t.FailNow()
					}
				}
			}
		}
	}
}

// TestLayoutWithDividers is the same for any positions that a person may have chosen, on whatever screen.
func TestLayoutWithDividers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := Mode{
			Focus: view.ID(rapid.IntRange(0, int(view.Count)-1).Draw(rt, "focus")), Zoom: rapid.Bool().Draw(rt, "zoom"),
			Drawing: rapid.IntRange(0, 400).Draw(rt, "drawing"),
		}
		for i := range m.Lines {
			m.Lines[i] = rapid.IntRange(0, whole).Draw(rt, "position")
		}
		m.Drawer, m.Fresh = Drawer(rapid.IntRange(0, int(DrawerShut)).Draw(rt, "drawer")), rapid.Bool().Draw(rt, "fresh")
		checkLayout(rt, rapid.IntRange(1, 300).Draw(rt, "w"), rapid.IntRange(1, 90).Draw(rt, "h"), m)
	})
}

type failer interface{ Errorf(string, ...any) }

func checkLayout(t failer, w, h int, m Mode) {
	r := Of(w, h, m)
	if r.TooSmall {
		if w >= MinWidth && h >= MinHeight {
			t.Errorf("%dx%d is said to be too small", w, h)
		}
		return
	}
	if w < MinWidth || h < MinHeight {
		t.Errorf("%dx%d is not said to be too small", w, h)
	}
	parts := append([]canvas.Rect{r.Status, r.Hint}, r.Panes[:]...)
	for i := range r.Lines {
		if l := &r.Lines[i]; l.Upright {
			parts = append(parts, l.Place)
		}
	}
	area := 0
	for i, a := range parts {
		area += a.W * a.H
		if a.X < 0 || a.Y < 0 || a.W < 0 || a.H < 0 || a.X+a.W > w || a.Y+a.H > h {
			t.Errorf("%dx%d %+v: part %d leaves the screen: %+v", w, h, m, i, a)
		}
		row := a.H == 1 && (i == 2+int(view.Drawer) || i == 2+int(view.States)) // the title of the drawer, the graph in a row
		if i > 1 && i < 2+int(view.Count) && !a.Empty() && !row && (a.H < MinPaneHeight || a.W < MinPaneWidth) {
			t.Errorf("%dx%d %+v: pane %d has only %+v", w, h, m, i-2, a)
		}
		for j, b := range parts[:i] {
			if !a.Empty() && !b.Empty() && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("%dx%d %+v: parts %d and %d overlap: %+v %+v", w, h, m, j, i, b, a)
			}
		}
	}
	if area != w*h {
		t.Errorf("%dx%d %+v: the parts cover %d cells of %d", w, h, m, area, w*h)
	}
	if r.Panes[m.Focus].Empty() {
		t.Errorf("%dx%d %+v: the focused pane is not on the screen", w, h, m)
	}
}

// TestADividerStaysWhereItWasPut: setting a divider to the cell at which it is changes nothing.
func TestADividerStaysWhereItWasPut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(60, 300).Draw(rt, "w"), rapid.IntRange(16, 90).Draw(rt, "h")
		m := Mode{}
		before := Of(w, h, m)
		for i := range before.Lines {
			l := &before.Lines[i]
			m.Lines[l.Divider] = l.Position(l.At)
		}
		after := Of(w, h, m)
		if before.Panes != after.Panes {
			rt.Fatalf("%dx%d: %+v became %+v", w, h, before.Panes, after.Panes)
		}
	})
}

// A divider is taken by the borders on both of its sides, or by the focused pane; a chosen position in per cent holds.
func TestDividersAreFound(t *testing.T) {
	m := Mode{}
	m.Put(Graph, 50)
	m.Put(Lower, 0) // stays as usual
	r := Of(120, 40, m)
	graph, data := r.Panes[view.States], r.Panes[view.Data]
	if graph.W != 60 || m.Lines[Lower] != 0 {
		t.Errorf("the graph has %d cells, and the divider below it is at %d", graph.W, m.Lines[Lower])
	}
	if l := r.LineAt(data.X-1, data.Y+2); l == nil || l.Divider != Graph || l.At != data.X-1 {
		t.Errorf("left of the data there is %+v", l)
	}
	if l := r.LineAt(data.X+5, data.Y+2); l != nil {
		t.Errorf("inside of the data there is %+v", l)
	}
	if l := r.LineBeside(view.Data, false); l != nil {
		t.Errorf("above the closed drawer there is %+v", l)
	}
	m.Drawer = DrawerOpen
	r = Of(120, 40, m)
	for p := range view.Count {
		if l := r.LineBeside(p, true); l == nil || l.Divider != Graph {
			t.Errorf("beside pane %d there is %+v", p, l)
		}
		if l := r.LineBeside(p, false); l == nil || l.Divider != Lower {
			t.Errorf("above or below pane %d there is %+v", p, l)
		}
	}
	if p, ok := r.At(data.X+5, data.Y+2); !ok || p != view.Data {
		t.Errorf("in the data there is pane %d", p)
	}
	if _, ok := r.At(3, 0); ok {
		t.Error("the status line is a pane")
	}
	if most := MostDrawing(110); most != 110*55/100-graphFrame {
		t.Errorf("the drawing takes up to %d cells", most)
	}
}
