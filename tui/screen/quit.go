package screen

import "asldb/tui/dialog"

// quit ends the program, after a question where something would be lost.
func (u *ui) quit() {
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = dialog.NewQuit(list)
		return
	}
	u.effects.quit = true
}

// kill ends the program from anywhere; the second time in a row without a question.
func (u *ui) kill() {
	_, asked := u.dialog.(*dialog.Quit)
	if list := u.unsaved(); len(list) > 0 && !asked {
		u.dialog = dialog.NewQuit(list)
		return
	}
	u.effects.interrupt = true
}
