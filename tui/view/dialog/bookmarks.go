package dialog

import (
	"slices"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Bookmark is a marked event: its number, the event with its place, and the note.
type Bookmark struct{ Number, Event, Note string }

// Bookmarks lists marked events.
type Bookmarks struct {
	List []Bookmark
	// Go shows the event of a bookmark, Delete removes a bookmark.
	Go, Delete func(i int)
	rows       widget.Rows
}

// Handle implements [pane.Dialog].
func (l *Bookmarks) Handle(c view.Context, k keys.Press) {
	if l.rows.Move(k.Action, len(l.List)) {
		return
	}
	at := l.rows.Cursor
	switch {
	case k.Action == keys.Look:
		c.Open(nil)
		l.Go(at)
	case k.Action == keys.Delete || k.Name == "d":
		l.Delete(at)
		l.List = slices.Delete(l.List, at, at+1)
		l.rows.Cursor = max(0, min(at, len(l.List)-1))
		if len(l.List) == 0 {
			c.Open(nil)
		}
	default:
		c.Open(nil)
	}
}

// Draw implements [pane.Dialog].
func (l *Bookmarks) Draw(_ view.Context, area canvas.Area) {
	inner := widget.Window(area, 84, len(l.List)+4, "Bookmarks", "")
	l.rows.Draw(inner, len(l.List), "enter go to   d delete   esc close", func(line canvas.Area, i int) {
		b := &l.List[i]
		x := line.Text(2, 0, canvas.Dim, b.Number) + 1
		x = line.Fit(max(x, 6), 0, line.W()/2, canvas.Strong, b.Event) + 2
		line.Fit(x, 0, line.W()-x, canvas.Plain, b.Note)
	})
}

// Mode implements [pane.Dialog].
func (*Bookmarks) Mode() view.Mode { return view.Choosing }
