package tui

import (
	"asldb.dev/asldb/tui/keys"
	"asldb.dev/asldb/tui/theme"
)

func graphPanel() panel {
	return panel{
		draw:  (*ui).drawOutline,
		move:  func(u *ui, rows, _ int) { u.outline.move(rows) },
		page:  func(u *ui) int { return u.outline.height },
		find:  func(u *ui, text string, by int) bool { return u.outline.find(text, by) },
		click: func(u *ui, _, y int) { u.outline.selectAt(y) },
	}
}

func graphRoom() room {
	return room{
		actions: []keys.Action{keys.Look},
		act: func(u *ui, _ keys.Action, _ string) bool {
			if u.mode.focus != paneGraph {
				return false
			}
			u.lookAtSelected()
			return true
		},
	}
}

// lookAtSelected shows the newest event of the selected state.
func (u *ui) lookAtSelected() {
	state, log := u.outline.state(), u.session.Log()
	for i := log.Len() - 1; i >= 0; i-- {
		if v := log.At(i).Visit; v != nil && v.State == state {
			u.look(i)
			return
		}
	}
	u.say(theme.Warn, "The run has not been in this state.")
}
