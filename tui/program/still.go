package program

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"asldb/tui/part/canvas"
)

// still is a frame that can be shown while the view is being changed in another goroutine.
type still struct {
	text   string
	w, h   int
	theme  *canvas.Theme
	glyphs *canvas.Glyphs
}

// still paints the screen and returns the frame.
func (s *Stack) still() *still {
	return &still{s.Frame(), s.w, s.h, s.layer().appearance.theme, s.Glyphs()}
}

// withLine returns the frame cut or filled up to a size, with a line of text in place of the last one.
func (f *still) withLine(w, h int, text string) string {
	if w < 1 || h < 1 {
		return ""
	}
	lines := strings.Split(f.text, "\n")
	lines = lines[:min(len(lines), h)]
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], w, "")
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	last := canvas.New(w, 1, f.glyphs)
	row := last.Area(canvas.Rect{W: w, H: 1})
	row.Fit(1, 0, w-2, canvas.Warn, text)
	lines[h-1] = last.Render(f.theme.Sequences)
	return strings.Join(lines, "\n")
}
