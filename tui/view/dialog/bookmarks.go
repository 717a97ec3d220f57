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
	view.Modal
	Screen view.Opener
	List   []Bookmark
	// Go shows the event of a bookmark, Delete removes a bookmark.
	Go, Delete func(i int)
	rows       widget.List[Bookmark]
}

// Handle implements [view.View].
func (l *Bookmarks) Handle(k keys.Press) bool {
	if l.rows.Press(k.Action) {
		return true
	}
	switch {
	case k.Action == keys.Look:
		l.goToBookmark()
	case k.Action == keys.Delete || k.Name == "d":
		at := l.rows.Cursor
		l.Delete(at)
		if l.List = slices.Delete(l.List, at, at+1); len(l.List) == 0 {
			l.Screen.Open(nil)
		}
	default:
		l.Screen.Open(nil)
	}
	return true
}

// goToBookmark shows the event of the selected bookmark.
func (l *Bookmarks) goToBookmark() {
	l.Screen.Open(nil)
	l.Go(l.rows.Cursor)
}

// Draw implements [view.View].
func (l *Bookmarks) Draw(f widget.Frame) {
	l.rows.Rows, l.rows.Hint, l.rows.Paint = widget.Slice[Bookmark](l.List), "enter go to   d delete   esc close", paintBookmark
	l.rows.Open = l.goToBookmark
	l.rows.Draw(f.Window(84, len(l.List)+4, "Bookmarks", ""))
}

func paintBookmark(line canvas.Area, b Bookmark, _ []int) {
	x := line.Text(2, 0, canvas.Dim, b.Number) + 1
	x = line.Fit(max(x, 6), 0, (line.W()-1)/2, canvas.Strong, b.Event) + 2
	line.Fit(x, 0, line.W()-x-1, canvas.Plain, b.Note)
}
