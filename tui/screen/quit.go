package screen

import "asldb/tui/view/dialog"

// quit ends the program, after a question where something would be lost.
func (u *ui) quit() { u.askThen(func() { u.effects.quit = true }) }

// goBack leaves for the list that the session was opened from, after a question where something would be lost.
func (u *ui) goBack() { u.askThen(func() { u.effects.back = true }) }

// askThen ends the session, after a question where something would be lost.
func (u *ui) askThen(end func()) {
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = dialog.NewQuit(u.context(), list, end)
		return
	}
	end()
}

// kill ends the program from anywhere; the second time in a row without a question.
func (u *ui) kill() {
	if _, asked := u.dialog.(*dialog.Quit); !asked && len(u.unsaved()) > 0 {
		u.quit()
		return
	}
	u.effects.interrupt = true
}
