package screen

import (
	"asldb/tui/pane"
	"asldb/tui/pane/source"
)

// openSource shows the text of what is looked at: in the states the selected one, elsewhere the state and the field of
// the event's stage, or of its error.
func (u *ui) openSource() {
	definition := u.session.Machine().Definition()
	v := source.New(definition.Source, u.problems)
	state, field := u.states.Selected(), ""
	if s := u.selection; u.layout.mode.focus != pane.States && s.Visit != nil {
		state, field = s.Visit.State, s.Field()
	}
	if s := u.selection; u.layout.mode.focus != pane.States && s.Event != nil {
		if f := s.Event.Failure(); f != nil && f.Origin != nil {
			state, field = f.Origin.State, f.Field
		}
	}
	if state != nil {
		v.Mark(state, field)
	}
	u.dialog = v
}
