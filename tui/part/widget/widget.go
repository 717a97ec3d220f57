// Package widget has the parts of dialogs and panes: windows, lists, scroll bars, a text field.
package widget

import (
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Border returns the style of the border of a pane.
func Border(focused bool) canvas.Style {
	if focused {
		return canvas.BorderFocus
	}
	return canvas.Border
}

// Scrollbar paints a thumb at the right edge where not everything is on the screen.
func Scrollbar(area canvas.Area, top, total int) {
	h := area.H()
	if total <= h || h < 3 {
		return
	}
	thumb := max(1, h*h/total)
	at := (h - thumb) * top / max(1, total-h)
	for y := at; y < at+thumb; y++ {
		area.Text(area.W()-1, y, canvas.Border, area.Glyphs().ScrollThumb)
	}
}

// Window draws the frame of a dialog of at most w by h cells in the middle of area, and returns its inside.
func Window(area canvas.Area, w, h int, title, foot string) canvas.Area {
	w, h = min(w, area.W()), min(h, area.H()-1) // the bottom line is for messages
	box := area.Area(canvas.Rect{X: (area.W() - w) / 2, Y: (area.H() - h) / 2, W: w, H: h})
	box.Blank(canvas.Plain)
	return box.Frame(canvas.Frame{Title: title, Foot: foot, Border: canvas.BorderFocus, TitleStyle: canvas.Title, Focused: true})
}

// DrawRunes paints one line of text with the cursor at position, scrolled so that it is in view. The line may have millions of
// characters: only those near the cursor are looked at.
func DrawRunes(area canvas.Area, text []rune, position int, focused bool) {
	position = min(position, len(text))
	from := max(0, position-4*area.W()) // more than fit, also where some take no cell
	shown := string(text[from:min(len(text), position+4*area.W())])
	before := canvas.Column(shown, len(string(text[from:position])))
	left := max(0, before-area.W()+1)
	area.Text(-left, 0, canvas.Plain, shown)
	if focused {
		area.MarkSpan(before-left, 0, 1)
	}
}

// Far is more lines than anything can scroll.
const Far = 1 << 30

// PageMove is by how many rows an action moves a page of that many rows; ok is false for other actions.
func PageMove(a keys.Action, rows int) (by int, ok bool) {
	switch a {
	case keys.Up:
		return -1, true
	case keys.Down:
		return 1, true
	case keys.PageUp:
		return -rows, true
	case keys.PageDown:
		return rows, true
	case keys.Top:
		return -Far, true
	case keys.Bottom:
		return Far, true
	default:
	}
	return 0, false
}

// FindFrom returns the next of n things that fits, on from the selected one and round at the end; by is 1 or -1. It
// comes to the selected one last.
func FindFrom(selected, n, by int, fits func(i int) bool) (at int, wrapped, ok bool) {
	for step := 1; step <= n; step++ {
		i := selected + step*by
		wrapped = i < 0 || i >= n
		if i = (i%n + n) % n; fits(i) {
			return i, wrapped, true
		}
	}
	return 0, false, false
}

// ContainsFold reports whether text contains part, in upper or lower case.
func ContainsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// Hints joins hints for the lower border, as many of the first ones as fit into cells.
func Hints(cells int, hints ...string) string {
	text := ""
	for _, hint := range hints {
		more := hint
		if text != "" {
			more = text + "   " + hint
		}
		if canvas.Width(more) > cells {
			break
		}
		text = more
	}
	return text
}
