package screen

import (
	"strconv"

	"asldb/engine/debug"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// forks are the continuations of the run, of which the session is in one.
type forks struct {
	pane.Screen
	comparison *comparison
	catchUp    func() // shows the log of the fork that the session has gone over to
	switched   func() // takes the messages of its logpoints as shown
}

func (fk *forks) bindings() pane.Bindings {
	return pane.Bindings{{Action: keys.WhatIfs, Run: plainly(fk.list), Disabled: nothingRun(fk.Screen)},
		{Action: keys.Undo, Run: plainly(fk.undo), Disabled: func() string {
			if reason := readOnly(fk.Screen); reason != "" {
				return reason
			}
			if !fk.Session().Forks().Undoable() {
				return debug.ErrNothingToUndo.Error()
			}
			return ""
		}}}
}

// goLive lets a recorded run be changed: another outcome begins a what-if, and the recording stays unchanged.
func (fk *forks) goLive() {
	if !fk.Session().ReadOnly() {
		fk.Say(theme.Warn, "The run is already live.")
		return
	}
	if err := fk.Session().GoLive(fk.Session().Options().Source); err != nil {
		fk.Say(theme.Bad, err.Error())
		return
	}
	fk.Sync()
	fk.Say(theme.Plain, "The run is live: every change starts a what-if; the recording stays as it is.")
}

// compare opens the comparison of a branch with the one that the session is in, or of that one with its parent.
func (fk *forks) compare(forks []debug.Fork, chosen debug.Fork) {
	a, b := chosen.ID, chosen.ID
	for _, other := range forks {
		if other.Current {
			b = other.ID
		}
	}
	if a == b {
		if a = chosen.Parent; a == 0 {
			fk.Say(theme.Warn, "This is the current what-if; choose another one to compare with.")
			return
		}
	}
	fk.comparison.open(a, b)
}

// list lists the continuations of the run.
func (fk *forks) list() {
	forks := fk.Session().Forks().All()
	l := &dialog.Forks{
		Forks: forks, Dropped: fk.Session().Forks().Dropped(), Recorded: fk.Session().ReadOnly(),
		Switch: fk.switchTo, Compare: func(b debug.Fork) { fk.compare(forks, b) }, GoLive: fk.goLive,
	}
	l.Select()
	fk.Open(l)
}

// undo takes back the newest edit, answer or injection.
func (fk *forks) undo() {
	undone, err := fk.Session().Forks().Undo()
	if err != nil {
		fk.Say(theme.Bad, err.Error())
		return
	}
	fk.catchUp()
	fk.switched()
	fk.Sync()
	fk.Say(theme.Plain, "Undone: the "+undone.String()+" after event "+strconv.Itoa(undone.After)+". What-if "+strconv.Itoa(undone.From)+
		" still has it: "+fk.Key(keys.WhatIfs)+".")
}

// switchTo goes over to another continuation of the run.
func (fk *forks) switchTo(b debug.Fork) {
	if err := fk.Session().Forks().Switch(b.ID); err != nil {
		fk.Say(theme.Bad, err.Error())
		return
	}
	fk.catchUp()
	fk.switched()
	fk.Sync()
	fk.Say(theme.Plain, "This is what-if "+strconv.Itoa(b.ID)+" of the run.")
}

// readOnly returns the reason why a recorded run cannot be changed, with the way to change that, or "".
func readOnly(s pane.Screen) string {
	switch {
	case !s.Session().ReadOnly():
		return ""
	case !s.Session().Executable():
		return "a recording without its definition cannot be changed"
	}
	return "a recorded run cannot be changed; " + s.Key(keys.WhatIfs) + ", then " + s.Key(keys.EditData) + " makes it live"
}
