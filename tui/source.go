package tui

import "asldb/tui/pane/source"

// openSource shows the text of what is looked at: in the states the selected one, elsewhere the state and the field of
// the event's stage, or of its error.
func (u *ui) openSource() {
	definition := u.session.Machine().Definition()
	v := source.New(definition.Source, u.problems)
	state, field := u.graph.selected, ""
	if m := u.moment; u.mode.focus != paneGraph && m.visit != nil {
		state, field = m.visit.State, m.fieldInSource()
	}
	if m := u.moment; u.mode.focus != paneGraph && m.event != nil {
		if f := m.event.Failure(); f != nil && f.Origin != nil {
			state, field = f.Origin.State, f.Field
		}
	}
	if state != nil {
		v.Mark(state, field)
	}
	u.dialog = v
}

// fieldInSource is the name of the field of the event's stage as a definition has it, or "".
func (m *moment) fieldInSource() string {
	if m.now < 0 || m.now >= len(m.stages) {
		return ""
	}
	return m.stages[m.now].info.Field
}
