package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Palette finds an action by a few letters of its command or its help.
type Palette struct{ rows widget.List[command] }

// command is an action with the reason why it cannot be done now.
type command struct {
	keys.Binding
	reason string
}

// NewPalette returns the palette with all commands.
func NewPalette(c view.Context) *Palette {
	p := &Palette{}
	p.rows.Fits, p.rows.Paint, p.rows.Empty = fitsCommand, paintCommand, "No command has these letters."
	var list widget.Slice[command]
	for _, b := range c.Keys().Bindings() {
		list = append(list, command{b, c.Disabled(b.Action)})
	}
	p.rows.Rows = list
	return p
}

// First returns the action that fits best, or None.
func (p *Palette) First() keys.Action {
	if p.rows.Len() == 0 {
		return keys.None
	}
	return p.rows.At(0).Action
}

// fitsCommand finds the letters of a filter in a name of the command. In the help only whole parts of words count: nearly any few letters
// are in a sentence in their order.
func fitsCommand(b command, filter string) (score int, marks []int, ok bool) {
	for i, name := range b.Names {
		s, at, fits := widget.Match(filter, name)
		if fits && (!ok || s > score) {
			score, ok = s, true
			if marks = nil; i == 0 {
				marks = at
			}
		}
	}
	if !ok && widget.ContainsFold(b.Help, filter) {
		return -1 << 20, nil, true
	}
	return score, marks, ok
}

// Handle implements [view.Dialog].
func (p *Palette) Handle(c view.Context, k keys.Press) {
	switch k.Name {
	case "esc", "ctrl+p":
		c.Open(nil)
	case "enter":
		p.run(c)
	case "up":
		p.rows.Move(-1)
	case "down", "tab":
		p.rows.Move(1)
	case "pgup":
		p.rows.Press(keys.PageUp)
	case "pgdown":
		p.rows.Press(keys.PageDown)
	default:
		p.rows.Type(k)
	}
}

// run carries out the selected action.
func (p *Palette) run(c view.Context) {
	if b, ok := p.rows.Selected(); ok {
		c.Open(nil)
		c.Do(b.Action, "")
	}
}

// The width of the palette, and of its columns.
const (
	paletteWidth = 100
	nameColumn   = 28
	keyColumn    = 12
)

// Draw implements [view.Dialog].
func (p *Palette) Draw(c view.Context, f widget.Frame) {
	inner := f.Window(paletteWidth, max(f.H()-3, 5), "All commands", "enter runs   esc closes")
	p.rows.DrawFilter(inner.Area.Area(canvas.Rect{X: 3, Y: 0, W: inner.W() - 4, H: 1}))
	inner.Text(1, 0, canvas.HintKey, ":")
	p.rows.Open = func() { p.run(c) }
	p.rows.Draw(inner.In(canvas.Rect{Y: 1, W: inner.W(), H: inner.H() - 1}))
}

func paintCommand(row canvas.Area, f command, marks []int) {
	nameStyle, about := canvas.Plain, f.Help
	if f.reason != "" {
		nameStyle, about = canvas.Dim, "("+f.reason+")  "+about
	}
	narrow := row.W() < 60
	names := min(nameColumn, row.W()-6)
	row.Fit(1, 0, names, nameStyle, f.Usage())
	for _, at := range marks {
		if f.reason == "" && at < len(f.Names[0]) && at+2 < names {
			row.Text(2+at, 0, canvas.HintKey, f.Names[0][at:at+1])
		}
	}
	x := 1 + names + 1
	shown := f.AllShown()
	if narrow && len(f.Keys) > 0 {
		shown = keys.Shown(f.Keys[0])
	}
	row.Fit(x, 0, keyColumn, canvas.HintKey, shown)
	if x += keyColumn + 1; row.W()-x > 12 {
		row.Fit(x, 0, row.W()-x-2, canvas.Dim, about)
	}
}

// Writes implements [view.Writer].
func (*Palette) Writes() bool { return true }
