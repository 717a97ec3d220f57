package dialog

import (
	"slices"
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Item is an entry of a [Menu].
type Item struct {
	// Key chooses the item at once.
	Key, Text string
	// Reason says why it cannot be done now, or is empty.
	Reason string
	Do     func()
}

// Menu lists the ways to change a run; an entry that is not possible now says why.
type Menu struct {
	view.Modal
	Screen talking
	About  string
	// Title is the title; empty: About is the title.
	Title string
	List  []Item
	rows  widget.List[Item]
}

// NewMenu returns a menu with the cursor on the first item that can be done now.
func NewMenu(screen talking, about string, list []Item) *Menu {
	m := &Menu{Screen: screen, About: about, List: list}
	m.rows.Cursor = max(0, slices.IndexFunc(list, func(i Item) bool { return i.Reason == "" }))
	return m
}

// read lets the list have the entries.
func (m *Menu) read() {
	m.rows.Rows, m.rows.Paint, m.rows.Hint = widget.Slice[Item](m.List), paintItem, "enter runs it  esc closes  manual changes are marked"
	m.rows.Open = m.run
}

// paintItem paints an entry with its key, and with the reason why it cannot be done now.
func paintItem(line canvas.Area, item Item, _ []int) {
	style := canvas.Plain
	if item.Reason != "" {
		style = canvas.Dim
	}
	line.Text(2, 0, canvas.HintKey, item.Key)
	if x := line.Fit(5, 0, line.W()-6, style, item.Text); item.Reason != "" && line.W()-x > 12 {
		line.Fit(x+2, 0, line.W()-x-3, canvas.Dim, "("+item.Reason+")")
	}
}

// Handle implements [view.View].
func (m *Menu) Handle(k keys.Press) bool {
	m.read()
	if m.rows.Press(k.Action) {
		return true
	}
	chosen := slices.IndexFunc(m.List, func(i Item) bool { return k.Text == i.Key })
	switch {
	case k.Name == "enter":
	case chosen < 0:
		m.Screen.Open(nil)
		return true
	default:
		m.rows.Cursor = chosen
	}
	m.run()
	return true
}

// run does the selected item, or says why it cannot be done now.
func (m *Menu) run() {
	item, ok := m.rows.Selected()
	switch {
	case !ok:
		m.Screen.Open(nil)
	case item.Reason != "":
		m.Screen.Say(canvas.Warn, strings.ToUpper(item.Reason[:1])+item.Reason[1:]+".")
	default:
		m.Screen.Open(nil)
		item.Do()
	}
}

// Draw implements [view.View].
func (m *Menu) Draw(f widget.Frame) {
	title := "Let " + canvas.FitMiddle(m.About, 30, f.Glyphs().Ellipsis) + " go otherwise"
	if m.Title != "" {
		title = m.Title
	}
	m.read()
	m.rows.Draw(f.Window(104, len(m.List)+5, title, "any other key closes this"))
}

// Leave is the question about an execution that is not over.
type Leave struct {
	view.Modal
	Screen  view.Opener
	Title   string
	Choices []Item
}

// Handle implements [view.View].
func (l *Leave) Handle(k keys.Press) bool {
	l.Screen.Open(nil)
	for i := range l.Choices {
		if k.Text == l.Choices[i].Key {
			l.Choices[i].Do()
		}
	}
	return true
}

// Draw implements [view.View].
func (l *Leave) Draw(f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, 70, len(l.Choices)+3, "Leave "+l.Title+"?", "any other key stays")
	for i := range l.Choices {
		inner.Text(2, i, canvas.HintKey, l.Choices[i].Key)
		inner.Fit(5, i, inner.W()-6, canvas.Plain, l.Choices[i].Text)
	}
}
