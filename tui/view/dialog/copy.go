package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// CopyChoice is something that can be copied: its key, its name as an argument of the command, and its description.
type CopyChoice struct{ Key, Name, About string }

var copyChoices = []CopyChoice{
	{"v", "value", "the value at the cursor"},
	{"p", "path", "its path"},
	{"d", "document", "the whole document"},
}

// CopyChoices returns the parts of the data that can be copied.
func CopyChoices() []CopyChoice { return copyChoices }

// Copy is the choice of a text to copy.
type Copy struct {
	view.Modal
	screen acting
	rows   widget.List[CopyChoice]
}

// NewCopy returns the menu; size says how much an entry copies.
func NewCopy(screen acting, size func(name string) string) *Copy {
	m := &Copy{screen: screen, rows: widget.List[CopyChoice]{
		Rows: widget.Slice[CopyChoice](copyChoices),
		Paint: func(line canvas.Area, choice CopyChoice, _ []int) {
			x := line.Text(2, 0, canvas.HintKey, choice.Key)
			x = line.Text(x+1, 0, canvas.Plain, choice.About+"  ")
			line.Fit(x, 0, line.W()-x-1, canvas.Dim, size(choice.Name))
		},
	}}
	m.rows.Open = m.copy
	return m
}

// Handle implements [view.View].
func (m *Copy) Handle(k keys.Press) bool {
	if m.rows.Press(k.Action) {
		return true
	}
	if k.Name == "enter" || k.Action == keys.Copy {
		m.copy()
		return true
	}
	m.screen.Open(nil)
	for _, choice := range copyChoices {
		if k.Name == choice.Key {
			m.screen.Do(keys.Copy, choice.Name)
		}
	}
	return true
}

// copy copies the selected part.
func (m *Copy) copy() {
	m.screen.Open(nil)
	if choice, ok := m.rows.Selected(); ok {
		m.screen.Do(keys.Copy, choice.Name)
	}
}

// Draw implements [view.View].
func (m *Copy) Draw(f widget.Frame) {
	m.rows.Draw(f.Window(64, len(copyChoices)+2, "Copy", "esc closes"))
}
