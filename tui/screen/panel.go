package screen

import (
	"asldb/engine/runlog/groups"
	"asldb/tui/pane"
	"asldb/tui/pane/events"
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

// panelPane is a panel as the screen draws and moves it.
type panelPane struct {
	u *ui
	panel
}

// Bindings implements [pane.Pane]: those of panels are listed by the screen.
func (p panelPane) Bindings() pane.Bindings { return nil }

// Draw implements [pane.Pane].
func (p panelPane) Draw(area canvas.Area, focused bool) { p.draw(p.u, area, focused) }

// Move implements [pane.Pane].
func (p panelPane) Move(rows, cells int) {
	if p.move != nil {
		p.move(p.u, rows, cells)
	}
}

// Pan implements [pane.Pane].
func (p panelPane) Pan(rows int) {
	if p.pan == nil {
		p.Move(rows, 0)
		return
	}
	p.pan(p.u, rows)
}

// Page implements [pane.Pane].
func (p panelPane) Page() int {
	if p.page == nil {
		return 1
	}
	return p.page(p.u)
}

// Find implements [pane.Pane].
func (p panelPane) Find(text string, by int) (wrapped, ok bool) {
	if p.find == nil {
		return false, false
	}
	return p.find(p.u, text, by)
}

// Click implements [pane.Pane].
func (p panelPane) Click(x, y int) {
	if p.click != nil {
		p.click(p.u, x, y)
	}
}

// Refresh implements [pane.Pane].
func (p panelPane) Refresh() {
	if p.refresh != nil {
		p.refresh(p.u)
	}
}

// newPanes returns the panes of the screen.
func (u *ui) newPanes() [pane.Count]pane.Pane {
	u.groups = groups.New()
	u.events = events.New(u.context(), u.groups)
	return [pane.Count]pane.Pane{
		pane.Data: u.data, pane.States: u.states,
		pane.Events: u.events, pane.Side: panelPane{u, sidePanel()},
	}
}

func (u *ui) focused() pane.Pane { return u.panes[u.mode.focus] }

func (u *ui) drawPane(p pane.ID, area canvas.Area) {
	u.panes[p].Draw(area, u.mode.focus == p && u.dialog == nil)
}

// refresh computes the content of the panes that is not computed for each frame.
func (u *ui) refresh() {
	u.catchUp()
	for _, p := range u.panes {
		p.Refresh()
	}
}

func (u *ui) findAgain(by int) {
	if u.needle == "" {
		return
	}
	switch wrapped, ok := u.focused().Find(u.needle, by); {
	case !ok:
		u.say(theme.Warn, "Not found: "+u.needle)
	case wrapped && by > 0:
		u.say(theme.Plain, "Found by going on from the beginning: "+u.needle)
	case wrapped:
		u.say(theme.Plain, "Found by going on from the end: "+u.needle)
	}
}
