package dialog

import (
	"strconv"

	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// Forks lists the continuations of a run.
type Forks struct {
	Forks []debug.Fork
	// Dropped is how many older ones the session has no more, Recorded reports whether the run is a recorded one.
	Dropped  int
	Recorded bool
	// Switch goes over to one, Compare holds it against the current one, GoLive lets a recorded run be changed.
	Switch, Compare func(debug.Fork)
	GoLive          func()
	rows            widget.Rows
}

// Select selects the current one.
func (l *Forks) Select() {
	for i, b := range l.Forks {
		if b.Current {
			l.rows.Cursor = i
		}
	}
}

// Handle implements [pane.Dialog].
func (l *Forks) Handle(c pane.Context, k keys.Press) {
	if l.rows.Move(k.Action, len(l.Forks)) {
		return
	}
	c.Open(nil)
	chosen := l.Forks[l.rows.Cursor]
	switch k.Action {
	case keys.Look, keys.Fold:
		l.Switch(chosen)
	case keys.DataView:
		l.Compare(chosen)
	case keys.EditData:
		l.GoLive()
	default:
	}
}

// Draw implements [pane.Dialog].
func (l *Forks) Draw(c pane.Context, area canvas.Area) {
	inner := widget.Window(area, 84, len(l.Forks)+4, "What-ifs of the run", "")
	hint := "enter go there   " + c.Keys().Key(keys.DataView) + " compare   esc close"
	if l.Recorded {
		hint = c.Keys().Key(keys.EditData) + " make it live, to change it   " + hint
	}
	if gone := l.Dropped; gone > 0 {
		hint += "   " + explain.Plural(gone, "older what-if is", "older what-ifs are") + " not kept"
	}
	l.rows.Draw(inner, len(l.Forks), hint, func(line canvas.Area, i int) {
		b := l.Forks[i]
		style, mark := theme.Plain, " "
		if b.Current {
			style, mark = theme.Strong, area.Glyphs().Current
		}
		x := line.Text(1, 0, style, mark+" "+strconv.Itoa(b.ID)) + 1
		line.Fit(x, 0, line.W()-x, style, forkText(b))
	})
}

// forkText describes a fork.
func forkText(b debug.Fork) string {
	status := b.Status.String()
	if !b.Status.Done() {
		status = "not over"
	}
	text := status + ", " + explain.Plural(b.Events, "event", "events")
	switch {
	case b.Parent == 0:
		return "the first run: " + text
	case b.Shared == 0:
		return b.Cause + ": " + text
	}
	return b.Cause + " after event " + strconv.Itoa(b.Shared) + " of what-if " + strconv.Itoa(b.Parent) + ": " + text
}

// Mode implements [pane.Dialog].
func (*Forks) Mode() pane.Mode { return pane.Choosing }
