package screen

import (
	"asldb/engine/asl"
	"asldb/tui/part/listing"
	"asldb/tui/view"
	"asldb/tui/view/data"
	"asldb/tui/view/states"
)

// openSource shows the text of the selection: in the states the selected one, elsewhere the state and the field of
// the event's stage, or of its error.
func (u *ui) openSource() {
	state := u.states.Selected()
	if u.layout.mode.Focus != view.States && u.selection.Visit != nil {
		state = nil // the event's
	}
	switch {
	case u.data.View() == data.Definition && state == nil && u.dialog == nil && u.layout.mode.Focus == view.Data:
		u.data.Text().Close()
	case u.data.Text().Fits():
		u.data.Text().Open(state)
		u.layout.focus(view.Data)
	default:
		definition := u.session.Machine().Definition()
		u.dialog = states.NewText(u.context(), definition.Source.Name, listing.New(definition.Source, definition),
			u.marksOf(state))
	}
}

// marksOf returns the marks of a state, or of the selected event's state for nil.
func (u *ui) marksOf(state *asl.State) listing.Marks {
	if s := u.selection; state == nil || s.Visit != nil && s.Visit.State == state {
		m := s.MarksOf(u.session, u.reload.problems)
		if s.Event == nil {
			return m
		}
		if f := s.Event.Failure(); f != nil && f.Origin != nil && f.Origin.State != m.State {
			m = u.selection.MarksOfState(u.session, f.Origin.State, u.reload.problems)
			m.Field = f.Field
		}
		return m
	}
	return u.selection.MarksOfState(u.session, state, u.reload.problems)
}
