package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"asldb/tui/part/canvas"
)

// Still is a frame that can be shown while the screen is being changed in another goroutine. The zero value is empty.
type Still struct {
	Text   string
	W, H   int
	theme  *canvas.Theme
	glyphs *canvas.Glyphs
}

// Still paints the screen and returns the frame.
func (s *Screen) Still() Still {
	f := Still{Text: s.Frame(), theme: s.ui.theme, glyphs: s.ui.glyphs}
	f.W, f.H = s.Size()
	return f
}

// Empty reports whether nothing has been painted.
func (f *Still) Empty() bool { return f.glyphs == nil }

// Ellipsis is the ellipsis among the screen's glyphs.
func (f *Still) Ellipsis() string { return f.glyphs.Ellipsis }

// WithLine returns the frame cut or filled up to a size, with a line of text in place of the last one.
func (f *Still) WithLine(w, h int, text string) string {
	if w < 1 || h < 1 {
		return ""
	}
	lines := strings.Split(f.Text, "\n")
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
	lines[h-1] = last.Render(f.theme.Look)
	return strings.Join(lines, "\n")
}
