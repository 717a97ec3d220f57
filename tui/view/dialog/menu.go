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

// Menu lists ways to let a run take another course than it would by itself; one that is not possible now says why.
type Menu struct {
	About string
	// Title is the title; empty: that About goes otherwise.
	Title  string
	List   []Item
	cursor int
}

// NewMenu returns a menu with the cursor on the first item that can be done now.
func NewMenu(about string, list []Item) *Menu {
	return &Menu{About: about, List: list, cursor: max(0, slices.IndexFunc(list, func(i Item) bool { return i.Reason == "" }))}
}

// Handle implements [pane.Dialog].
func (m *Menu) Handle(c view.Context, k keys.Press) {
	if by, ok := widget.PageMove(k.Action, 1); ok {
		m.cursor = max(0, min(m.cursor+by, len(m.List)-1))
		return
	}
	chosen := -1
	for i := range m.List {
		if k.Text == m.List[i].Key {
			chosen = i
		}
	}
	if k.Name == "enter" {
		chosen = m.cursor
	}
	if chosen < 0 {
		c.Open(nil)
		return
	}
	m.cursor = chosen
	if reason := m.List[chosen].Reason; reason != "" {
		c.Say(canvas.Warn, strings.ToUpper(reason[:1])+reason[1:]+".")
		return
	}
	c.Open(nil)
	m.List[chosen].Do()
}

// Draw implements [pane.Dialog].
func (m *Menu) Draw(_ view.Context, area canvas.Area) {
	title := "Let " + canvas.FitMiddle(m.About, 30, area.Glyphs().Ellipsis) + " go otherwise"
	if m.Title != "" {
		title = m.Title
	}
	inner := widget.Window(area, 104, len(m.List)+5, title, "any other key closes this")
	for i := range m.List {
		item := &m.List[i]
		style := canvas.Plain
		if item.Reason != "" {
			style = canvas.Dim
		}
		inner.Text(2, i, canvas.HintKey, item.Key)
		x := inner.Fit(5, i, inner.W()-6, style, item.Text)
		if item.Reason != "" && inner.W()-x > 12 {
			inner.Fit(x+2, i, inner.W()-x-3, canvas.Dim, "("+item.Reason+")")
		}
		if i == m.cursor {
			inner.Text(0, i, canvas.Current, inner.Glyphs().Pointer)
			inner.Mark(i)
		}
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, "enter runs it  esc closes  manual changes are marked")
}

// Mode implements [pane.Dialog].
func (*Menu) Mode() view.Mode { return view.Choosing }
