package screen

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// hotspot is a place on the screen that can be clicked.
type hotspot struct {
	place canvas.Rect
	click func()
}

// mouse has the places that can be clicked. They are noted while a frame is painted.
type mouse struct {
	spots []hotspot
	held  *line // the divider that is being dragged, or nil
}

// add lets a click on a place, in cells of the screen, call a function. A place that is added later lies above the others.
func (m *mouse) add(place canvas.Rect, click func()) {
	m.spots = append(m.spots, hotspot{place, click})
}

func (m *mouse) reset() { m.spots = m.spots[:0] }

// at returns the function of a click at x, y, or nil.
func (m *mouse) at(x, y int) func() {
	for i := len(m.spots) - 1; i >= 0; i-- {
		if m.spots[i].place.Contains(x, y) {
			return m.spots[i].click
		}
	}
	return nil
}

// click does what lies at x, y; else it takes the divider there, or gives the focus to the pane there and selects
// what is there.
func (u *ui) click(x, y int) {
	if u.running {
		return
	}
	u.messages.clear()
	if do := u.mouse.at(x, y); do != nil || u.dialog != nil {
		if do != nil {
			do()
		}
		return
	}
	if l := u.places.lineAt(x, y); l != nil {
		held := *l
		u.mouse.held = &held
		return
	}
	p, ok := u.places.at(x, y)
	if !ok {
		return
	}
	place := u.places.panes[p]
	u.focus(p)
	u.panes[p].Click(x-place.X-1, y-place.Y-1)
}

// drag moves the divider that is held to x, y.
func (u *ui) drag(x, y int) {
	l := u.mouse.held
	if l == nil {
		return
	}
	at := y
	if l.upright {
		at = x
	}
	u.moveLine(l, at)
}

// release lets the divider go.
func (u *ui) release() { u.mouse.held = nil }

// moveLine puts a divider before the cell at, or as near to it as the panes allow.
func (u *ui) moveLine(l *line, at int) {
	m := u.mode
	m.lines[l.divider] = l.position(at)
	u.setMode(m)
	for i := range u.places.lines { // what the panes allow is what is kept
		if now := &u.places.lines[i]; now.divider == l.divider {
			u.mode.lines[l.divider] = now.position(now.at)
		}
	}
}

// wheel scrolls the pane at x, y by rows, or the page or the list that lies over the panes.
func (u *ui) wheel(x, y, rows int) {
	if u.dialog != nil && u.dialog.Mode().Lists() && !u.running {
		k := keys.Press{Name: "down", Action: keys.Down}
		if rows < 0 {
			k, rows = keys.Press{Name: "up", Action: keys.Up}, -rows
		}
		for range rows {
			u.dialog.Handle(u.context(), k)
		}
		return
	}
	if p, ok := u.places.at(x, y); ok && u.dialog == nil && !u.running {
		u.panes[p].Pan(rows)
	}
}
