package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Message is a message in the bottom line.
type Message struct {
	Style canvas.Style
	Text  string
}

// Messages shows the earlier messages.
type Messages struct {
	view.Modal
	widget.Pager
	screen view.Opener
	list   func() []Message
	drawn  bool
}

// NewMessages returns the page of the messages that list returns, the newest last.
func NewMessages(screen view.Opener, list func() []Message) *Messages {
	return &Messages{screen: screen, list: list}
}

// Handle implements [view.View].
func (p *Messages) Handle(k keys.Press) bool {
	if !p.Key(k.Action) {
		p.screen.Open(nil)
	}
	return true
}

// Draw implements [view.View].
func (p *Messages) Draw(f widget.Frame) {
	var lines []Message
	width := min(100, f.W()) - 4
	for _, m := range p.list() {
		for _, line := range canvas.Wrap(m.Text, width) {
			lines = append(lines, Message{m.Style, line})
		}
	}
	f.Mouse(nil, p.Scroll)
	inner := f.Window(width+4, max(len(lines), 1)+2, "Messages", "any other key closes this page")
	if !p.drawn { // the newest are shown first
		p.drawn = true
		p.GoTo(len(lines))
	}
	if len(lines) == 0 {
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, "Nothing was said yet.")
	}
	p.Pager.Draw(inner, len(lines), func(row canvas.Area, i int) { row.Text(1, 0, lines[i].Style, lines[i].Text) })
}
