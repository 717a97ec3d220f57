// This part of the package places the panes on a screen, by its size, the focus, their needs and the positions that the
// user has chosen.

package screen

import (
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// The smallest screen that panes are drawn on, in cells.
const (
	MinWidth  = 40
	MinHeight = 10
)

// The sizes from which on the screen is arranged otherwise.
const (
	WideWidth   = 110 // the graph stands beside the data
	wideHeight  = 20
	sideWidth   = 100 // the side pane stands beside the events
	splitWidth  = 60  // more than one pane is on the screen
	splitHeight = 16
)

// The least that a divider leaves to either side, in cells.
const (
	MinPaneWidth  = 20
	MinPaneHeight = 5
)

// whole is the sum of the two parts that a divider makes: positions are in ten-thousandths, so that they mean the
// same on a screen of another size.
const whole = 10_000

// Divider is one of the lines between panes that the user can move.
type Divider uint8

// The dividers.
const (
	Graph Divider = iota // right of the graph
	Lower                // above the lower panes
	Side                 // left of the side pane
	dividerCount
)

// Positions are the positions of the dividers that the user has chosen, in parts of whole; 0 is the usual position.
type Positions [dividerCount]int

// Mode has the user's choices about the layout, and the needs of the panes.
type Mode struct {
	Focus view.ID
	Zoom  bool
	Lines Positions
	// Drawing is the width that the best drawing of the graph takes, or 0 where the states are listed.
	Drawing int
	// Fresh is set while nothing has run: the lower panes have nothing to show, and the graph has their room.
	Fresh bool
	// Needs are the most rows that each pane has needed within its border so far, 0 where that is not known.
	Needs [view.Count]int
}

// Put puts a divider at a position in per cent of the divided space. 0 and 100 leave it at its usual position.
func (m *Mode) Put(d Divider, percent int) {
	if percent > 0 && percent < 100 {
		m.Lines[d] = percent * whole / 100
	}
}

// Line is a divider on the screen.
type Line struct {
	Divider Divider
	Upright bool // it lies between left and right
	// place is the part of the screen where the mouse can take it: the borders of the panes on both sides.
	place canvas.Rect
	// At is the first cell behind it; from and size are the extent that it divides.
	At, from, size int
}

// Position returns the place of a cell in the divided space, for [Positions].
func (l *Line) Position(at int) int {
	return max(1, ((at-l.from)*whole+l.size/2)/l.size)
}

// Places are the places of the parts. A part that is not on the screen is empty.
type Places struct {
	Status, Hint canvas.Rect
	Panes        [view.Count]canvas.Rect
	Lines        []Line
	// TooSmall: there is only room for one line with a message.
	TooSmall bool
}

// graphWidth returns how much of a wide screen the graph takes: as much as it needs, in bounds.
func graphWidth(w, drawing int) int {
	least := max(w*3/10, 32)
	return max(least, min(drawing+graphFrame, mostGraph(w)))
}

// graphFrame is the width around the Drawing: the border, and a blank on either side.
const graphFrame = 4

// mostGraph returns the most that the graph takes of a screen without being asked for: the data keeps two fifths, and
// no less than usualData.
func mostGraph(w int) int { return w - max(usualData, w*2/5) }

// MostDrawing returns the most cells that the drawing of the graph takes of a screen of w cells without being asked
// for.
func MostDrawing(w int) int { return mostGraph(w) - graphFrame }

// usualData is the width in which most documents fit without a cut, and mostSide the width that the side pane needs.
const (
	usualData = 52
	mostSide  = 60
)

// Of arranges a screen of w by h cells. It is a pure function: the same size and mode give the
// same places, which do not overlap and together cover the screen.
func Of(w, h int, m Mode) Places {
	if w < MinWidth || h < MinHeight {
		return Places{TooSmall: true}
	}
	r := Places{Status: canvas.Rect{W: w, H: 1}, Hint: canvas.Rect{Y: h - 1, W: w, H: 1}}
	body := canvas.Rect{Y: 1, W: w, H: h - 2}
	switch {
	case m.Zoom || w < splitWidth || h < splitHeight:
		r.Panes[m.Focus] = body
	case w >= WideWidth && h >= wideHeight:
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, max(7, body.H*3/10), true))
		graph, data := r.splitColumns(Graph, upper, m, graphWidth(w, m.Drawing))
		events, side := r.splitColumns(Side, lower, m, max(w*6/10, w-mostSide))
		r.Panes = [view.Count]canvas.Rect{view.Data: data, view.States: graph, view.Events: events, view.Side: side}
	case w >= sideWidth:
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, min(max(6, body.H/3), 14), false))
		graph, rest := r.splitColumnsLeaving(Graph, lower, m, w*3/10, 2*MinPaneWidth)
		events, side := r.splitColumns(Side, rest, m, rest.W*6/10)
		r.Panes = [view.Count]canvas.Rect{view.Data: upper, view.States: graph, view.Events: events, view.Side: side}
	default:
		upper, lower := r.splitRows(body, m, body.H-m.lowerRows(body.H, min(max(6, body.H/3), 14), false))
		graph, events := r.splitColumns(Graph, lower, m, w*45/100)
		r.Panes = [view.Count]canvas.Rect{view.Data: upper, view.States: graph, view.Events: events}
		if m.Focus == view.Side { // it takes the place of the events
			r.Panes[view.Side], r.Panes[view.Events] = r.Panes[view.Events], canvas.Rect{}
		}
	}
	return r
}

// leastLower is how many rows the lower panes keep where the graph above them needs the others, their borders included.
const leastLower = 8

// freshLower is how many rows the lower panes have before anything has run, their borders included.
const freshLower = MinPaneHeight + 1

// lowerRows returns how many of h rows the lower panes take, which is usual where there is no reason for another
// number. This is the rule by which panes share rows: the rows that no upper pane has needed so far go to the lower
// panes once these need more than their usual share; and where the graph lies above them and is cropped, they give up
// the rows beyond leastLower that show all of it. Needs only grow while a run goes on, so that the panes do not move to
// and fro.
func (m *Mode) lowerRows(h, usual int, graphAbove bool) int {
	const border = 2
	upper := m.Needs[view.Data] + border
	lower := max(m.Needs[view.Events], m.Needs[view.Side]) + border
	graph := m.Needs[view.States] + border
	if graphAbove {
		upper = max(upper, graph)
	} else {
		lower = max(lower, graph)
	}
	switch {
	case m.Fresh && graphAbove:
		return freshLower
	case m.Needs == [view.Count]int{}:
	case upper < h-usual && lower > usual:
		return min(h-upper, lower, h/2)
	case graphAbove && graph > h-usual && graph <= h-leastLower:
		return h - graph
	}
	return usual
}

// cut returns where size is divided: at the user's position where there is one, else at the usual one, and so that
// both sides keep their least.
func cut(size, position, usual, least, leastBehind int) int {
	if position > 0 {
		usual = (size*position + whole/2) / whole
	}
	return max(least, min(usual, size-leastBehind))
}

func (r *Places) splitRows(body canvas.Rect, m Mode, usual int) (upper, lower canvas.Rect) {
	at := cut(body.H, m.Lines[Lower], usual, MinPaneHeight, MinPaneHeight)
	upper, lower = body, body
	upper.H = at
	lower.Y, lower.H = body.Y+at, body.H-at
	r.Lines = append(r.Lines, Line{
		Divider: Lower, place: canvas.Rect{X: body.X, Y: lower.Y - 1, W: body.W, H: 2}, At: lower.Y, from: body.Y, size: body.H,
	})
	return upper, lower
}

func (r *Places) splitColumns(d Divider, body canvas.Rect, m Mode, usual int) (left, right canvas.Rect) {
	return r.splitColumnsLeaving(d, body, m, usual, MinPaneWidth)
}

// splitColumnsLeaving divides body so that at least behind cells are left to the right.
func (r *Places) splitColumnsLeaving(d Divider, body canvas.Rect, m Mode, usual, behind int) (left, right canvas.Rect) {
	at := cut(body.W, m.Lines[d], usual, MinPaneWidth, behind)
	left, right = body, body
	left.W = at
	right.X, right.W = body.X+at, body.W-at
	r.Lines = append(r.Lines, Line{
		Divider: d, Upright: true, place: canvas.Rect{X: right.X - 1, Y: body.Y, W: 2, H: body.H}, At: right.X, from: body.X, size: body.W,
	})
	return left, right
}

// At returns the pane at x, y; ok is false where none is.
func (r *Places) At(x, y int) (p view.ID, ok bool) {
	for p := range view.Count {
		if r.Panes[p].Contains(x, y) {
			return p, true
		}
	}
	return 0, false
}

// LineAt returns the divider that can be taken at x, y, or nil. Those between left and right come first: they are
// the narrower ones.
func (r *Places) LineAt(x, y int) *Line {
	for _, upright := range []bool{true, false} {
		for i := range r.Lines {
			if l := &r.Lines[i]; l.Upright == upright && l.place.Contains(x, y) {
				return l
			}
		}
	}
	return nil
}

// LineBeside returns the divider that the keys move when pane p has the focus, or nil where none is on the screen.
func (r *Places) LineBeside(p view.ID, upright bool) *Line {
	var found *Line
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Upright == upright && (found == nil || touches(l, r.Panes[p]) && !touches(found, r.Panes[p])) {
			found = l
		}
	}
	return found
}

func touches(l *Line, pane canvas.Rect) bool {
	meet := l.place
	return meet.X < pane.X+pane.W && pane.X < meet.X+meet.W && meet.Y < pane.Y+pane.H && pane.Y < meet.Y+meet.H
}
