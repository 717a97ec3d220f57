package dialog

import (
	"strconv"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Breakpoints is the list of breakpoints as a dialog, for screens that have no space for the side pane.
type Breakpoints struct {
	view.Modal
	Screen acting
	List   *prose.List
	// Switch switches the selected breakpoint on or off, Edit asks for another spec of it, and Delete removes it.
	Switch, Edit, Delete func()
	// Filter asks for the errors to stop on.
	Filter func()
}

// Handle implements [view.View].
func (d *Breakpoints) Handle(k keys.Press) bool {
	if d.List.Press(k.Action) {
		return true
	}
	switch {
	case k.Action == keys.AddBreak, k.Name == "a":
		d.Screen.Do(keys.AddBreak, "")
	case k.Action == keys.BreakOnError, k.Name == "e":
		d.Screen.Do(keys.BreakOnError, "")
	case k.Name == "x":
		d.Filter()
	case k.Action == keys.DataView, k.Action == keys.ToggleBreak: // d and b are near at hand
		d.Delete()
	case k.Action == keys.Fold:
		d.Switch()
	case k.Action == keys.Look:
		d.Edit()
	case k.Action == keys.Delete:
		d.Delete()
	default:
		d.Screen.Open(nil)
	}
	return true
}

// Draw implements [view.View].
func (d *Breakpoints) Draw(f widget.Frame) {
	messages, some := d.List.Messages(), d.List.Read() > 0
	lines := d.List.Need()
	shown := 0 // lines of messages, a heading among them
	if len(messages) > 0 {
		shown = min(len(messages)+2, max(f.H()-lines-7, 0))
	}
	inner := f.Window(90, max(lines, 1)+shown+5, "Breakpoints", "")
	if !some {
		inner.Text(1, 0, canvas.Dim, "There are none.")
	}
	body := max(inner.H()-2-shown, 1)
	d.List.Draw(inner.In(canvas.Rect{W: inner.W(), H: body}))
	if shown > 2 {
		inner.Fit(1, body+1, inner.W()-2, canvas.Title, "Messages of logpoints")
		for i, m := range messages[max(0, len(messages)-shown+2):] {
			text := "event " + strconv.Itoa(m.Event+1) + "  " + m.Text
			inner.Fit(2, body+2+i, inner.W()-3, canvas.Plain, text)
		}
	}
	hint := "space on/off  enter edit  d delete  a add  e any error  x errors by name  esc close"
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, hint)
}
