package tui

import (
	"asldb/engine/explain"
	"asldb/tui/part/prose"
	"asldb/tui/part/theme"
)

// Bounds of the unfolded expressions of a stage, which stand above the data: in lines, and of a value in characters.
const (
	maxUnfolded   = 14
	unfoldedCells = 60
)

// queryWords unfolds the JSONata expressions of the stage: the value of each of their parts.
func (u *ui) queryWords() []para {
	words := parasOf(explain.Query(u.session, u.selection.Index), prose.Writer(u.glyphs, unfoldedCells))
	if more := len(words) - maxUnfolded; more > 0 {
		words = append(words[:maxUnfolded], para{theme.Dim, explain.Plural(more, "more line", "more lines") + ": asldb eval --jsonata --explain has them all", 0})
	}
	return words
}
