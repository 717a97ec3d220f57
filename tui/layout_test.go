package tui

import (
	"testing"

	"asldb.dev/asldb/tui/canvas"
)

// TestLayoutCoversEveryScreenOnce arranges every size from 1x1 to 300x90 in every mode and checks that
// no two parts overlap, none leaves the screen, and together they cover it.
func TestLayoutCoversEveryScreenOnce(t *testing.T) {
	for h := 1; h <= 90; h++ {
		for w := 1; w <= 300; w++ {
			for focus := range paneCount {
				for _, zoom := range []bool{false, true} {
					checkLayout(t, w, h, mode{focus, zoom})
					if t.Failed() {
						return
					}
				}
			}
		}
	}
}

func checkLayout(t *testing.T, w, h int, m mode) {
	t.Helper()
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
		for j, b := range parts[:i] {
			if !a.Empty() && !b.Empty() && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("%dx%d %+v: parts %d and %d overlap: %+v %+v", w, h, m, j, i, b, a)
			}
		}
	}
	if area != w*h {
		t.Errorf("%dx%d %+v: the parts cover %d cells of %d", w, h, m, area, w*h)
	}
	if r.panes[m.focus].H < 4 || r.panes[m.focus].W < 20 {
		t.Errorf("%dx%d %+v: the focused pane has only %+v", w, h, m, r.panes[m.focus])
	}
}
