package dialog

import (
	"strings"

	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Text shows one string whole: its line breaks are line breaks, and long lines are broken.
type Text struct {
	// copy copies the text.
	copy       func()
	path, text string
	lines      []string
	width      int
	top, rows  int
}

// NewText returns the view of a text at a path; copy copies it.
func NewText(path, text string, copy func()) *Text { return &Text{copy: copy, path: path, text: text} }

// WorthViewing reports whether a string does not fit on a row of that many cells, or has several lines.
func WorthViewing(text string, cells int) bool {
	return len(text) > 4*cells || strings.ContainsRune(text, '\n') || canvas.Width(text) > cells/2
}

// Handle implements [pane.Dialog].
func (v *Text) Handle(c pane.Context, k keys.Press) {
	switch k.Action {
	case keys.Up:
		v.top--
	case keys.Down:
		v.top++
	case keys.PageUp:
		v.top -= v.rows
	case keys.PageDown:
		v.top += v.rows
	case keys.Top:
		v.top = 0
	case keys.Bottom:
		v.top = len(v.lines)
	case keys.Copy:
		c.Open(nil)
		v.copy()
		return
	default:
		c.Open(nil)
	}
	v.top = max(0, min(v.top, len(v.lines)-v.rows))
}

// Draw implements [pane.Dialog].
func (v *Text) Draw(_ pane.Context, area canvas.Area) {
	width := min(120, area.W()-2)
	if v.width != width {
		v.width, v.lines = width, breakText(v.text, width-4)
	}
	inner := widget.Window(area, width, len(v.lines)+2, v.path, "string, "+explain.Size(len(v.text))+"; any other key closes")
	v.rows = max(inner.H(), 1)
	v.top = max(0, min(v.top, len(v.lines)-v.rows))
	for y := 0; y < inner.H() && v.top+y < len(v.lines); y++ {
		inner.Text(1, y, theme.Text, v.lines[v.top+y])
	}
	widget.Scrollbar(inner, v.top, len(v.lines))
}

// breakText cuts a text into lines of at most cells cells, also inside words: nothing of a string is left out.
func breakText(text string, cells int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "    "), "\n") {
		for {
			part := canvas.Cut(line, cells)
			if part == "" || len(part) == len(line) { // none where a character is wider than the window
				break
			}
			lines = append(lines, part)
			line = line[len(part):]
		}
		lines = append(lines, line)
	}
	return lines
}

// Mode implements [pane.Dialog].
func (*Text) Mode() pane.Mode { return pane.Choosing }
