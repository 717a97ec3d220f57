package dialog

import (
	"strconv"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Result is the result of a task in a run, which may be changed.
type Result struct {
	// State is the name of its state, and Outcome the result or the error in short. Event is the number of the event
	// with it.
	State, Outcome string
	Attempt        int
	Failed         bool
	Event          int64
	// Change opens the result to be changed.
	Change func()
}

// Results lists the results of a run. Typing filters it, and enter opens one to be changed.
type Results struct {
	view.Modal
	screen view.Opener
	rows   widget.List[Result]
}

// NewResults returns the list with the cursor on one of the results.
func NewResults(screen view.Opener, list []Result, cursor int) *Results {
	d := &Results{screen: screen}
	d.rows.Rows = widget.Slice[Result](list)
	d.rows.Cursor = cursor
	d.rows.Text = func(r Result) string { return r.State + " " + r.Outcome }
	d.rows.Paint = paintResult
	d.rows.Empty = "no result has this text"
	return d
}

// Writes implements [view.Writer]: typed text filters the list.
func (*Results) Writes() bool { return true }

// resultNames is the share of a row that the names of the states have.
const resultNames = 4

func paintResult(line canvas.Area, r Result, _ []int) {
	name := r.State
	if r.Attempt > 1 {
		name += "  attempt " + strconv.Itoa(r.Attempt)
	}
	width := max(line.W()/resultNames, 20)
	line.Text(2, 0, canvas.Strong, canvas.FitMiddle(name, width, line.Glyphs().Ellipsis))
	x, edge, style := 4+width, line.Right(line.W()-1, 0, canvas.Dim, "event "+strconv.FormatInt(r.Event, 10)),
		canvas.Text
	if r.Failed {
		style = canvas.Bad
	}
	line.Fit(x, 0, max(edge-x-2, 0), style, r.Outcome)
}

// Handle implements [view.View].
func (d *Results) Handle(k keys.Press) bool {
	switch {
	case k.Name == "esc":
		d.screen.Open(nil)
	case k.Name == "enter":
		if r, ok := d.rows.Selected(); ok {
			r.Change()
		}
	case d.rows.Type(k):
	default:
		d.rows.Press(k.Action)
	}
	return true
}

// Draw implements [view.View].
func (d *Results) Draw(f widget.Frame) {
	d.rows.Draw(f.Window(110, min(d.rows.Rows.Len(), f.H()-6)+4, "Change a result",
		"type to filter  enter changes it  esc"))
}
