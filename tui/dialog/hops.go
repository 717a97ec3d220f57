package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Hop is one event on the way of a value: its number, the event with its place, and what it did.
type Hop struct{ Number, Event, Text string }

// Hops shows the way of a value back to where it came from.
type Hops struct {
	Path string
	Hops []Hop
	// Go brings the run to the event of a hop.
	Go   func(i int)
	rows widget.Rows
}

// Handle implements [pane.Dialog].
func (l *Hops) Handle(c pane.Context, k keys.Press) {
	if l.rows.Move(k.Action, len(l.Hops)) {
		return
	}
	c.Open(nil)
	if k.Action == keys.Look {
		l.Go(l.rows.Cursor)
	}
}

// Draw implements [pane.Dialog].
func (l *Hops) Draw(_ pane.Context, area canvas.Area) {
	inner := widget.Window(area, 100, len(l.Hops)+4, "Where "+canvas.FitMiddle(l.Path, 40, area.Glyphs().Ellipsis)+" came from, newest first", "")
	l.rows.Draw(inner, len(l.Hops), "enter go there   esc close", func(line canvas.Area, i int) {
		hop := &l.Hops[i]
		x := line.Text(2, 0, theme.Dim, hop.Number) + 1
		x = line.Fit(max(x, 6), 0, line.W()/3, theme.Strong, hop.Event) + 2
		line.Fit(x, 0, line.W()-x, theme.Plain, hop.Text)
	})
}

// Mode implements [pane.Dialog].
func (*Hops) Mode() pane.Mode { return pane.Choosing }
