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
type Copy struct{ rows widget.List[CopyChoice] }

// NewCopy returns the menu; size says how much an entry copies.
func NewCopy(size func(name string) string) *Copy {
	return &Copy{widget.List[CopyChoice]{
		Rows: widget.Slice[CopyChoice](copyChoices),
		Paint: func(line canvas.Area, choice CopyChoice, _ []int) {
			x := line.Text(2, 0, canvas.HintKey, choice.Key)
			x = line.Text(x+1, 0, canvas.Plain, choice.About+"  ")
			line.Fit(x, 0, line.W()-x-1, canvas.Dim, size(choice.Name))
		},
	}}
}

// Handle implements [view.Dialog].
func (m *Copy) Handle(c view.Context, k keys.Press) {
	if m.rows.Press(k.Action) {
		return
	}
	if k.Name == "enter" || k.Action == keys.Copy {
		m.copy(c)
		return
	}
	c.Open(nil)
	for _, choice := range copyChoices {
		if k.Name == choice.Key {
			c.Do(keys.Copy, choice.Name)
		}
	}
}

// copy copies the selected part.
func (m *Copy) copy(c view.Context) {
	c.Open(nil)
	if choice, ok := m.rows.Selected(); ok {
		c.Do(keys.Copy, choice.Name)
	}
}

// Draw implements [view.Dialog].
func (m *Copy) Draw(c view.Context, f widget.Frame) {
	m.rows.Open = func() { m.copy(c) }
	m.rows.Draw(f.Window(64, len(copyChoices)+2, "Copy", "esc closes"))
}
