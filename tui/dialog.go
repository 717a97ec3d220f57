package tui

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
)

// dialog lies over the panes and takes the keys.
type dialog interface {
	handle(u *ui, k press)
	// draw paints the dialog into the area below the status line.
	draw(u *ui, area canvas.Area)
}

// textDialog is a dialog into which text is written.
type textDialog interface {
	dialog
	writes()
}

// drawInput paints one line of text with the cursor at rune position, scrolled so that it is in view.
func drawInput(area canvas.Area, text string, position int, focused bool) {
	drawRunes(area, []rune(text), position, focused)
}

// drawRunes is drawInput for a line that may have millions of characters: only those near the cursor are looked at.
func drawRunes(area canvas.Area, text []rune, position int, focused bool) {
	position = min(position, len(text))
	from := max(0, position-4*area.W()) // more than fit, also where some take no cell
	shown := string(text[from:min(len(text), position+4*area.W())])
	before := canvas.Column(shown, len(string(text[from:position])))
	left := max(0, before-area.W()+1)
	area.Text(-left, 0, theme.Plain, shown)
	if focused {
		area.MarkSpan(before-left, 0, 1)
	}
}

// windowIn draws the frame of a dialog of at most w by h cells in the middle of area, and returns its inside.
func windowIn(area canvas.Area, w, h int, title, foot string) canvas.Area {
	w, h = min(w, area.W()), min(h, area.H()-1) // the bottom line is for messages
	box := area.Area(canvas.Rect{X: (area.W() - w) / 2, Y: (area.H() - h) / 2, W: w, H: h})
	box.Blank(theme.Plain)
	return box.Frame(canvas.Frame{Title: title, Foot: foot, Border: theme.BorderFocus, TitleStyle: theme.Title, Focused: true})
}

// helpPage shows every key.
type helpPage struct{ top, rows, total int }

func (p *helpPage) handle(u *ui, k press) {
	if by, ok := pageMove(k.action, p.rows); ok {
		p.top += by
	} else {
		u.dialog = nil
	}
	p.top = max(0, min(p.top, p.total-p.rows))
}

// pageMove is by how many rows an action moves a page of that many rows; ok is false for other actions.
func pageMove(a keys.Action, rows int) (by int, ok bool) {
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
		return -far, true
	case keys.Bottom:
		return far, true
	}
	return 0, false
}

// helpLine is one line of the help page.
type helpLine struct {
	keys, text, reason string
	head               bool
}

// helpLines makes the page from the table of keys, its texts broken into as many lines as they need. A
// narrow page has only the first key of each action.
func helpLines(u *ui, width int) (lines []helpLine, column int) {
	name := func(b *keys.Binding) string { return b.AllShown() }
	if width < 70 {
		name = func(b *keys.Binding) string { return u.keys.Key(b.Action) }
	}
	for _, b := range u.keys.Bindings() {
		column = max(column, canvas.Width(name(&b))+4)
	}
	for _, group := range keys.Groups() {
		bindings := u.keys.In(group)
		if len(bindings) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, helpLine{})
		}
		lines = append(lines, helpLine{text: string(group), head: true})
		for _, b := range bindings {
			shown := name(&b)
			for _, text := range canvas.Wrap(b.Help, width-column-2) {
				lines = append(lines, helpLine{keys: shown, text: text})
				shown = ""
			}
			lines[len(lines)-1].reason = u.disabled(b.Action)
		}
	}
	return lines, column
}

func (p *helpPage) draw(u *ui, area canvas.Area) {
	width := min(116, area.W())
	lines, column := helpLines(u, width-2)
	inner := windowIn(area, width, len(lines)+2, "Keys", "any other key closes this page")
	p.rows, p.total = max(inner.H(), 1), len(lines)
	p.top = max(0, min(p.top, p.total-p.rows))
	for y := 0; y < inner.H() && p.top+y < len(lines); y++ {
		l := &lines[p.top+y]
		if l.head {
			inner.Text(1, y, theme.Title, l.text)
			continue
		}
		inner.Text(2, y, theme.HintKey, l.keys)
		x := inner.Fit(column, y, inner.W()-column-1, theme.Plain, l.text)
		if l.reason != "" && inner.W()-x > 12 {
			inner.Fit(x+2, y, inner.W()-x-3, theme.Dim, "("+l.reason+")")
		}
	}
	drawScroll(inner, p.top, len(lines))
}
