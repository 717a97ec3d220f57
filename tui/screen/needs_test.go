package screen

import "testing"

// TestPanesStay: while a run continues stage by stage the panes move a few times at most, and never for a cursor.
func TestPanesStay(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := drive(t, order(t), size[0], size[1], Options{})
		moved, before := 0, d.app.ui.layout.places.Panes
		for range 60 {
			d.press("i", "3", "up", "down", "2", "esc")
			if now := d.app.ui.layout.places.Panes; now != before {
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
	drive(t, order(t), 120, 40, Options{}).sees("ValidateOrder", "OrderCompleted", "15 states").press("1").sees("ValidateOrder", "OrderCompleted ◉")
}
