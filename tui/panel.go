package tui

import (
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// panel ties a pane to the screen around it: what to call for a focus, a key or the mouse. The panes themselves are
// plain structs that know neither keys nor the ui. A nil function is something that the pane does not have.
type panel struct {
	// draw paints the pane with its frame. In a section of the side pane it paints without one.
	draw func(u *ui, area canvas.Area, focused bool)
	// move scrolls, or moves the selection, by rows and cells; far is further than anything goes.
	move func(u *ui, rows, cells int)
	// pan scrolls by rows without moving a selection; where it is nil the wheel moves as the keys do.
	pan func(u *ui, rows int)
	// page is how many rows were on the screen when the pane was last drawn.
	page func(u *ui) int
	// find selects what contains text, searching on from the selection and round at the end; by is 1 or -1. wrapped
	// tells that it lies beyond an end.
	find func(u *ui, text string, by int) (wrapped, ok bool)
	// click selects what lies at x, y of the inside.
	click func(u *ui, x, y int)
	// refresh brings the pane up to date with a run that stands still.
	refresh func(u *ui)
}

// panels are the panes of the screen.
func panels() [paneCount]panel {
	return [paneCount]panel{paneData: dataPanel(), paneGraph: graphPanel(), paneEvents: eventsPanel(), paneSide: sidePanel()}
}

func (u *ui) focused() *panel { return &u.panels[u.mode.focus] }

// move scrolls a pane, or moves its selection.
func (u *ui) move(p paneID, rows, cells int) {
	if move := u.panels[p].move; move != nil {
		move(u, rows, cells)
	}
}

func (u *ui) pageHeight() int {
	if page := u.focused().page; page != nil {
		return page(u)
	}
	return 1
}

func (u *ui) drawPane(p paneID, area canvas.Area) {
	u.panels[p].draw(u, area, u.mode.focus == p && u.dialog == nil)
}

// refresh brings the panes up to date that are made when the run stands still and not for each frame.
func (u *ui) refresh() {
	u.catchUp()
	for i := range u.panels {
		if refresh := u.panels[i].refresh; refresh != nil {
			refresh(u)
		}
	}
}

func (u *ui) findAgain(by int) {
	find := u.focused().find
	if u.needle == "" || find == nil {
		return
	}
	switch wrapped, ok := find(u, u.needle, by); {
	case !ok:
		u.say(theme.Warn, "Not found: "+u.needle)
	case wrapped && by > 0:
		u.say(theme.Plain, "Found by going on from the beginning: "+u.needle)
	case wrapped:
		u.say(theme.Plain, "Found by going on from the end: "+u.needle)
	}
}
