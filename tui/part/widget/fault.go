package widget

import (
	"strings"

	"asldb/tui/part/canvas"
)

// FaultLines lays out the error of an expression in cells: the line of the expression, a caret below the place in it, which is an
// offset in bytes, and the message behind the caret or, where that has no place there, below it.
func FaultLines(line string, offset int, message string, cells int, g *canvas.Glyphs) []string {
	const margin = 8 // the least that is shown behind the place
	column := canvas.Column(line, offset)
	if from := column - max(cells-margin, 1); canvas.Width(line) > cells && from > 0 {
		before := canvas.Cut(line, from)
		line, column = g.Ellipsis+line[len(before):], column-canvas.Width(before)+1
	}
	lines := []string{canvas.Fit(line, cells, g.Ellipsis)}
	caret := strings.Repeat(" ", min(column, max(cells-1, 0))) + "^"
	if canvas.Width(caret)+1+canvas.Width(message) <= cells {
		return append(lines, caret+" "+message)
	}
	return append(append(lines, caret), canvas.Wrap(message, max(cells, margin))...)
}
