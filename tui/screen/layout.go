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
	WideWidth   = 110 // the graph is beside the story
	wideHeight  = 20
	splitWidth  = 60 // more than one pane is on the screen
	splitHeight = 16
	tallHeight  = 50 // the drawer is open once something has happened
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
	Lower                // above the drawer
	dividerCount
)

// Positions are the positions of the dividers that the user has chosen, in parts of whole; 0 is the usual position.
type Positions [dividerCount]int

// Drawer says whether the drawer is open.
type Drawer uint8

// Whether the drawer is open. By size means open on a tall screen once something has happened.
const (
	DrawerBySize Drawer = iota
	DrawerOpen
	DrawerShut
)

// Mode has the user's choices about the layout.
type Mode struct {
	Focus  view.ID
	Zoom   bool
	Lines  Positions
	Drawer Drawer
	// Drawing is the width that the best drawing of the graph takes, or 0 where the states are listed.
	Drawing int
	// Fresh is set while nothing has run: the drawer has nothing to show.
	Fresh bool
}

// Put puts a divider at a position in per cent of the divided space. 0 and 100 leave it at its usual position.
func (m *Mode) Put(d Divider, percent int) {
	if percent > 0 && percent < 100 {
		m.Lines[d] = percent * whole / 100
	}
}

// open reports whether the drawer has more than its title on a screen of h rows. With the focus it always has.
func (m *Mode) open(h int) bool {
	return m.Focus == view.Drawer || m.Drawer == DrawerOpen || m.Drawer == DrawerBySize && h >= tallHeight && !m.Fresh
}

// Line is a divider on the screen.
type Line struct {
	Divider Divider
	Upright bool // between left and right
	// Place is the part of the screen where the mouse can take it: the line between left and right, or the title of
	// the drawer.
	Place canvas.Rect
	// At is the cell of the line; from and size are the extent that it divides.
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
	return max(w*3/10, leastGraph, min(drawing+graphFrame, max(mostGraph(w), w-leastStory)))
}

// The width around the Drawing, a blank on either side, the least width of the graph, and the story's beside a drawing
// that is whole only on more than the most of a screen.
const (
	graphFrame = 2
	leastGraph = 34
	leastStory = 62
)

// mostGraph returns the most that the graph takes of a screen without being asked for.
func mostGraph(w int) int { return w * 55 / 100 }

// MostDrawing returns the most cells that the drawing of the graph takes of a screen of w cells without being asked
// for.
func MostDrawing(w int) int { return mostGraph(w) - graphFrame }

// Of arranges a screen of w by h cells: the graph at the left, the story at the right, and the drawer below them,
// whose title alone is there while it is closed. On a narrow screen the graph is one row, or all of the screen while
// it has the focus; on a small one there is one pane. It is a pure function: the same size and mode give the same
// places, which do not overlap and cover the screen together with the line between left and right.
func Of(w, h int, m Mode) Places {
	if w < MinWidth || h < MinHeight {
		return Places{TooSmall: true}
	}
	r := Places{Status: canvas.Rect{W: w, H: 1}, Hint: canvas.Rect{Y: h - 1, W: w, H: 1}}
	body := canvas.Rect{Y: 1, W: w, H: h - 2}
	if m.Zoom || w < splitWidth || h < splitHeight {
		r.Panes[m.Focus] = body
		return r
	}
	upper := r.split(body, m, h)
	switch {
	case w >= WideWidth && h >= wideHeight:
		at := cut(w, m.Lines[Graph], graphWidth(w, m.Drawing), MinPaneWidth)
		r.Panes[view.States], r.Panes[view.Data] = upper, upper
		r.Panes[view.States].W = at
		r.Panes[view.Data].X, r.Panes[view.Data].W = at+1, w-at-1
		r.Lines = append(r.Lines, Line{
			Divider: Graph, Upright: true, Place: canvas.Rect{X: at, Y: upper.Y, W: 1, H: upper.H}, At: at, size: w,
		})
	case m.Focus == view.States:
		r.Panes[view.States] = upper
	default:
		r.Panes[view.States], r.Panes[view.Data] = upper, upper
		r.Panes[view.States].H = 1
		r.Panes[view.Data].Y, r.Panes[view.Data].H = upper.Y+1, upper.H-1
	}
	return r
}

// The rows of an open drawer without being asked for, its title included.
const (
	leastDrawer = 8
	mostDrawer  = 14
)

// split puts the drawer below body, and returns the rows above it.
func (r *Places) split(body canvas.Rect, m Mode, h int) (upper canvas.Rect) {
	upper, drawer := body, body
	upper.H = body.H - 1
	if m.open(h) {
		upper.H = cut(body.H, m.Lines[Lower], body.H-max(leastDrawer, min(h*3/10, mostDrawer)), MinPaneHeight+1)
	}
	drawer.Y, drawer.H = body.Y+upper.H, body.H-upper.H
	r.Panes[view.Drawer] = drawer
	if drawer.H > 1 {
		r.Lines = append(r.Lines, Line{
			Divider: Lower, Place: canvas.Rect{Y: drawer.Y, W: body.W, H: 1}, At: drawer.Y, from: body.Y, size: body.H,
		})
	}
	return upper
}

// cut returns where size is divided: at the user's position where there is one, else at the usual one, and so that
// both sides keep their least.
func cut(size, position, usual, least int) int {
	if position > 0 {
		usual = (size*position + whole/2) / whole
	}
	return max(least, min(usual, size-1-least))
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
			if l := &r.Lines[i]; l.Upright == upright && l.Place.Contains(x, y) {
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
	meet := l.Place
	return meet.X < pane.X+pane.W && pane.X < meet.X+meet.W && meet.Y < pane.Y+pane.H && pane.Y < meet.Y+meet.H
}

// drawLine paints the line between the graph and the story.
func (ar *arrangement) drawLine(all canvas.Area) {
	for i := range ar.places.Lines {
		if l := &ar.places.Lines[i]; l.Upright {
			all.Area(l.Place).Split(0)
		}
	}
}
