package screen

import (
	"strconv"

	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
)

// forks take back the newest intervention: the run before it is another fork.
type forks struct {
	contract
	catchUp  func() // shows the log of the fork that the session has gone over to
	switched func() // takes the messages of its logpoints as shown
}

func (fk *forks) bindings() view.Bindings {
	return view.Bindings{{Action: keys.Undo, Run: plainly(fk.undo), Disabled: func() string {
		if reason := readOnly(fk.contract); reason != "" {
			return reason
		}
		if !fk.Session().Forks().Undoable() {
			return debug.ErrNothingToUndo.Error()
		}
		return ""
	}}}
}

// undo takes back the newest edit, answer or injection.
func (fk *forks) undo() {
	undone, err := fk.Session().Forks().Undo()
	if err != nil {
		fk.Say(canvas.Bad, err.Error())
		return
	}
	fk.entered()
	fk.Say(canvas.Plain, "Undone: the "+undone.String()+" after event "+strconv.Itoa(undone.After)+". What-if "+strconv.Itoa(undone.From)+
		" still has it: "+fk.Key(keys.WhatIfs)+".")
}

// entered shows the fork that the session has gone over to.
func (fk *forks) entered() {
	fk.catchUp()
	fk.switched()
	fk.Sync()
}

// readOnly returns the reason why a recorded run cannot be changed, with the way to change that, or "".
func readOnly(s contract) string {
	switch {
	case !s.Session().ReadOnly():
		return ""
	case !s.Session().Executable():
		if s.Session().Redrivable() == nil {
			return "the events of this run are recorded and do not change; :redrive continues from its end"
		}
		return "a recording without its definition cannot be changed"
	}
	return "a recorded run cannot be changed; " + s.Key(keys.WhatIfs) + ", then " + s.Key(keys.EditData) + " makes it live"
}
