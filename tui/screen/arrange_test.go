package screen

import (
	"testing"

	"asldb/tui/keys"
	"asldb/tui/view"
)

func TestTheConfigurationHolds(t *testing.T) {
	table, err := keys.Default().With(map[keys.Action][]string{keys.StepStage: {"n"}, keys.FindNext: {}})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, order(t), 120, 40, Options{
		Table:       table,
		Arrangement: Arrangement{GraphWidth: 50, LowerHeight: 50, View: "before", Focus: "events"},
	})
	d.press("2").sees("s step").press("3").press("n").sees("ExecutionStarted", "[Events 1]").press("i")
	if n := d.app.ui.session.Log().Len(); n != 1 {
		t.Errorf("the old key still steps: %d events", n)
	}
	d.press("n", "n").sees("[before]")
	places := d.app.ui.layout.places.Panes
	if places[view.States].W != 60 || places[view.Drawer].H != 19 || d.app.ui.layout.mode.Focus != view.Drawer {
		t.Errorf("the screen is arranged as %+v", places)
	}
}
