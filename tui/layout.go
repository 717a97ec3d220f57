package tui

import "asldb.dev/asldb/tui/canvas"

// pane is one of the parts of the screen that can have the focus.
type pane uint8

const (
	paneData pane = iota
	paneGraph
	paneEvents
	paneSide
	paneCount
)

// The smallest screen that panes are drawn on.
const (
	minWidth  = 40
	minHeight = 10
)

// The sizes from which on the screen is arranged otherwise.
const (
	wideWidth   = 110 // the outline stands beside the data
	wideHeight  = 20
	sideWidth   = 100 // the side pane stands beside the events
	splitWidth  = 60  // more than one pane is on the screen
	splitHeight = 16
)

// mode is what the person chose about the arrangement.
type mode struct {
	focus pane
	zoom  bool
}

// rects are the places of the parts. A part that is not on the screen is empty.
type rects struct {
	status, hint canvas.Rect
	panes        [paneCount]canvas.Rect
	// tooSmall: there is only room for one line that says so.
	tooSmall bool
}

// layout arranges a screen of w by h cells. It is a pure function: the same size and mode give the
// same places, which do not overlap and together cover the screen.
func layout(w, h int, m mode) rects {
	if w < minWidth || h < minHeight {
		return rects{tooSmall: true}
	}
	r := rects{status: canvas.Rect{W: w, H: 1}, hint: canvas.Rect{Y: h - 1, W: w, H: 1}}
	body := canvas.Rect{Y: 1, W: w, H: h - 2}
	switch {
	case m.zoom || w < splitWidth || h < splitHeight:
		r.panes[m.focus] = body
	case w >= wideWidth && h >= wideHeight:
		top, bottom := splitRows(body, max(7, body.H*3/10))
		left := min(max(w*3/10, 32), 56)
		r.panes[paneGraph] = canvas.Rect{X: 0, Y: top.Y, W: left, H: top.H}
		r.panes[paneData] = canvas.Rect{X: left, Y: top.Y, W: w - left, H: top.H}
		r.splitBottom(bottom, w*6/10)
	default:
		top, bottom := splitRows(body, min(max(6, body.H/3), 14))
		r.panes[paneData] = top
		if w >= sideWidth {
			outline := w * 3 / 10
			r.panes[paneGraph] = canvas.Rect{X: 0, Y: bottom.Y, W: outline, H: bottom.H}
			r.splitBottom(canvas.Rect{X: outline, Y: bottom.Y, W: w - outline, H: bottom.H}, (w-outline)*6/10)
			break
		}
		half := w * 45 / 100
		r.panes[paneGraph] = canvas.Rect{X: 0, Y: bottom.Y, W: half, H: bottom.H}
		r.panes[paneEvents] = canvas.Rect{X: half, Y: bottom.Y, W: w - half, H: bottom.H}
		if m.focus == paneSide { // it takes the place of the events
			r.panes[paneSide], r.panes[paneEvents] = r.panes[paneEvents], canvas.Rect{}
		}
	}
	return r
}

func splitRows(body canvas.Rect, bottom int) (upper, lower canvas.Rect) {
	upper, lower = body, body
	upper.H = body.H - bottom
	lower.Y, lower.H = body.Y+upper.H, bottom
	return upper, lower
}

func (r *rects) splitBottom(bottom canvas.Rect, events int) {
	r.panes[paneEvents] = canvas.Rect{X: bottom.X, Y: bottom.Y, W: events, H: bottom.H}
	r.panes[paneSide] = canvas.Rect{X: bottom.X + events, Y: bottom.Y, W: bottom.W - events, H: bottom.H}
}

// at returns the pane at x, y; ok is false where none is.
func (r *rects) at(x, y int) (p pane, ok bool) {
	for p := range paneCount {
		if r.panes[p].Contains(x, y) {
			return p, true
		}
	}
	return 0, false
}
