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
	held  *Line // the divider that is being dragged, or nil
}

// add notes that a click on place, in cells of the screen, does something. What is added later lies above.
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

// click runs the action at x, y; else it takes the divider there, or gives the focus to the pane there and selects
// its entry there.
func (ar *arrangement) click(x, y int) {
	if ar.Running() {
		return
	}
	ar.clear()
	if do := ar.mouse.at(x, y); do != nil || ar.Dialog() != nil {
		if do != nil {
			do()
		}
		return
	}
	if l := ar.places.LineAt(x, y); l != nil {
		held := *l
		ar.mouse.held = &held
		return
	}
	p, ok := ar.places.At(x, y)
	if !ok {
		return
	}
	place := ar.places.Panes[p]
	ar.focus(p)
	ar.panes[p].Click(x-place.X-1, y-place.Y-1)
}

// drag moves the divider that is held to x, y.
func (ar *arrangement) drag(x, y int) {
	l := ar.mouse.held
	if l == nil {
		return
	}
	at := y
	if l.Upright {
		at = x
	}
	ar.moveLine(l, at)
}

// release lets the divider go.
func (ar *arrangement) release() { ar.mouse.held = nil }

// moveLine puts a divider before the cell at, or as near to it as the panes allow.
func (ar *arrangement) moveLine(l *Line, at int) {
	m := ar.mode
	m.Lines[l.Divider] = l.Position(at)
	ar.setMode(m)
	for i := range ar.places.Lines { // the panes decide about the widths
		if now := &ar.places.Lines[i]; now.Divider == l.Divider {
			ar.mode.Lines[l.Divider] = now.Position(now.At)
		}
	}
}

// wheel scrolls the pane at x, y by rows, or the page or the list that lies over the panes.
func (ar *arrangement) wheel(x, y, rows int) {
	if ar.Dialog() != nil && ar.Dialog().Mode().Lists() && !ar.Running() {
		k := keys.Press{Name: "down", Action: keys.Down}
		if rows < 0 {
			k, rows = keys.Press{Name: "up", Action: keys.Up}, -rows
		}
		for range rows {
			ar.Dialog().Handle(ar.Screen, k)
		}
		return
	}
	if p, ok := ar.places.At(x, y); ok && ar.Dialog() == nil && !ar.Running() {
		ar.panes[p].Pan(rows)
	}
}
