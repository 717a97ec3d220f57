package screen

import (
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// quit ends the program, after a question where something would be lost.
func (u *ui) quit() { u.askThen(nil) }

// goBack leaves for the list that the session was opened from, after a question where something would be lost.
func (u *ui) goBack() { u.askThen(view.ErrBack) }

// askThen ends the session with err, after a question where something would be lost.
func (u *ui) askThen(err error) {
	if list := u.unsaved(); len(list) > 0 {
		u.dialog = dialog.NewQuit(u.context(), list, func() { u.end(err) })
		return
	}
	u.end(err)
}

// end ends the first session, and with it the sessions of its tasks.
func (u *ui) end(err error) { u.nest.root().on.host.End(err) }

// kill ends the program from anywhere; the second time in a row without a question.
func (u *ui) kill() {
	if _, asked := u.dialog.(*dialog.Quit); !asked && len(u.unsaved()) > 0 {
		u.quit()
		return
	}
	u.end(view.ErrInterrupted)
}
