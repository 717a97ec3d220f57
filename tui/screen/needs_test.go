package screen

import (
	"testing"

	"asldb/tui/pane"
	"pgregory.net/rapid"
)

// TestPanesShareRows: no rows are blank in both upper panes while a lower one is cropped, unless the lower ones have half of the
// screen; and the graph above them is not cropped where all of it could be in view and the lower panes keep their least.
func TestPanesShareRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(splitWidth, 250).Draw(rt, "w"), rapid.IntRange(splitHeight, 90).Draw(rt, "h")
		m := mode{drawing: rapid.IntRange(0, 100).Draw(rt, "drawing")}
		for p := range m.needs {
			m.needs[p] = rapid.IntRange(1, pane.Plenty).Draw(rt, "need")
		}
		r, body := layout(w, h, m), h-2
		lines := func(p pane.ID) int { return max(r.panes[p].H-2, 0) }
		blank, graphAbove := lines(pane.Data)-m.needs[pane.Data], r.panes[pane.States].Y == r.panes[pane.Data].Y
		lower := []pane.ID{pane.Events, pane.Side}
		if graphAbove {
			blank = min(blank, lines(pane.States)-m.needs[pane.States])
		} else {
			lower = append(lower, pane.States)
		}
		for _, p := range lower {
			if height := r.panes[p].H; blank > 0 && height > 0 && lines(p) < m.needs[p] && height < body/2 {
				rt.Errorf("%dx%d: %d rows are blank above, and pane %d has %d of %d", w, h, blank, p, lines(p), m.needs[p])
			}
		}
		need := m.needs[pane.States]
		if graphAbove && lines(pane.States) < need && need+2+leastLower <= body {
			rt.Errorf("%dx%d: the graph has %d rows of %d, and the events %d", w, h, lines(pane.States), need, lines(pane.Events))
		}
	})
}

// TestPanesStay: while a run goes on stage by stage the panes move a few times at most, and never for a cursor.
func TestPanesStay(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := drive(t, order(t), size[0], size[1], Options{})
		moved, before := 0, d.app.ui.layout.places.panes
		for range 60 {
			d.press("i", "3", "up", "down", "1", "esc")
			if now := d.app.ui.layout.places.panes; now != before {
				moved, before = moved+1, now
			}
		}
		if moved > 5 {
			t.Errorf("%v: the panes have moved %d times", size, moved)
		}
	}
}

// TestTheDemoIsWhole: all of the demo's graph is in view at 120x40.
func TestTheDemoIsWhole(t *testing.T) {
	drive(t, order(t), 120, 40, Options{}).sees("ValidateOrder", "OrderCompleted", "15 states").press("2").sees("ValidateOrder", "OrderCompleted ◉")
}
