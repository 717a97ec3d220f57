package dialog

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Palette finds an action by a few letters of its command or its help.
type Palette struct {
	input  widget.Line
	list   []found
	cursor int
	top    int
	rows   int
}

// found is an action that fits the input.
type found struct {
	row    keys.Binding
	score  int
	marks  []int // the letters of its name that fit
	reason string
}

// NewPalette returns the palette with all commands.
func NewPalette(c view.Context) *Palette {
	p := &Palette{input: widget.NewLine(), rows: 1}
	p.filter(c)
	return p
}

// First returns the action that fits best, or None.
func (p *Palette) First() keys.Action {
	if len(p.list) == 0 {
		return keys.None
	}
	return p.list[0].row.Action
}

// filter finds the actions that fit, the best first; among equals the order is that of the table.
func (p *Palette) filter(c view.Context) {
	p.list, p.cursor, p.top = p.list[:0], 0, 0
	pattern := p.input.Value()
	for _, b := range c.Keys().Bindings() {
		f := found{row: b, reason: c.Disabled(b.Action)}
		ok := false
		for i, name := range b.Names {
			score, marks, fits := widget.Match(pattern, name)
			if fits && (!ok || score > f.score) {
				f.score, ok = score, true
				if f.marks = nil; i == 0 {
					f.marks = marks
				}
			}
		}
		// In the help only whole parts of words count: nearly any few letters stand in a sentence in their order.
		if !ok && widget.ContainsFold(b.Help, pattern) {
			f.score, ok = -1<<20, true
		}
		if ok {
			p.list = append(p.list, f)
		}
	}
	slices.SortStableFunc(p.list, func(a, b found) int { return b.score - a.score })
}

// Handle implements [pane.Dialog].
func (p *Palette) Handle(c view.Context, k keys.Press) {
	switch k.Name {
	case "esc", "ctrl+p":
		c.Open(nil)
	case "enter":
		if p.cursor < len(p.list) {
			c.Open(nil)
			c.Do(p.list[p.cursor].row.Action, "")
		}
	case "up":
		p.cursor--
	case "down", "tab":
		p.cursor++
	case "pgup":
		p.cursor -= p.rows
	case "pgdown":
		p.cursor += p.rows
	default:
		before := p.input.Value()
		p.input.Press(k)
		if p.input.Value() != before {
			p.filter(c)
		}
	}
	p.cursor = max(0, min(p.cursor, len(p.list)-1))
}

// The width of the palette, and of its columns.
const (
	paletteWidth = 100
	nameColumn   = 28
	keyColumn    = 12
)

// Draw implements [pane.Dialog].
func (p *Palette) Draw(c view.Context, area canvas.Area) {
	inner := widget.Window(area, paletteWidth, max(area.H()-3, 5), "All commands", "enter runs   esc closes")
	p.input.Draw(inner.Area(canvas.Rect{X: 3, Y: 0, W: inner.W() - 4, H: 1}), true)
	inner.Text(1, 0, canvas.HintKey, ":")
	body := inner.Area(canvas.Rect{Y: 1, W: inner.W(), H: inner.H() - 1})
	p.rows = max(body.H(), 1)
	p.top = max(0, min(p.top, p.cursor), p.cursor-p.rows+1)
	for y := 0; y < body.H() && p.top+y < len(p.list); y++ {
		f := &p.list[p.top+y]
		p.drawRow(body.Row(y), f, p.top+y == p.cursor)
		action := f.row.Action
		c.OnClick(body.Place(canvas.Rect{Y: y, W: body.W(), H: 1}), func() {
			c.Open(nil)
			c.Do(action, "")
		})
	}
	if len(p.list) == 0 {
		body.Fit(1, 0, body.W()-2, canvas.Dim, "No command has these letters.")
	}
	widget.Scrollbar(body, p.top, len(p.list))
}

func (p *Palette) drawRow(row canvas.Area, f *found, chosen bool) {
	nameStyle, about := canvas.Plain, f.row.Help
	if f.reason != "" {
		nameStyle, about = canvas.Dim, "("+f.reason+")  "+about
	}
	narrow := row.W() < 60
	names := min(nameColumn, row.W()-6)
	row.Fit(1, 0, names, nameStyle, f.row.Usage())
	for _, at := range f.marks {
		if f.reason == "" && at < len(f.row.Names[0]) && at+2 < names {
			row.Text(2+at, 0, canvas.HintKey, f.row.Names[0][at:at+1])
		}
	}
	x := 1 + names + 1
	shown := f.row.AllShown()
	if narrow && len(f.row.Keys) > 0 {
		shown = keys.Shown(f.row.Keys[0])
	}
	row.Fit(x, 0, keyColumn, canvas.HintKey, shown)
	if x += keyColumn + 1; row.W()-x > 12 {
		row.Fit(x, 0, row.W()-x-2, canvas.Dim, about)
	}
	if chosen {
		row.Text(0, 0, canvas.Current, row.Glyphs().Pointer)
		row.Mark(0)
	}
}

// Mode implements [pane.Dialog].
func (*Palette) Mode() view.Mode { return view.Finding }
