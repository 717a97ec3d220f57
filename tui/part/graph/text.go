package graph

import (
	"strings"

	"asldb/tui/part/canvas"
)

// Text returns a whole drawing as lines of text without blanks at their ends.
func (d *Drawing) Text(glyphs *canvas.Glyphs, over *Overlay) string {
	return trimmed(d.canvas(glyphs, over))
}

// Styled is [Drawing.Text] for a terminal: codes returns the sequences before and after cells of a style.
func (d *Drawing) Styled(glyphs *canvas.Glyphs, over *Overlay, codes func(canvas.Style) (before, after string)) string {
	return d.canvas(glyphs, over).Render(codes) + "\n"
}

func (d *Drawing) canvas(glyphs *canvas.Glyphs, over *Overlay) *canvas.Canvas {
	if over == nil {
		over = &Overlay{}
	}
	c := canvas.New(d.w, d.h, glyphs)
	d.Paint(c.Area(canvas.Rect{W: d.w, H: d.h}), 0, 0, over)
	return c
}

// trimmed is a canvas as text without blanks at the ends of its lines.
func trimmed(c *canvas.Canvas) string {
	rows := strings.Split(c.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n") + "\n"
}
