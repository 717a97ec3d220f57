package screen

import (
	"testing"

	"asldb/tui/tuitest"
)

// Each pane keeps the contract of views, before the run, in it and at its end.
func TestPanesConform(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{}).opened()
	for _, keys := range [][]string{nil, {"s", "s", "i"}, {"c", "esc"}} {
		d.press(keys...)
		for _, pane := range d.app.ui.layout.panes {
			tuitest.Conforms(t, pane)
		}
	}
}
