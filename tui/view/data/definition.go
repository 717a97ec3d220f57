package data

import (
	"strings"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/listing"
	"asldb/tui/view"
)

// Text is the view of the definition's text, which follows the selected event.
type Text struct {
	pane *Pane
	*listing.View
	of *asl.StateMachine
	// shown is the selection that the marks are of; state is a state that was asked for in its place, or nil.
	shown *view.Selection
	state *asl.State
	// inGraph is the state that was selected in the graph when the marks were made; they are of it where the event has no state.
	inGraph *asl.State
	// events is the number of events that were known when the values were computed.
	events int
}

// Text returns the view of the definition, brought up to the selected event.
func (p *Pane) Text() *Text {
	session, s, d := p.screen.Session(), p.screen.Selection(), &p.definition
	if of := session.Machine().Definition(); d.View == nil || d.of != of {
		*d = Text{pane: p, View: listing.NewView(listing.New(of.Source, of)), of: of}
	}
	if d.shown != s {
		d.state = nil
	}
	other := (s.Visit == nil || p.screen.Unshown() != nil) && d.inGraph != p.screen.State()
	if d.shown != s || other || d.events != session.Log().Len() {
		follow := d.shown != s || other
		d.shown, d.inGraph, d.events = s, p.screen.State(), session.Log().Len()
		if d.state == nil || other {
			d.state = nil
			d.Show(d.marks(s), follow)
		}
	}
	d.Marks().Breakpoints = session.Breakpoints().All()
	return d
}

// marks returns the marks of the event's state, or, of an event that has none, of the selected state in case the run was in it.
func (d *Text) marks(s *view.Selection) listing.Marks {
	session, problems := d.pane.screen.Session(), d.pane.options.Problems()
	if state := d.pane.screen.Unshown(); state != nil {
		return s.MarksOfState(session, state, problems)
	}
	if state := d.pane.screen.State(); s.Visit == nil && (s.Event == nil || explain.LastIn(session.Log(), state, s.Index) >= 0) {
		return s.MarksOfState(session, state, problems)
	}
	return s.MarksOf(session, problems)
}

// The size of the pane, with its border, from which on the definition is shown in it and not over all panes.
const definitionWidth, definitionHeight = 54, 12

// Fits reports whether the pane is large enough for the text of the definition.
func (d *Text) Fits() bool {
	place := d.pane.screen.Place(view.Data)
	return place.W >= definitionWidth && place.H >= definitionHeight
}

// Open shows the text in the pane, at a state or, for nil, at the current field.
func (d *Text) Open(state *asl.State) {
	p := d.pane
	if p.view != Definition {
		p.before = p.view
		p.setView(Definition)
	}
	d.state = nil
	s := p.screen.Selection()
	if state == nil || s.Visit != nil && s.Visit.State == state {
		d.Show(d.marks(s), true)
		return
	}
	d.state = state
	d.Show(s.MarksOfState(p.screen.Session(), state, p.options.Problems()), true)
}

// Close returns to the view before.
func (d *Text) Close() { d.pane.setView(d.pane.before) }

// Reading returns the event in which the value on the line under the cursor was evaluated, as its index, and the path of the value
// there. ok is false where the definition is not shown, and where the line has no such value.
func (d *Text) Reading() (event int, path string, ok bool) {
	if d.pane.view != Definition {
		return 0, "", false
	}
	v := d.Value()
	if v == nil || v.Path == "" {
		return 0, "", false
	}
	return v.Event, v.Path, true
}

// toggleLine sets a breakpoint on the line under the cursor, or removes the one that is there.
func (d *Text) toggleLine() {
	p, points := d.pane, d.pane.screen.Session().Breakpoints()
	b, state, spec := d.PointAt(points.All(), d.Cursor())
	g := p.screen.Glyphs()
	switch {
	case state == nil:
		p.screen.Say(canvas.Warn, "There is no state on this line to stop at.")
		return
	case b != nil:
		points.Remove(b.ID)
		p.screen.Say(canvas.Plain, "Breakpoint removed: "+explain.Breakpoint(b))
	case spec == "":
		b = points.AddAt(state)
		p.screen.Say(canvas.Plain, g.Breakpoint+" Breakpoint set: "+explain.Breakpoint(b))
	default:
		b, err := points.Add(spec)
		if err != nil {
			p.screen.Say(canvas.Bad, err.Error())
			return
		}
		p.screen.Say(canvas.Plain, g.Breakpoint+" Breakpoint set: "+explain.Breakpoint(b))
	}
	p.screen.SetupChanged()
}

// jump leads from the line under the cursor: to the state that a transition names, or to the origin of the value.
func (d *Text) jump() {
	p := d.pane
	if state := d.Target(d.Cursor()); state != nil {
		d.GoTo(d.Name(state))
		return
	}
	if _, _, ok := d.Reading(); ok {
		p.screen.Do(keys.ChangedLast, "")
		return
	}
	p.screen.Say(canvas.Warn, "No value and no transition on this line; "+p.screen.Key(keys.ToggleBreak)+" sets a breakpoint on it.")
}

// foot returns the text for the lower border: the expression on the line under the cursor with its value.
func (d *Text) foot(g *canvas.Glyphs) (title, about string) {
	v := d.Value()
	if v == nil {
		return "", ""
	}
	title = v.Place.Pointer
	if marks := d.Marks(); marks.State != nil {
		title = strings.TrimPrefix(strings.TrimPrefix(title, marks.State.Pointer), "/")
	}
	title = value.UnescapePointer(title)
	if v.Value != nil {
		about = aboutValue(v.Value, g)
	}
	return title, about
}

// selected returns the value on the line under the cursor, or nil.
func (d *Text) selected() value.Value {
	if v := d.Value(); v != nil {
		return v.Value
	}
	return nil
}

// TextBindings returns the bindings of the definition's text in a pane, which come before the bindings of other panes.
func TextBindings(p *Pane) view.Bindings {
	inText := func() bool { return p.view == Definition && p.screen.Focused() == view.Data }
	return view.Bindings{
		{Action: keys.ToggleBreak, Applies: inText, Run: func(string) { p.Text().toggleLine() }},
		{Action: keys.Look, Applies: inText, Run: func(string) { p.Text().jump() }},
		{Action: keys.EditData, Applies: inText, Run: func(string) {
			file, at := p.Text().Origin(p.Text().Cursor())
			p.screen.OpenFile(file.Name, at.Line, at.Col)
		}},
		{Action: keys.AddWatch, Bare: true, Applies: func() bool { return inText() && len(p.options.Problems()) > 0 }, Run: func(string) {
			p.Text().NextProblem() // w for warning, as in the text over the panes
		}},
	}
}
