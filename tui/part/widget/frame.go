package widget

import "asldb/tui/part/canvas"

// Frame is the part of the screen that a view draws: the cells, whether the view has the keys, and where the mouse does
// something. Its coordinates are its area's.
type Frame struct {
	canvas.Area
	// Focused reports whether the view has the keys.
	Focused bool
	spots   *Spots // nil: the mouse does nothing
}

// In returns the part of the frame inside r.
func (f Frame) In(r canvas.Rect) Frame {
	f.Area = f.Area.Area(r)
	return f
}

// Titled draws the line with the title of a pane, heavier where it has the keys, and returns the frame below it.
func (f Frame) Titled(b canvas.Frame) Frame {
	b.Border, b.TitleStyle, b.Focused = Border(f.Focused), canvas.Title, f.Focused
	f.Area = f.Area.Titled(b)
	return f
}

// Split is [canvas.Area.Split], with the right side as a frame.
func (f Frame) Split(at int) (left canvas.Area, right Frame) {
	left, f.Area = f.Area.Split(at)
	return left, f
}

// Window draws the frame of a dialog, and returns its inside: see [Window].
func (f Frame) Window(w, h int, title, foot string) Frame {
	f.Area = Window(f.Area, w, h, title, foot)
	return f
}

// Click notes that a click inside r does something.
func (f Frame) Click(r canvas.Rect, do func()) { f.In(r).Mouse(func(_, _ int) { do() }, nil) }

// Mouse notes the actions of the mouse in the frame: click gets the cell, wheel the rows to scroll by. Both may be nil.
// A place that is noted later is above.
func (f Frame) Mouse(click func(x, y int), wheel func(rows int)) {
	if f.spots != nil {
		f.spots.list = append(f.spots.list, spot{f.Place(canvas.Rect{W: f.W(), H: f.H()}), click, wheel})
	}
}

// Spots are the places of a drawn screen at which the mouse does something.
type Spots struct{ list []spot }

type spot struct {
	place canvas.Rect
	click func(x, y int)
	wheel func(rows int)
}

// Frame returns the frame of an area, whose places are noted here.
func (s *Spots) Frame(area canvas.Area, focused bool) Frame { return Frame{area, focused, s} }

// Reset forgets the places, before the screen is redrawn.
func (s *Spots) Reset() { s.list = s.list[:0] }

// takesClicks reports whether a click is not passed to the place below: it has an action there, or the
// place has none at all.
func (s *spot) takesClicks() bool { return s.click != nil || s.wheel == nil }

// takesWheel is the same for the wheel.
func (s *spot) takesWheel() bool { return s.wheel != nil || s.click == nil }

// at returns the topmost place at a cell that fits, or nil.
func (s *Spots) at(x, y int, fits func(s *spot) bool) *spot {
	for i := len(s.list) - 1; i >= 0; i-- {
		if p := &s.list[i]; p.place.Contains(x, y) && fits(p) {
			return p
		}
	}
	return nil
}

// Has reports whether a click at a cell of the screen does something.
func (s *Spots) Has(x, y int) bool {
	p := s.at(x, y, (*spot).takesClicks)
	return p != nil && p.click != nil
}

// Click carries out the action of a click at a cell of the screen; false where there is none.
func (s *Spots) Click(x, y int) bool {
	p := s.at(x, y, (*spot).takesClicks)
	if p == nil || p.click == nil {
		return false
	}
	p.click(x-p.place.X, y-p.place.Y)
	return true
}

// Wheel turns the wheel at a cell of the screen by rows; false where nothing scrolls there.
func (s *Spots) Wheel(x, y, rows int) bool {
	p := s.at(x, y, (*spot).takesWheel)
	if p == nil || p.wheel == nil {
		return false
	}
	p.wheel(rows)
	return true
}
