package screen

import "asldb/tui/part/widget"

// mouse has the places at which the mouse does something. They are noted while a frame is painted.
type mouse struct {
	widget.Spots
	dragged *Line // the divider that is being dragged, or nil
}

// click carries out the action noted for x, y, after it has focused the pane there; else it takes the divider there.
func (ar *arrangement) click(x, y int) {
	if ar.Running() {
		return
	}
	ar.clear()
	if ar.Dialog() != nil {
		ar.mouse.Click(x, y)
		return
	}
	if l := ar.places.LineAt(x, y); l != nil && !ar.mouse.Has(x, y) {
		dragged := *l
		ar.mouse.dragged = &dragged
		return
	}
	if p, ok := ar.places.At(x, y); ok {
		ar.focus(p)
	}
	ar.mouse.Click(x, y)
}

// drag moves the divider that was taken to x, y.
func (ar *arrangement) drag(x, y int) {
	l := ar.mouse.dragged
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
func (ar *arrangement) release() { ar.mouse.dragged = nil }

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

// wheel scrolls the list, the text or the drawing at x, y by rows.
func (ar *arrangement) wheel(x, y, rows int) {
	if !ar.Running() {
		ar.mouse.Wheel(x, y, rows)
	}
}
