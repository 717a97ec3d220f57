// Package dialog has the dialogs over the panes: pages, lists, prompts, the question about a task, editors. Dialogs know the
// screen by a [pane.Context], and get functions for their results.
package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Help shows every key.
type Help struct{ top, rows, total int }

// Handle implements [pane.Dialog].
func (p *Help) Handle(c view.Context, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, p.rows); ok {
		p.top += by
	} else {
		c.Open(nil)
	}
	p.top = max(0, min(p.top, p.total-p.rows))
}

// Top returns the first line on the screen.
func (p *Help) Top() int { return p.top }

// helpLine is one line of the help page.
type helpLine struct {
	keys, text, reason string
	head               bool
}

// helpLines makes the page from the table of keys, its texts broken into as many lines as they need. A
// narrow page has only the first key of each action.
func helpLines(c view.Context, width int) (lines []helpLine, column int) {
	name := func(b *keys.Binding) string {
		if len(b.Keys) == 0 {
			return c.Keys().Key(b.Action) // its command
		}
		return b.AllShown()
	}
	if width < 70 {
		name = func(b *keys.Binding) string { return c.Keys().Key(b.Action) }
	}
	for _, b := range c.Keys().Bindings() {
		column = max(column, canvas.Width(name(&b))+4)
	}
	for _, group := range keys.Groups() {
		bindings := c.Keys().In(group)
		if len(bindings) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, helpLine{})
		}
		lines = append(lines, helpLine{text: group.String(), head: true})
		for _, b := range bindings {
			shown := name(&b)
			for _, text := range canvas.Wrap(b.Help, width-column-2) {
				lines = append(lines, helpLine{keys: shown, text: text})
				shown = ""
			}
			lines[len(lines)-1].reason = c.Disabled(b.Action)
		}
	}
	return lines, column
}

// Draw implements [pane.Dialog].
func (p *Help) Draw(c view.Context, area canvas.Area) {
	width := min(116, area.W())
	lines, column := helpLines(c, width-2)
	inner := widget.Window(area, width, len(lines)+2, "Keys", "any other key closes this page")
	p.rows, p.total = max(inner.H(), 1), len(lines)
	p.top = max(0, min(p.top, p.total-p.rows))
	for y := 0; y < inner.H() && p.top+y < len(lines); y++ {
		l := &lines[p.top+y]
		if l.head {
			inner.Text(1, y, canvas.Title, l.text)
			continue
		}
		inner.Text(2, y, canvas.HintKey, l.keys)
		x := inner.Fit(column, y, inner.W()-column-1, canvas.Plain, l.text)
		if l.reason != "" && inner.W()-x > 12 {
			inner.Fit(x+2, y, inner.W()-x-3, canvas.Dim, "("+l.reason+")")
		}
	}
	widget.Scrollbar(inner, p.top, len(lines))
}

// Mode implements [pane.Dialog].
func (*Help) Mode() view.Mode { return view.Listing }
