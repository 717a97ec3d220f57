package data

import (
	"iter"

	"asldb/engine/value"
	"asldb/tui/view/dialog"
)

// Words implements [view.Pane]: the names of members and the texts in the data, or the words of the definition's text.
func (p *Pane) Words() iter.Seq[string] {
	if p.view == Definition {
		return p.Text().Words()
	}
	s := p.screen.Selection()
	return func(yield func(string) bool) {
		if dialog.Words(s.After, yield) && !value.Identical(s.Before, s.After) {
			dialog.Words(s.Before, yield)
		}
	}
}
