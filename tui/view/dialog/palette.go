// Package dialog has the dialogs over the panes: pages, lists, prompts, the question about a task, editors. Dialogs
// are given the parts of the screen that they use, and functions for their results.
package dialog

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// The parts of the screen that several dialogs use.
type (
	talking interface {
		view.Opener
		view.Messages
	}
	acting interface {
		view.Opener
		view.Table
		view.Actions
	}
	editing interface {
		talking
		view.Table
		view.Editor
	}
)

// Palette lists the keys of the situation, the other keys, the commands, and last the unavailable ones. Typing finds
// one by a few letters of its command or its help.
type Palette struct {
	view.Modal
	screen acting
	// Legend are the signs of the pane that had the keys: they are below the list while nothing is typed.
	Legend []view.Meaning
	title  string
	rows   widget.List[command]
}

// command is an action with its keys, and with the reason why it cannot be carried out now.
type command struct {
	keys.Binding
	shown, reason string
}

// NewPalette returns the palette with the keys of some actions before the others.
func NewPalette(screen acting, title string, first []keys.Action) *Palette {
	p := &Palette{screen: screen, title: title}
	p.rows.Fits, p.rows.Paint, p.rows.Empty = fitsCommand, paintCommand, "No command has these letters."
	var list widget.Slice[command]
	listed := make(map[keys.Action]bool)
	for _, e := range screen.Keys().Surface() {
		b := screen.Keys().Binding(e.Actions[0])
		b.Help = e.Help
		list = append(list, command{b, e.AllShown(), screen.Disabled(b.Action)})
		for _, a := range e.Actions {
			listed[a] = true
		}
	}
	for _, b := range screen.Keys().Bindings() {
		if !listed[b.Action] {
			list = append(list, command{b, "", screen.Disabled(b.Action)})
		}
	}
	place := func(k command) int {
		at := slices.Index(first, k.Action)
		switch {
		case k.reason != "":
			return len(first) + 1
		case at < 0:
			return len(first)
		}
		return at
	}
	slices.SortStableFunc(list, func(a, b command) int { return place(a) - place(b) })
	p.rows.Rows, p.rows.Open = list, p.run
	return p
}

// First returns the action that fits best, or None.
func (p *Palette) First() keys.Action {
	if p.rows.Len() == 0 {
		return keys.None
	}
	return p.rows.At(0).Action
}

// fitsCommand finds the letters of a filter in a name of the command, or a key. In the help only whole parts of words
// count: nearly any few letters are in a sentence in their order.
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

// Handle implements [view.View].
func (p *Palette) Handle(k keys.Press) bool {
	switch k.Name {
	case "esc", "ctrl+p":
		p.screen.Open(nil)
	case "enter":
		p.run()
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
	return true
}

// run carries out the selected action.
func (p *Palette) run() {
	if b, ok := p.rows.Selected(); ok {
		p.screen.Open(nil)
		p.screen.Do(b.Action, "")
	}
}

// The width of the palette, and of its columns.
const (
	paletteWidth = 110
	nameColumn   = 28
	keyColumn    = 12
)

// Draw implements [view.View].
func (p *Palette) Draw(f widget.Frame) {
	inner := f.Window(paletteWidth, max(f.H()-3, 5), p.title, "type to filter   enter runs   esc closes")
	p.rows.DrawFilter(inner.Area.Area(canvas.Rect{X: 3, Y: 0, W: inner.W() - 4, H: 1}))
	inner.Text(1, 0, canvas.HintKey, ":")
	below := 0
	if lines := p.legend(inner.W() - 2); p.rows.Filter() == "" && 3*len(lines) < inner.H() {
		below = len(lines)
		for i, line := range lines {
			line(inner.Row(inner.H() - below + i))
		}
	}
	p.rows.Draw(inner.In(canvas.Rect{Y: 1, W: inner.W(), H: inner.H() - 1 - below}))
}

// legend lays the signs with their meanings out in lines of some cells.
func (p *Palette) legend(cells int) (lines []func(row canvas.Area)) {
	const gap = 3
	for from := 0; from < len(p.Legend); {
		to, width := from, 0
		for to < len(p.Legend) && (to == from || width+legendWidth(p.Legend[to]) <= cells) {
			width += legendWidth(p.Legend[to]) + gap
			to++
		}
		part := p.Legend[from:to]
		lines = append(lines, func(row canvas.Area) {
			x := 1
			for _, m := range part {
				x = row.Fit(x, 0, row.W()-x-1, canvas.HintKey, m.Sign) + 1
				x = row.Fit(x, 0, row.W()-x-1, canvas.Dim, m.Means) + gap
			}
		})
		from = to
	}
	return lines
}

func legendWidth(m view.Meaning) int { return canvas.Width(m.Sign) + 1 + canvas.Width(m.Means) }

// paintCommand paints the keys, else the command, and the help; the command of a key is at the end, where there is
// space.
func paintCommand(row canvas.Area, f command, marks []int) {
	style, about, usage := canvas.Plain, f.Help, f.Usage()
	if f.reason != "" {
		style, about = canvas.Dim, "("+f.reason+")  "+about
	}
	x := keyColumn + 2
	row.Fit(1, 0, keyColumn, canvas.HintKey, f.shown)
	if f.shown != "" {
		x = row.Fit(x, 0, row.W()-x-2, style, about)
		if end := row.W() - 2; x+2+canvas.Width(usage) <= end {
			row.Right(end, 0, canvas.Dim, usage)
		}
		return
	}
	row.Fit(1, 0, row.W()-3, style, usage)
	for _, at := range marks {
		if f.reason == "" && at < len(f.Names[0]) && at+4 < row.W() {
			row.Text(2+at, 0, canvas.HintKey, f.Names[0][at:at+1])
		}
	}
	if x = max(nameColumn, canvas.Width(usage)) + 2; row.W()-x > 12 {
		row.Fit(x, 0, row.W()-x-2, canvas.Dim, about)
	}
}

// Writes implements [view.Writer].
func (*Palette) Writes() bool { return true }
