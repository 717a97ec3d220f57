package program

import (
	tea "github.com/charmbracelet/bubbletea"

	"asldb/tui/part/canvas"
)

// wheelRows is the number of rows that one notch of the wheel scrolls.
const wheelRows = 3

// hotspot is a place on the screen at which the mouse does something.
type hotspot struct {
	place canvas.Rect
	click func(x, y int)
	wheel func(rows int)
}

// Mouse notes, while a frame is painted, that the mouse does something at a place on the canvas: click gets the cell inside of the
// place, wheel the rows to scroll by. Both may be nil. A place that is noted later lies above.
func (s *Sheet) Mouse(place canvas.Rect, click func(x, y int), wheel func(rows int)) {
	s.spots = append(s.spots, hotspot{place, click, wheel})
}

// spot returns the place at x, y; nil: there is none.
func (s *Sheet) spot(x, y int) *hotspot {
	for i := len(s.spots) - 1; i >= 0; i-- {
		if s.spots[i].place.Contains(x, y) {
			return &s.spots[i]
		}
	}
	return nil
}

func (s *Sheet) mouse(msg tea.MouseMsg) {
	if msg.Action != tea.MouseActionPress {
		return
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		s.Wheel(msg.X, msg.Y, -wheelRows)
	case tea.MouseButtonWheelDown:
		s.Wheel(msg.X, msg.Y, wheelRows)
	case tea.MouseButtonLeft:
		s.Click(msg.X, msg.Y)
	default:
	}
}

// Click presses the left button of the mouse at a cell. As a key does, it ends a message, and closes the page of keys.
func (s *Sheet) Click(x, y int) {
	if s.over {
		return
	}
	s.message = ""
	if spot := s.spot(x, y); spot != nil && spot.click != nil {
		spot.click(x-spot.place.X, y-spot.place.Y)
		return
	}
	s.help = nil
}

// Wheel turns the wheel of the mouse at a cell, by rows.
func (s *Sheet) Wheel(x, y, rows int) {
	if s.over {
		return
	}
	if s.help != nil {
		s.help.top += rows
		return
	}
	if spot := s.spot(x, y); spot != nil && spot.wheel != nil {
		spot.wheel(rows)
	}
}
