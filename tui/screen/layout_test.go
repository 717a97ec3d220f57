package screen

import (
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

func TestDividersMove(t *testing.T) {
	d := drive(t, order(t), 120, 40, Options{})
	places := func() [view.Count]canvas.Rect { return d.app.ui.layout.places.Panes }
	before := places()
	d.press("2").does(keys.DividerRight, "").frame()
	if got := places()[view.States].W; got != before[view.States].W+2 {
		t.Errorf("it makes the graph %d cells wide, it had %d", got, before[view.States].W)
	}
	d.press("<", "3")
	drawer := places()[view.Drawer]
	d.press("K")
	if got := places(); got[view.States] != (canvas.Rect{Y: 1, W: before[view.States].W, H: 38 - drawer.H - 1}) || got[view.Drawer].H != drawer.H+1 {
		t.Errorf("the panes are %+v, the drawer was %+v", got, drawer)
	}
	// With the mouse: take the line right of the graph, and let it go further to the right.
	x := places()[view.Data].X - 1
	d.click(x, 8)
	d.app.Drag(x+7, 9)
	d.app.Drag(x+11, 9)
	d.app.Release()
	d.app.Drag(x+30, 9) // nothing is held any more
	if got := places()[view.Data].X - 1; got != x+11 {
		t.Errorf("the line is at %d, want %d", got, x+11)
	}
	y := places()[view.Drawer].Y
	d.click(70, y)
	d.app.Drag(3, 2) // further than the panes allow
	d.app.Release()
	if got := places()[view.States].H; got != MinPaneHeight+1 {
		t.Errorf("the upper panes are %d lines high, want %d", got, MinPaneHeight+1)
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
	click(" Time ")
	d.sees("[Time]")
	if d.app.ui.layout.mode.Focus != view.Drawer {
		t.Error("a click on a tab does not give the focus to its pane")
	}
	d.press("2")
	click("s state")
	d.sees("ChargeCard › input")
	click("? keys")
	d.sees("Keys")
	d.wheel(40, 10, 4)
	if _, ok := d.app.ui.dialog.(*dialog.Palette); !ok || strings.Contains(d.frame(), "▸i, F7, I") {
		t.Error("the wheel does not go through the keys")
	}
	d.press("esc", "ctrl+p").typed("zoom")
	click(":zoom")
	if !d.app.ui.layout.mode.Zoom {
		t.Error("a click in the palette does not run the command")
	}
}
