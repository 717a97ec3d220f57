package screen

import "asldb/tui/view/dialog"

// quit ends the program, after a question where something would be lost.
func (u *ui) quit() {
	u.leaving = false
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = dialog.NewQuit(list)
		return
	}
	u.effects.quit = true
}

// goBack leaves for the list that the session was opened from, after a question where something would be lost.
func (u *ui) goBack() {
	u.leaving = true
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = dialog.NewQuit(list)
		return
	}
	u.effects.back = true
}

// kill ends the program from anywhere; the second time in a row without a question.
func (u *ui) kill() {
	u.leaving = false
	_, asked := u.dialog.(*dialog.Quit)
	if list := u.unsaved(); len(list) > 0 && !asked {
		u.dialog = dialog.NewQuit(list)
		return
	}
	u.effects.interrupt = true
}
