package dialog

import (
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Fix shows a change of the definition's text before it is made.
type Fix struct {
	view.Modal
	Screen talking
	// Title names the file, Words describe the change, and Tried the end of the run with it,
	// "" where it was not tried.
	Title, Words, Tried string
	// Diff is the change in the unified format.
	Diff string
	// Write makes the change in the file, and Session in this session alone. Next shows the next fix; nil: there is
	// none.
	Write, Session, Next func()
	widget.Pager
}

// Handle implements [view.View].
func (v *Fix) Handle(k keys.Press) bool {
	switch {
	case k.Name == "enter":
		v.Screen.Open(nil)
		v.Write()
	case k.Text == "s":
		v.Screen.Open(nil)
		v.Session()
	case (k.Text == "n" || k.Name == "right") && v.Next != nil:
		v.Next()
	case v.Key(k.Action):
	default:
		v.Screen.Open(nil)
		v.Screen.Say(canvas.Plain, "The definition stays as it is.")
	}
	return true
}

// Draw implements [view.View].
func (v *Fix) Draw(f widget.Frame) {
	lines := strings.Split(strings.TrimRight(v.Diff, "\n"), "\n")
	foot := "enter writes it and runs again  s in this session only  esc"
	if v.Next != nil {
		foot = "enter writes it and runs again  s in this session only  n next fix  esc"
	}
	inner := f.Window(100, len(lines)+5, v.Title, foot)
	inner.Fit(1, 0, inner.W()-2, canvas.Strong, v.Words)
	if v.Tried == "" {
		inner.Fit(1, 1, inner.W()-2, canvas.Warn, inner.Glyphs().Warning+" not tried: that takes long")
	} else {
		inner.Fit(1, 1, inner.W()-2, canvas.Good, inner.Glyphs().Visited+" tried: "+v.Tried)
	}
	body := inner.In(canvas.Rect{Y: 3, W: inner.W(), H: inner.H() - 3})
	v.Pager.Draw(body, len(lines), func(row canvas.Area, i int) {
		line, style := lines[i], canvas.Plain
		switch {
		case strings.HasPrefix(line, "+"):
			style = canvas.Added
		case strings.HasPrefix(line, "-"):
			style = canvas.Removed
		case strings.HasPrefix(line, "@@"):
			style = canvas.Dim
		}
		row.Fit(1, 0, row.W()-2, style, strings.ReplaceAll(line, "\t", "    "))
	})
}
