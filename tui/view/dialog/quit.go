package dialog

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// Quit asks before something is lost that the user made.
type Quit struct{ list []string }

// NewQuit returns the question about unsaved work.
func NewQuit(list []string) *Quit { return &Quit{list} }

// Handle implements [view.Dialog].
func (q *Quit) Handle(c view.Context, k keys.Press) {
	switch {
	case k.Action == keys.Quit, k.Name == "y":
		c.Quit()
	case k.Action == keys.SaveFixtures:
		c.Open(nil)
		c.Do(keys.SaveFixtures, "")
	default:
		c.Open(nil)
	}
}

// Draw implements [view.Dialog].
func (q *Quit) Draw(c view.Context, f widget.Frame) {
	area := f.Area
	inner := widget.Window(area, 70, len(q.list)+5, "Quit?", "any other key stays")
	inner.Fit(1, 0, inner.W()-2, canvas.Plain, "These are saved nowhere:")
	for i, text := range q.list[:min(len(q.list), max(inner.H()-3, 0))] {
		inner.Fit(2, 1+i, inner.W()-3, canvas.Warn, area.Glyphs().Pointer+" "+text)
	}
	hint := c.Keys().Key(keys.Quit) + " quits without them"
	if c.Keys().Has(keys.SaveFixtures) {
		hint = c.Keys().Any(keys.SaveFixtures) + " saves them, " + c.Keys().Key(keys.Quit) + " quits without"
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, canvas.Hint, hint)
}
