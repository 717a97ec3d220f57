package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Message is something said in the bottom line.
type Message struct {
	Style canvas.Style
	Text  string
}

// Messages shows the earlier messages.
type Messages struct {
	list             func() []Message
	top, rows, total int
}

// NewMessages returns the page of the messages that list returns, the newest last.
func NewMessages(list func() []Message) *Messages { return &Messages{list: list} }

// Handle implements [pane.Dialog].
func (p *Messages) Handle(c view.Context, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, p.rows); ok {
		p.top += by
	} else {
		c.Open(nil)
	}
	p.top = max(0, min(p.top, p.total-p.rows))
}

// Draw implements [pane.Dialog].
func (p *Messages) Draw(c view.Context, area canvas.Area) {
	var lines []Message
	width := min(100, area.W()) - 4
	for _, m := range p.list() {
		for _, line := range canvas.Wrap(m.Text, width) {
			lines = append(lines, Message{m.Style, line})
		}
	}
	inner := widget.Window(area, width+4, max(len(lines), 1)+2, "Messages", "any other key closes this page")
	if p.total == 0 {
		p.top = len(lines) // the newest are shown first
	}
	p.rows, p.total = max(inner.H(), 1), len(lines)
	p.top = max(0, min(p.top, p.total-p.rows))
	for y := 0; y < inner.H() && p.top+y < len(lines); y++ {
		inner.Text(1, y, lines[p.top+y].Style, lines[p.top+y].Text)
	}
	if len(lines) == 0 {
		inner.Fit(1, 0, inner.W()-2, canvas.Dim, "Nothing was said yet.")
	}
	widget.Scrollbar(inner, p.top, len(lines))
}

// Mode implements [pane.Dialog].
func (*Messages) Mode() view.Mode { return view.Listing }
