package screen

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"asldb/tui/tuitest"
	"asldb/tui/view/states"
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

// Each dialog keeps the contract of views, as the screen opens it: at a stage, at the question of a task, and at the
// end of a run.
func TestDialogsConform(t *testing.T) {
	opened := map[string]bool{}
	conforms := func(u *ui) {
		if u.dialog != nil {
			opened[fmt.Sprintf("%T", u.dialog)] = true
			tuitest.Conforms(t, u.dialog)
		}
		u.dialog = nil
	}
	for _, keys := range [][]string{{"s", "s", "i"}, {"c"}, {"c", "enter", "c", "enter", "c", "enter", "c"}} {
		d := drive(t, order(t), 120, 40, Options{}).opened()
		d.press(keys...)
		conforms(d.app.ui)
		for _, b := range Keys().Bindings() {
			u := d.app.ui
			if u.disabled(b.Action) == "" {
				u.act(b.Action)
				conforms(u)
			}
		}
	}
	d := drive(t, session(t, readsItems, `{}`, nil), 100, 34, Options{})
	d.press("c")
	conforms(d.app.ui)
	if len(opened) < 12 || !opened["*dialog.Items"] {
		t.Errorf("only these were opened: %v", slices.Sorted(maps.Keys(opened)))
	}
}

// The text of the definition keeps the contract of views, in the pane and over the panes.
func TestTheTextConforms(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{}).press("s", "s", "i", "v").sees("line 18 of 199")
	if d.app.ui.dialog != nil {
		t.Fatal("the text is not in the pane")
	}
	tuitest.Conforms(t, d.app.ui.layout.focused())
	d = drive(t, order(t), 46, 24, Options{}).press("s", "s", "i", "v")
	if _, is := d.app.ui.dialog.(*states.View); !is {
		t.Fatalf("over the panes is a %T", d.app.ui.dialog)
	}
	tuitest.Conforms(t, d.app.ui.dialog)
}
