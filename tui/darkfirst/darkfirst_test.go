package darkfirst

import (
	"reflect"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// TestPathSortsBeforeBubbleTea fails where the module has a path with which Bubble Tea is initialised first, and asks the
// terminal for its background: then this package has no effect, and the fix is a path that sorts before it.
func TestPathSortsBeforeBubbleTea(t *testing.T) {
	type here struct{}
	own, bubbleTea := reflect.TypeFor[here]().PkgPath(), reflect.TypeFor[tea.Program]().PkgPath()
	if own >= bubbleTea {
		t.Errorf("%s sorts after %s, so Go initialises it later: choose another path for the module", own, bubbleTea)
	}
}

func TestBackgroundIsDark(t *testing.T) {
	if !lipgloss.HasDarkBackground() {
		t.Error("Lip Gloss takes the background for light")
	}
}
