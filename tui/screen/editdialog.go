package screen

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

func (u *ui) editBindings() pane.Bindings {
	return pane.Bindings{
		{Action: keys.EditData, Run: plainly(u.editData), Disabled: func() string {
			if reason := u.editsDisabled(); reason != "" {
				return reason
			}
			if _, _, err := u.session.Interventions().Editable(u.threadNow()); err != nil {
				return err.Error()
			}
			return ""
		}},
		{Action: keys.Intervene, Run: plainly(u.openIntervene), Disabled: u.editsDisabled},
	}
}

// editsDisabled is the reason why the run cannot be changed here.
func (u *ui) editsDisabled() string {
	if reason := u.sealed(); reason != "" {
		return reason
	}
	switch {
	case u.session.Log().Len() == 0:
		return "nothing has run yet"
	case u.session.Status().Done():
		return "the run is over"
	case !u.following:
		return "only where the run stands: " + u.keys.Key(keys.Now) + " goes there"
	}
	return ""
}

// threadNow is the thread that the run stands in: that of the event looked at.
func (u *ui) threadNow() engine.ThreadID {
	if u.selection.Event == nil {
		return 0
	}
	return u.selection.Event.Thread
}

// editData opens the data of this stage; a text that was left without being taken is there again.
func (u *ui) editData() {
	thread := u.threadNow()
	data, stage, err := u.session.Interventions().Editable(thread)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	if d := u.draft; d != nil && d.Thread == thread && d.Events == u.session.Log().Len() {
		u.dialog = d
		return
	}
	facts := dialog.EditFacts{
		Thread: thread, Stage: stage, Data: data, Events: u.session.Log().Len(), Limit: u.session.Options().Limits.Payload,
		Take: func(v value.Value, unchanged bool) error { return u.takeEdit(thread, v, unchanged) },
	}
	if u.selection.Visit != nil {
		facts.Where = explain.PlaceName(u.selection.Visit)
	}
	d := dialog.NewEdit(facts)
	u.draft, u.dialog = d, d
}

// takeEdit lets the next stage of a thread read other data.
func (u *ui) takeEdit(thread engine.ThreadID, v value.Value, unchanged bool) error {
	if unchanged {
		u.dialog, u.draft = nil, nil
		u.say(theme.Plain, "The data are what they were: nothing was changed.")
		return nil
	}
	if err := u.session.Interventions().Edit(thread, v); err != nil {
		return err
	}
	u.dialog, u.draft = nil, nil
	u.sync()
	u.say(theme.Plain, "Edited by hand: the next stage reads this.")
	return nil
}
