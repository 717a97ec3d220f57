package widget

import (
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// Sign returns the glyph of the state of a branch or an iteration, with its style.
func Sign(state runlog.InsideState, g *canvas.Glyphs) (string, canvas.Style) {
	switch state {
	case runlog.Succeeded:
		return g.Visited, theme.Good
	case runlog.Failed:
		return g.Failed, theme.Bad
	case runlog.Running:
		return g.Active, theme.Current
	case runlog.Aborted:
		return g.Aborted, theme.Warn
	case runlog.NotStarted:
	}
	return g.Pending, theme.Dim
}
