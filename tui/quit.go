package tui

import (
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// quitQuestion asks before something is lost that the person made.
type quitQuestion struct{ list []string }

// quit ends the program, after a question where something would be lost.
func (u *ui) quit() {
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = &quitQuestion{list}
		return
	}
	u.wants.quit = true
}

// kill ends the program from anywhere; the second time in a row without a question.
func (u *ui) kill() {
	_, asked := u.dialog.(*quitQuestion)
	if list := u.unsaved(); len(list) > 0 && !asked {
		u.dialog = &quitQuestion{list}
		return
	}
	u.wants.interrupt = true
}

func (q *quitQuestion) handle(u *ui, k keys.Press) {
	switch {
	case k.Action == keys.Quit, k.Name == "y":
		u.wants.quit = true
	case k.Action == keys.SaveFixtures:
		u.dialog = nil
		u.act(keys.SaveFixtures)
	default:
		u.dialog = nil
	}
}

func (q *quitQuestion) draw(u *ui, area canvas.Area) {
	inner := widget.Window(area, 70, len(q.list)+5, "Quit?", "any other key stays")
	inner.Fit(1, 0, inner.W()-2, theme.Plain, "These are saved nowhere:")
	for i, text := range q.list[:min(len(q.list), max(inner.H()-3, 0))] {
		inner.Fit(2, 1+i, inner.W()-3, theme.Warn, u.glyphs.Pointer+" "+text)
	}
	hint := u.keys.Key(keys.Quit) + " quits without them"
	if u.keys.Has(keys.SaveFixtures) {
		hint = u.keys.Key(keys.SaveFixtures) + " saves them, " + u.keys.Key(keys.Quit) + " quits without"
	}
	inner.Fit(1, inner.H()-1, inner.W()-2, theme.Hint, hint)
}
