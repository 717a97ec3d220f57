package screen

import (
	"testing"

	"pgregory.net/rapid"

	"asldb/tui/view"
)

// TestPanesShareRows: no rows are blank in both upper panes while a lower one is cropped, unless the lower ones have
// half of the screen; and the graph above them is not cropped where all of it could be in view and the lower panes keep
// their least.
func TestPanesShareRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(splitWidth, 250).Draw(rt, "w"), rapid.IntRange(splitHeight, 90).Draw(rt, "h")
		m := Mode{Drawing: rapid.IntRange(0, 100).Draw(rt, "drawing")}
		for p := range m.Needs {
			m.Needs[p] = rapid.IntRange(1, view.Plenty).Draw(rt, "need")
		}
		r, body := Of(w, h, m), h-2
		lines := func(p view.ID) int { return max(r.Panes[p].H-2, 0) }
		blank, graphAbove := lines(view.Data)-m.Needs[view.Data], r.Panes[view.States].Y == r.Panes[view.Data].Y
		lower := []view.ID{view.Events, view.Side}
		if graphAbove {
			blank = min(blank, lines(view.States)-m.Needs[view.States])
		} else {
			lower = append(lower, view.States)
		}
		for _, p := range lower {
			if height := r.Panes[p].H; blank > 0 && height > 0 && lines(p) < m.Needs[p] && height < body/2 {
				rt.Errorf("%dx%d: %d rows are blank above, and pane %d has %d of %d", w, h, blank, p, lines(p), m.Needs[p])
			}
		}
		need := m.Needs[view.States]
		if graphAbove && lines(view.States) < need && need+2+leastLower <= body {
			rt.Errorf("%dx%d: the graph has %d rows of %d, and the events %d", w, h, lines(view.States), need, lines(view.Events))
		}
	})
}
