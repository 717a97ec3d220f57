package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Quit asks before unsaved work of the user is lost.
type Quit struct {
	view.Modal
	screen acting
	list   []string
	quit   func()
}

// NewQuit returns the question about unsaved work; quit quits without it.
func NewQuit(screen acting, list []string, quit func()) *Quit {
	return &Quit{screen: screen, list: list, quit: quit}
}

// Handle implements [view.View].
func (q *Quit) Handle(k keys.Press) bool {
	switch {
	case k.Action == keys.Quit, k.Name == "y":
		q.quit()
	case k.Action == keys.SaveFixtures:
		q.screen.Open(nil)
		q.screen.Do(keys.SaveFixtures, "")
	default:
		q.screen.Open(nil)
	}
	return true
}

// Draw implements [view.View].
func (q *Quit) Draw(f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, 70, len(q.list)+5, "Quit?", "any other key stays")
	inner.Fit(1, 0, inner.W()-2, canvas.Plain, "These are saved nowhere:")
	for i, text := range q.list[:min(len(q.list), max(inner.H()-3, 0))] {
		inner.Fit(2, 1+i, inner.W()-3, canvas.Warn, area.Glyphs().Pointer+" "+text)
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, q.hint())
}

// hint says how it is answered.
func (q *Quit) hint() string {
	m := q.screen.Keys()
	if m.Has(keys.SaveFixtures) {
		return m.Any(keys.SaveFixtures) + " saves them, " + m.Key(keys.Quit) + " quits without"
	}
	return m.Key(keys.Quit) + " quits without them"
}
