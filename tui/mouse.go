package tui

import "asldb.dev/asldb/tui/canvas"

// hotspot is a place on the screen that can be clicked.
type hotspot struct {
	place canvas.Rect
	click func(u *ui)
}

// mouse knows what lies where. The places are noted while a frame is painted.
type mouse struct{ spots []hotspot }

// add notes that a click on place, in cells of the screen, does something. What is added later lies above.
func (m *mouse) add(place canvas.Rect, click func(u *ui)) {
	m.spots = append(m.spots, hotspot{place, click})
}

func (m *mouse) reset() { m.spots = m.spots[:0] }

// at returns what a click at x, y does, or nil.
func (m *mouse) at(x, y int) func(u *ui) {
	for i := len(m.spots) - 1; i >= 0; i-- {
		if m.spots[i].place.Contains(x, y) {
			return m.spots[i].click
		}
	}
	return nil
}

// click does what lies at x, y; else it gives the focus to the pane there and selects what is there.
func (u *ui) click(x, y int) {
	if u.running || u.dialog != nil {
		return
	}
	if do := u.mouse.at(x, y); do != nil {
		do(u)
		return
	}
	p, ok := u.places.at(x, y)
	if !ok {
		return
	}
	place := u.places.panes[p]
	u.focus(p)
	if click := u.panels[p].click; click != nil {
		click(u, x-place.X-1, y-place.Y-1)
	}
}

// wheel scrolls the pane at x, y by rows.
func (u *ui) wheel(x, y, rows int) {
	if p, ok := u.places.at(x, y); ok && u.dialog == nil && !u.running {
		u.move(p, rows, 0)
	}
}
