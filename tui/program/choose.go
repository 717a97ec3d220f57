package program

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// ErrNone is the end of a list that the user leaves without a choice.
var ErrNone = errors.New("nothing was chosen")

// Choice is the page of a list for the choice of one line.
type Choice struct {
	// Chosen is the number of the line that was chosen, where the page has ended without an error, and Action how:
	// keys.Look, or another of Ways.
	Chosen int
	Action keys.Action
	// Table has the keys; nil: as for a choice. Ways are the further actions of it that choose a line.
	Table *keys.Map
	Ways  []keys.Action
	// Refuse says why an action does not choose a line; nil, or an empty text: it does.
	Refuse func(line int, action keys.Action) string
	// Read gives lines that come later, all of them each time, new ones at the end; nil: there are none.
	Read func(ctx context.Context, lines func([]string))

	// None is shown where there is no line.
	None string

	title   string
	lines   []string
	reading bool
	list    widget.List[int]
}

// NewChoice returns a list with the cursor on its first line.
func NewChoice(title string, lines []string) *Choice {
	c := &Choice{title: wording.Line(title), lines: lines}
	c.list.Rows = widget.Count(len(lines))
	c.list.Text = func(i int) string { return wording.Line(c.lines[i]) }
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
	if c.reading {
		return text + ", reading", canvas.BarInfo
	}
	return text, canvas.Bar
}

// Keys implements [Page].
func (c *Choice) Keys() *keys.Map {
	if c.Table != nil {
		return c.Table
	}
	return keys.Choices()
}

// Hints implements [Page].
func (c *Choice) Hints() []keys.Action {
	return append(append([]keys.Action{keys.Look}, c.Ways...), keys.Now)
}

// Writes implements [view.Writer].
func (*Choice) Writes() bool { return true }

// Begin implements [Page].
func (c *Choice) Begin(s *Sheet) {
	c.list.Open = func() { c.open(s, keys.Look) }
	if c.Read == nil {
		return
	}
	c.reading = true
	post := s.Post
	s.Go(func(ctx context.Context) func() {
		c.Read(ctx, func(lines []string) { post(func() { c.show(lines) }) })
		return func() { c.reading = false }
	})
}

// show shows the lines, some of them new, some with more words; the cursor stays at its line.
func (c *Choice) show(lines []string) {
	c.lines = lines
	c.list.Show(widget.Count(len(lines)), func(a, b int) bool { return a == b })
}

// Press implements [Page].
func (c *Choice) Press(s *Sheet, k keys.Press) {
	switch {
	case c.list.Press(k.Action):
	case k.Action == keys.Look, slices.Contains(c.Ways, k.Action):
		c.open(s, k.Action)
	case k.Action == keys.Now:
		s.End(ErrNone)
	case k.Action == keys.None:
		c.list.Type(k)
	}
}

func (c *Choice) open(s *Sheet, action keys.Action) {
	i, ok := c.list.Selected()
	if !ok {
		return
	}
	if c.Refuse != nil {
		if reason := c.Refuse(i, action); reason != "" {
			s.Say(canvas.Warn, reason)
			return
		}
	}
	c.Chosen, c.Action = i, action
	s.End(nil)
}

// Draw implements [Page].
func (c *Choice) Draw(_ *Sheet, f widget.Frame) {
	switch {
	case c.reading && len(c.lines) == 0:
		c.list.Empty = "reading"
	case len(c.lines) == 0:
		c.list.Empty = c.None
	default:
		c.list.Empty = "No line has these letters."
	}
	c.list.Draw(f.In(canvas.Rect{Y: 1, W: f.W(), H: f.H() - 3}))
	f.Fit(2, f.H()-1, f.W()-3, canvas.Dim, "Type to filter.")
}
