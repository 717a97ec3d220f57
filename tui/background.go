package tui

import (
	"github.com/charmbracelet/lipgloss"

	"asldb/tui/darkfirst"
)

// Bubble Tea is initialised: the terminal is what it is, and nothing asks for its background later on.
func init() {
	darkfirst.Restore()
	lipgloss.SetHasDarkBackground(true)
}
