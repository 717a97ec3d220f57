package tui

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// dialog lies over the panes and takes the keys.
type dialog interface {
	handle(u *ui, k keys.Press)
	// draw paints the dialog into the area below the status line.
	draw(u *ui, area canvas.Area)
}

// textDialog is a dialog into which text is written.
type textDialog interface {
	dialog
	writes()
}

// helpPage shows every key.
type helpPage struct{ top, rows, total int }

func (p *helpPage) handle(u *ui, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, p.rows); ok {
		p.top += by
	} else {
		u.dialog = nil
	}
	p.top = max(0, min(p.top, p.total-p.rows))
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
	inner := widget.Window(area, width, len(lines)+2, "Keys", "any other key closes this page")
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
	widget.Scrollbar(inner, p.top, len(lines))
}
