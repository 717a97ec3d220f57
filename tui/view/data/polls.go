package data

import (
	"asldb/internal/wording"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// pollsShown reports whether the pane has the polls of a waiter in place of the story of a state.
func (p *Pane) pollsShown() bool {
	return p.options.Polls.Shown() && p.view != Definition && p.screen.Selection().Event != nil &&
		p.options.expected() == nil
}

// drawPolls paints the polls of a waiter, and below them the question about the one that is under way.
func (p *Pane) drawPolls(f widget.Frame, s *view.Selection) {
	list := p.options.Polls.Polls(p.screen.Session(), s.Index)
	inner := f.Titled(canvas.Frame{Title: "2 Polls", Note: wording.Count(len(list), "poll")})
	inner.Mouse(nil, p.scroll)
	rows := inner.H()
	if asked := p.openQuestion(s); asked != nil && rows >= 2*dialog.InsideRows {
		rows = min(len(list)+2, rows-dialog.InsideRows)
		asked.DrawInside(inner.In(canvas.Rect{X: 1, Y: rows + 1, W: inner.W() - 1, H: inner.H() - rows - 1}))
	}
	p.options.Polls.Draw(inner.In(canvas.Rect{W: inner.W(), H: rows}), p.screen.Session(), s.Index)
}

// movePolls selects the poll by rows after the one on the screen.
func (p *Pane) movePolls(by int) {
	if event, ok := p.options.Polls.Beside(p.screen.Session(), p.screen.Selection().Index, by); ok {
		p.screen.Inspect(event)
	}
}
