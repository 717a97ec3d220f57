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
	size   func(name string) string // how much it is
	cursor int
}

// NewCopy returns the menu; size says how much an entry copies.
func NewCopy(size func(name string) string) *Copy { return &Copy{size: size} }

// Handle implements [pane.Dialog].
func (m *Copy) Handle(c view.Context, k keys.Press) {
	switch {
	case k.Action == keys.Up:
		m.cursor--
	case k.Action == keys.Down:
		m.cursor++
	case k.Name == "enter" || k.Action == keys.Copy:
		c.Open(nil)
		c.Do(keys.Copy, copyChoices[m.cursor].Name)
	default:
		c.Open(nil)
		for _, choice := range copyChoices {
			if k.Name == choice.Key {
				c.Do(keys.Copy, choice.Name)
			}
		}
	}
	m.cursor = max(0, min(m.cursor, len(copyChoices)-1))
}

// Draw implements [pane.Dialog].
func (m *Copy) Draw(_ view.Context, area canvas.Area) {
	inner := widget.Window(area, 64, len(copyChoices)+2, "Copy", "esc closes")
	for i, choice := range copyChoices {
		x := inner.Text(2, i, canvas.HintKey, choice.Key)
		x = inner.Text(x+1, i, canvas.Plain, choice.About+"  ")
		inner.Fit(x, i, inner.W()-x-1, canvas.Dim, m.size(choice.Name))
		if i == m.cursor {
			inner.Text(0, i, canvas.Current, area.Glyphs().Pointer)
			inner.Mark(i)
		}
	}
}

// Mode implements [pane.Dialog].
func (*Copy) Mode() view.Mode { return view.Choosing }
