// Package dialog has the dialogs over the panes: pages, lists, prompts, the question about a task, editors. Dialogs know the
// screen by a [view.Context], and get functions for their results.
package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Help shows every key.
type Help struct{ widget.Pager }

// Handle implements [view.Dialog].
func (p *Help) Handle(c view.Context, k keys.Press) {
	if !p.Key(k.Action) {
		c.Open(nil)
	}
}

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

// Draw implements [view.Dialog].
func (p *Help) Draw(c view.Context, f widget.Frame) {
	width := min(116, f.W())
	lines, column := helpLines(c, width-2)
	f.Mouse(nil, p.Scroll)
	p.Pager.Draw(f.Window(width, len(lines)+2, "Keys", "any other key closes this page"), len(lines), func(row canvas.Area, i int) {
		l := &lines[i]
		if l.head {
			row.Text(1, 0, canvas.Title, l.text)
			return
		}
		row.Text(2, 0, canvas.HintKey, l.keys)
		x := row.Fit(column, 0, row.W()-column-1, canvas.Plain, l.text)
		if l.reason != "" && row.W()-x > 12 {
			row.Fit(x+2, 0, row.W()-x-3, canvas.Dim, "("+l.reason+")")
		}
	})
}
