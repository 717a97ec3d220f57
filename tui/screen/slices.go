package screen

import "asldb/tui/view"

// slicing carries on the work of a dialog in slices, so that keys are heard meanwhile.
type slicing struct {
	contract
	dialog view.View // whose work it is
	// advance takes a slice, and reports whether there are more; nil: there is no work. stop ends the work.
	advance func() bool
	stop    func()
}

// begin carries on the work of a dialog until that is over, or the dialog is closed.
func (sl *slicing) begin(dialog view.View, advance func() bool, stop func()) {
	if sl.dialog != dialog {
		sl.end()
	}
	sl.dialog, sl.advance, sl.stop = dialog, advance, stop
	sl.u.again()
}

// next takes the next slice.
func (sl *slicing) next() {
	switch {
	case sl.advance == nil:
	case sl.Dialog() != sl.dialog:
		sl.end()
	case sl.advance():
		sl.u.again()
	default:
		sl.advance = nil
	}
}

// end ends the work.
func (sl *slicing) end() {
	if sl.advance != nil {
		sl.stop()
	}
	sl.advance = nil
}
