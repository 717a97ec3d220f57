package widget

import (
	"asldb/engine/runlog"
	"asldb/tui/part/canvas"
)

// Sign returns the glyph of the state of a branch or an iteration, with its style.
func Sign(state runlog.InsideState, g *canvas.Glyphs) (string, canvas.Style) {
	switch state {
	case runlog.Succeeded:
		return g.Visited, canvas.Good
	case runlog.Failed:
		return g.Failed, canvas.Bad
	case runlog.Running:
		return g.Active, canvas.Current
	case runlog.Aborted:
		return g.Aborted, canvas.Warn
	case runlog.NotStarted:
	}
	return g.Pending, canvas.Dim
}
