package program

import (
	"context"
	"errors"
	"fmt"

	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// ErrNone is the end of a list that the user leaves without a choice.
var ErrNone = errors.New("nothing was chosen")

// One shows the lines below a title, and returns the number of the one that the user chooses. What the user types
// narrows the list to the lines that have the letters in this order. The terminal is put back as it was.
func One(ctx context.Context, terminal *tty.Terminal, title string, lines []string) (int, error) {
	c := NewChoice(title, lines)
	err := Run(ctx, c, Options{Terminal: terminal, ASCII: !tty.Unicode(), NoColor: true})
	return c.Chosen, err
}

// Choice is the page of a list for the choice of one line.
type Choice struct {
	// Chosen is the number of the line that was chosen, where the page has ended without an error.
	Chosen int
	title  string
	list   widget.List[int]
}

// NewChoice returns a list with the cursor on its first line.
func NewChoice(title string, lines []string) *Choice {
	c := &Choice{title: wording.Line(title)}
	c.list.Rows = widget.Count(len(lines))
	c.list.Text = func(i int) string { return wording.Line(lines[i]) }
	c.list.Paint = func(line canvas.Area, i int, _ []int) { line.Fit(2, 0, line.W()-3, canvas.Plain, c.list.Text(i)) }
	return c
}

// Title implements [Page].
func (c *Choice) Title() string { return c.title }

// Status implements [Page].
func (c *Choice) Status() (string, canvas.Style) {
	text := fmt.Sprintf("%d of %d", min(c.list.Cursor+1, c.list.Len()), c.list.Len())
	if c.list.Filter() != "" {
		text += " with: " + c.list.Filter()
	}
	return text, canvas.Bar
}

// Keys implements [Page].
func (c *Choice) Keys() *keys.Map { return keys.Choices() }

// Hints implements [Page].
func (c *Choice) Hints() []keys.Action { return []keys.Action{keys.Look, keys.Now} }

// Writes implements [view.Writer].
func (*Choice) Writes() bool { return true }

// Begin implements [Page].
func (c *Choice) Begin(s *Sheet) { c.list.Open = func() { c.open(s) } }

// Press implements [Page].
func (c *Choice) Press(s *Sheet, k keys.Press) {
	switch {
	case c.list.Press(k.Action):
	case k.Action == keys.Look:
		c.open(s)
	case k.Action == keys.Now:
		s.End(ErrNone)
	case k.Action == keys.None:
		c.list.Type(k)
	}
}

func (c *Choice) open(s *Sheet) {
	if i, ok := c.list.Selected(); ok {
		c.Chosen = i
		s.End(nil)
	}
}

// Draw implements [Page].
func (c *Choice) Draw(_ *Sheet, f widget.Frame) {
	c.list.Empty = "No line has these letters."
	c.list.Draw(f.In(canvas.Rect{Y: 1, W: f.W(), H: f.H() - 3}))
	f.Fit(2, f.H()-1, f.W()-3, canvas.Dim, "Type to filter.")
}
