package screen

import (
	"strings"
	"testing"

	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/pane/data"
	"asldb/tui/part/canvas"
	"pgregory.net/rapid"
)

// TestLayoutCoversEveryScreenOnce arranges every size from 1x1 to 300x90 in every mode and checks that
// no two parts overlap, none leaves the screen, together they cover it, and each has its least size.
func TestLayoutCoversEveryScreenOnce(t *testing.T) {
	for h := 1; h <= 90; h++ {
		for w := 1; w <= 300; w++ {
			for focus := range pane.Count {
				for _, zoom := range []bool{false, true} {
					checkLayout(t, w, h, mode{focus: focus, zoom: zoom})
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
		m := mode{
			focus: pane.ID(rapid.IntRange(0, int(pane.Count)-1).Draw(rt, "focus")), zoom: rapid.Bool().Draw(rt, "zoom"),
			drawing: rapid.IntRange(0, 400).Draw(rt, "drawing"),
		}
		for i := range m.lines {
			m.lines[i] = rapid.IntRange(0, whole).Draw(rt, "position")
		}
		for p := range m.needs {
			m.needs[p] = rapid.IntRange(0, pane.Plenty).Draw(rt, "need")
		}
		checkLayout(rt, rapid.IntRange(1, 300).Draw(rt, "w"), rapid.IntRange(1, 90).Draw(rt, "h"), m)
	})
}

type failer interface{ Errorf(string, ...any) }

func checkLayout(t failer, w, h int, m mode) {
	r := layout(w, h, m)
	if r.tooSmall {
		if w >= minWidth && h >= minHeight {
			t.Errorf("%dx%d is said to be too small", w, h)
		}
		return
	}
	if w < minWidth || h < minHeight {
		t.Errorf("%dx%d is not said to be too small", w, h)
	}
	parts := append([]canvas.Rect{r.status, r.hint}, r.panes[:]...)
	area := 0
	for i, a := range parts {
		area += a.W * a.H
		if a.X < 0 || a.Y < 0 || a.W < 0 || a.H < 0 || a.X+a.W > w || a.Y+a.H > h {
			t.Errorf("%dx%d %+v: part %d leaves the screen: %+v", w, h, m, i, a)
		}
		if i > 1 && !a.Empty() && (a.H < minPaneHeight || a.W < minPaneWidth) {
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
	if r.panes[m.focus].Empty() {
		t.Errorf("%dx%d %+v: the focused pane is not on the screen", w, h, m)
	}
}

// TestADividerStaysWhereItWasPut: setting a divider to the cell at which it stands changes nothing.
func TestADividerStaysWhereItWasPut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(60, 300).Draw(rt, "w"), rapid.IntRange(16, 90).Draw(rt, "h")
		m := mode{}
		before := layout(w, h, m)
		for i := range before.lines {
			l := &before.lines[i]
			m.lines[l.divider] = l.position(l.at)
		}
		after := layout(w, h, m)
		if before.panes != after.panes {
			rt.Fatalf("%dx%d: %+v became %+v", w, h, before.panes, after.panes)
		}
	})
}

func TestDividersMove(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	places := func() [pane.Count]canvas.Rect { return d.app.ui.layout.places.panes }
	before := places()
	d.press("1").does(keys.DividerRight, "").frame()
	if got := places()[pane.States].W; got != before[pane.States].W+2 {
		t.Errorf("it makes the graph %d cells wide, it had %d", got, before[pane.States].W)
	}
	d.press("<", "3", "<", "K")
	if got := places(); got[pane.States] != (canvas.Rect{Y: 1, W: before[pane.States].W, H: before[pane.States].H - 1}) ||
		got[pane.Events].W != before[pane.Events].W-2 || got[pane.Events].H != before[pane.Events].H+1 {
		t.Errorf("the panes are %+v, they were %+v", got, before)
	}
	// With the mouse: take the line right of the graph, and let it go further to the right.
	x := places()[pane.Data].X
	d.click(x, 8)
	d.app.Drag(x+7, 9)
	d.app.Drag(x+11, 9)
	d.app.Release()
	d.app.Drag(x+30, 9) // nothing is held any more
	if got := places()[pane.Data].X; got != x+11 {
		t.Errorf("the line is at %d, want %d", got, x+11)
	}
	y := places()[pane.Events].Y
	d.click(3, y-1)
	d.app.Drag(3, 2) // further than the panes allow
	d.app.Release()
	if got := places()[pane.States].H; got != minPaneHeight {
		t.Errorf("the upper panes are %d lines high, want %d", got, minPaneHeight)
	}
	d.frame()
	d.press("z").does(keys.DividerRight, "").sees(":divider-right: only one pane is on the screen")
}

func TestClicks(t *testing.T) {
	d := drive(t, order(t), 120, 28, Options{}).until("i", "[Choices]")
	click := func(text string) {
		t.Helper()
		for y, row := range strings.Split(d.frame(), "\n") {
			if before, _, ok := strings.Cut(row, text); ok {
				d.click(canvas.Width(before)+1, y)
				d.app.Release()
				return
			}
		}
		t.Fatalf("nothing to click on: %q\n%s", text, d.frame())
	}
	click(" Threads ")
	d.sees("[Threads]")
	if d.app.ui.layout.mode.focus != pane.Side {
		t.Error("a click on a tab does not give the focus to its pane")
	}
	d.press("1")
	click("d view")
	if d.app.ui.data.View() == data.Diff {
		t.Error("a click on a hint does not do what it says")
	}
	click("s state")
	d.sees("ChargeCard › input")
	click("? help")
	d.sees("Keys")
	d.wheel(40, 10, 1)
	if page, ok := d.app.ui.dialog.(*dialog.Help); !ok || page.Top() == 0 {
		t.Error("the wheel does not scroll the help")
	}
	d.press("esc", "ctrl+p").typed("zoom")
	click(":zoom")
	if !d.app.ui.layout.mode.zoom {
		t.Error("a click in the palette does not run the command")
	}
}
