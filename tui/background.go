package tui

import (
	"github.com/charmbracelet/lipgloss"

	"asldb/tui/darkfirst"
)

// Bubble Tea is initialised: nothing asks the terminal for its background later on.
func init() {
	darkfirst.Restore()
	lipgloss.SetHasDarkBackground(true)
}
