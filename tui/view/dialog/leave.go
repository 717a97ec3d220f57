package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Leave is the question about an execution that is not over.
type Leave struct {
	view.Modal
	Screen  view.Opener
	Title   string
	Choices []Item
}

// Handle implements [view.View].
func (l *Leave) Handle(k keys.Press) bool {
	l.Screen.Open(nil)
	for i := range l.Choices {
		if k.Text == l.Choices[i].Key {
			l.Choices[i].Do()
		}
	}
	return true
}

// Draw implements [view.View].
func (l *Leave) Draw(f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, 70, len(l.Choices)+3, "Leave "+l.Title+"?", "any other key stays")
	for i := range l.Choices {
		inner.Text(2, i, canvas.HintKey, l.Choices[i].Key)
		inner.Fit(5, i, inner.W()-6, canvas.Plain, l.Choices[i].Text)
	}
}
