package screen

import (
	"asldb/engine/runlog/groups"
	"asldb/tui/pane"
	"asldb/tui/pane/events"
	"asldb/tui/pane/side"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// newPanes returns the panes of the screen.
func (u *ui) newPanes() [pane.Count]pane.Pane {
	u.groups = groups.New()
	u.events, u.side = events.New(u.context(), u.groups), side.New(u.context(), u.groups)
	return [pane.Count]pane.Pane{
		pane.Data: u.data, pane.States: u.states,
		pane.Events: u.events, pane.Side: u.side,
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
