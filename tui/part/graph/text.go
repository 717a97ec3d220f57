package graph

import (
	"strings"

	"asldb/tui/part/canvas"
)

// Text returns a whole drawing as lines of text without blanks at their ends.
func (d *Drawing) Text(glyphs *canvas.Glyphs, over *Overlay) string {
	if over == nil {
		over = &Overlay{}
	}
	c := canvas.New(d.w, d.h, glyphs)
	d.Paint(c.Area(canvas.Rect{W: d.w, H: d.h}), 0, 0, over)
	return trimmed(c)
}

// trimmed is a canvas as text without blanks at the ends of its lines.
func trimmed(c *canvas.Canvas) string {
	rows := strings.Split(c.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n") + "\n"
}
