package tui

import (
	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"asldb/tui/part/widget"
)

// editDialog changes the data that the next stage of a thread reads.
type editDialog struct {
	thread engine.ThreadID
	stage  engine.Stage
	where  string // the state
	text   jsonEdit
	fault  string
	before value.Value
	after  int // the number of events that had happened: the text is about that moment
}

func (u *ui) editBindings() pane.Bindings {
	return pane.Bindings{
		{Action: keys.EditData, Run: plainly(u.editData), Disabled: func() string {
			if reason := u.editsDisabled(); reason != "" {
				return reason
			}
			if _, _, err := u.session.Editable(u.threadNow()); err != nil {
				return err.Error()
			}
			return ""
		}},
		{Action: keys.Intervene, Run: plainly(func() { u.dialog = newInterveneMenu(u) }), Disabled: u.editsDisabled},
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
	if u.moment.event == nil {
		return 0
	}
	return u.moment.event.Thread
}

// editData opens the data of this stage; a text that was left without being taken is there again.
func (u *ui) editData() {
	thread := u.threadNow()
	data, stage, err := u.session.Editable(thread)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	if d := u.draft; d != nil && d.thread == thread && d.after == u.session.Log().Len() {
		u.dialog = d
		return
	}
	d := &editDialog{thread: thread, stage: stage, before: data, after: u.session.Log().Len()}
	if u.moment.visit != nil {
		d.where = explain.PlaceName(u.moment.visit)
	}
	d.text.Set(value.Pretty(data))
	u.draft, u.dialog = d, d
}

func (d *editDialog) writes() {}

func (d *editDialog) handle(u *ui, k keys.Press) {
	d.fault = ""
	switch k.Name {
	case "esc":
		u.dialog = nil
		if d.text.Value() != value.Pretty(d.before) {
			u.say(theme.Warn, "Nothing was changed; "+u.keys.Key(keys.EditData)+" brings back what you typed.")
		}
	case "ctrl+s":
		d.take(u)
	case "ctrl+x":
		u.wants.external = &external{text: d.text.Value(), done: func(u *ui, text string, err error) { d.text.take(u, text, err) }}
	case "enter":
		d.text.write("\n")
	case "tab":
		d.text.write("  ")
	case "pgup", "pgdown":
		for range 10 {
			d.text.Key(map[string]string{"pgup": "up", "pgdown": "down"}[k.Name])
		}
	default:
		d.text.press(k)
	}
}

func (d *editDialog) take(u *ui) {
	v, err := d.text.read()
	if err == nil && value.Equal(v, d.before) {
		u.dialog, u.draft = nil, nil
		u.say(theme.Plain, "The data are what they were: nothing was changed.")
		return
	}
	if err == nil {
		err = u.session.Edit(d.thread, v)
	}
	if err != nil {
		d.fault = err.Error()
		return
	}
	u.dialog, u.draft = nil, nil
	u.settle()
	u.say(theme.Plain, "Edited by hand: the next stage reads this.")
}

func (d *editDialog) title(area canvas.Area) string {
	const frame = 6
	about := d.where
	if about == "" {
		about = "the execution"
	}
	room := min(editWidth, area.W()) - frame - len("Edit the data of  after ") - len(d.stage.String())
	return "Edit the data of " + canvas.FitMiddle(about, max(room, 8), area.Glyphs().Ellipsis) + " after " + d.stage.String()
}

// editWidth is the greatest width of the editor, its frame included.
const editWidth = 110

func (d *editDialog) draw(u *ui, area canvas.Area) {
	inner := widget.Window(area, editWidth, max(min(d.text.Len()+6, area.H()-1), 9), d.title(area), "")
	h := inner.H()
	d.text.draw(inner.Area(canvas.Rect{X: 1, W: inner.W() - 2, H: max(h-2, 1)}), true)
	widget.Scrollbar(inner.Area(canvas.Rect{W: inner.W(), H: max(h-2, 1)}), d.text.top, d.text.Len())
	remark, style := d.text.remark(u.glyphs, u.session.Options().Limits.Payload)
	if d.fault != "" {
		remark, style = u.glyphs.Failed+" "+d.fault, theme.Bad
	}
	inner.Fit(1, h-2, inner.W()-2, style, remark)
	hint := "ctrl+s takes it  esc leaves it  ctrl+z undo  ctrl+y redo  ctrl+x in your $EDITOR"
	if inner.W() < canvas.Width(hint)+2 {
		hint = "ctrl+s take  esc leave  ctrl+z undo  ctrl+x $EDITOR"
	}
	inner.Fit(1, h-1, inner.W()-2, theme.Hint, hint)
}
