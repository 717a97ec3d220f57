package program

import tea "github.com/charmbracelet/bubbletea"

// wheelRows is the number of rows that one notch of the wheel scrolls.
const wheelRows = 3

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
	if !s.spots.Click(x, y) {
		s.help = nil
	}
}

// Wheel turns the wheel of the mouse at a cell, by rows.
func (s *Sheet) Wheel(x, y, rows int) {
	if !s.over {
		s.spots.Wheel(x, y, rows)
	}
}
