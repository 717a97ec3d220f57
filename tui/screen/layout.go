package screen

import (
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
)

// The smallest screen that panes are drawn on.
const (
	minWidth  = 40
	minHeight = 10
)

// The sizes from which on the screen is arranged otherwise.
const (
	wideWidth   = 110 // the graph stands beside the data
	wideHeight  = 20
	sideWidth   = 100 // the side pane stands beside the events
	splitWidth  = 60  // more than one pane is on the screen
	splitHeight = 16
)

// The least a divider leaves to either side.
const (
	minPaneWidth  = 20
	minPaneHeight = 5
)

// whole is the sum of the two parts that a divider makes: positions are in ten-thousandths, so that they mean the
// same on a screen of another size.
const whole = 10_000

// divider is one of the lines between panes that the person can move.
type divider uint8

const (
	dividerGraph divider = iota // right of the graph
	dividerLower                // above the lower panes
	dividerSide                 // left of the side pane
	dividerCount
)

// dividers are the positions that the person has chosen, in parts of whole; 0 is the usual position.
type dividers [dividerCount]int

// mode is the user's choices about the arrangement.
type mode struct {
	focus pane.ID
	zoom  bool
	lines dividers
	// drawing is the width that the best drawing of the graph takes, or 0 where the states are listed.
	drawing int
	// needs are the most rows that each pane has needed within its border so far, 0 where that is not known.
	needs [pane.Count]int
}

// line is a divider on the screen.
type line struct {
	divider divider
	upright bool // it lies between left and right
	// place is where it can be taken with the mouse: the borders of the panes on both sides.
	place canvas.Rect
	// at is the first cell behind it; from and size are the extent that it divides.
	at, from, size int
}

// position is the place of at in parts of whole.
func (l *line) position(at int) int {
	return max(1, ((at-l.from)*whole+l.size/2)/l.size)
}

// rects are the places of the parts. A part that is not on the screen is empty.
type rects struct {
	status, hint canvas.Rect
	panes        [pane.Count]canvas.Rect
	lines        []line
	// tooSmall: there is only room for one line that says so.
	tooSmall bool
}

// graphWidth is how much of a wide screen the graph takes: as much as it needs, in bounds.
func graphWidth(w, drawing int) int {
	least := max(w*3/10, 32)
	return max(least, min(drawing+graphFrame, mostGraph(w)))
}

// graphFrame is the width around the drawing: the border, and a blank on either side.
const graphFrame = 4

// mostGraph is the most that the graph takes of a screen without being asked for: the data keeps two fifths, and no less
// than usualData.
func mostGraph(w int) int { return w - max(usualData, w*2/5) }

// usualData is the width in which most documents fit without a cut, and mostSide the width that the side pane needs.
const (
	usualData = 52
	mostSide  = 60
)

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
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, max(7, body.H*3/10), true))
		graph, data := r.splitColumns(dividerGraph, upper, m, graphWidth(w, m.drawing))
		events, side := r.splitColumns(dividerSide, lower, m, max(w*6/10, w-mostSide))
		r.panes = [pane.Count]canvas.Rect{pane.Data: data, pane.States: graph, pane.Events: events, pane.Side: side}
	case w >= sideWidth:
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, min(max(6, body.H/3), 14), false))
		graph, rest := r.splitColumnsLeaving(dividerGraph, lower, m, w*3/10, 2*minPaneWidth)
		events, side := r.splitColumns(dividerSide, rest, m, rest.W*6/10)
		r.panes = [pane.Count]canvas.Rect{pane.Data: upper, pane.States: graph, pane.Events: events, pane.Side: side}
	default:
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, min(max(6, body.H/3), 14), false))
		graph, events := r.splitColumns(dividerGraph, lower, m, w*45/100)
		r.panes = [pane.Count]canvas.Rect{pane.Data: upper, pane.States: graph, pane.Events: events}
		if m.focus == pane.Side { // it takes the place of the events
			r.panes[pane.Side], r.panes[pane.Events] = r.panes[pane.Events], canvas.Rect{}
		}
	}
	return r
}

// leastLower is how many rows the lower panes keep where the graph above them needs the others, their borders included.
const leastLower = 8

// lowerRows is how many of h rows the lower panes take, which is usual where there is no reason for another number. This is the
// rule by which panes share rows: the rows that no upper pane has needed so far go to the lower panes once these need more than
// their usual share; and where the graph lies above them and is cropped, they give up the rows beyond leastLower that show all of
// it. Needs only grow while a run goes on, so that the panes do not move to and fro.
func (m *mode) lowerRows(h, usual int, graphAbove bool) int {
	const border = 2
	upper := m.needs[pane.Data] + border
	lower := max(m.needs[pane.Events], m.needs[pane.Side]) + border
	graph := m.needs[pane.States] + border
	if graphAbove {
		upper = max(upper, graph)
	} else {
		lower = max(lower, graph)
	}
	switch {
	case m.needs == [pane.Count]int{}:
	case upper < h-usual && lower > usual:
		return min(h-upper, lower, h/2)
	case graphAbove && graph > h-usual && graph <= h-leastLower:
		return h - graph
	}
	return usual
}

// cut returns where size is divided: at the person's position where there is one, else at the usual one, and so that
// both sides keep their least.
func cut(size, position, usual, least, leastBehind int) int {
	if position > 0 {
		usual = (size*position + whole/2) / whole
	}
	return max(least, min(usual, size-leastBehind))
}

func (r *rects) splitRows(body canvas.Rect, m mode, usual int) (upper, lower canvas.Rect) {
	at := cut(body.H, m.lines[dividerLower], usual, minPaneHeight, minPaneHeight)
	upper, lower = body, body
	upper.H = at
	lower.Y, lower.H = body.Y+at, body.H-at
	r.lines = append(r.lines, line{
		divider: dividerLower, place: canvas.Rect{X: body.X, Y: lower.Y - 1, W: body.W, H: 2}, at: lower.Y, from: body.Y, size: body.H,
	})
	return upper, lower
}

func (r *rects) splitColumns(d divider, body canvas.Rect, m mode, usual int) (left, right canvas.Rect) {
	return r.splitColumnsLeaving(d, body, m, usual, minPaneWidth)
}

// splitColumnsLeaving divides body so that at least behind cells are left to the right.
func (r *rects) splitColumnsLeaving(d divider, body canvas.Rect, m mode, usual, behind int) (left, right canvas.Rect) {
	at := cut(body.W, m.lines[d], usual, minPaneWidth, behind)
	left, right = body, body
	left.W = at
	right.X, right.W = body.X+at, body.W-at
	r.lines = append(r.lines, line{
		divider: d, upright: true, place: canvas.Rect{X: right.X - 1, Y: body.Y, W: 2, H: body.H}, at: right.X, from: body.X, size: body.W,
	})
	return left, right
}

// at returns the pane at x, y; ok is false where none is.
func (r *rects) at(x, y int) (p pane.ID, ok bool) {
	for p := range pane.Count {
		if r.panes[p].Contains(x, y) {
			return p, true
		}
	}
	return 0, false
}

// lineAt returns the divider that can be taken at x, y, or nil. Those between left and right come first: they are
// the narrower ones.
func (r *rects) lineAt(x, y int) *line {
	for _, upright := range []bool{true, false} {
		for i := range r.lines {
			if l := &r.lines[i]; l.upright == upright && l.place.Contains(x, y) {
				return l
			}
		}
	}
	return nil
}

// lineBeside returns the divider that the keys move when pane p has the focus, or nil where none is on the screen.
func (r *rects) lineBeside(p pane.ID, upright bool) *line {
	var found *line
	for i := range r.lines {
		l := &r.lines[i]
		if l.upright == upright && (found == nil || touches(l, r.panes[p]) && !touches(found, r.panes[p])) {
			found = l
		}
	}
	return found
}

func touches(l *line, pane canvas.Rect) bool {
	meet := l.place
	return meet.X < pane.X+pane.W && pane.X < meet.X+meet.W && meet.Y < pane.Y+pane.H && pane.Y < meet.Y+meet.H
}
