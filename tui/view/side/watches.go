package side

import (
	"iter"
	"strconv"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/value"
	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// watches is the section with the watches and their values. The values are computed when another event is selected, not
// for each frame.
type watches struct {
	widget.List[watchRow]
	screen    Screen
	pane      *Lists
	rows      []watchRow
	column    int         // the width of the expressions
	seen      watchMoment // of rows
	evaluated evaluation  // the newest, with its judgement
	judgement dialog.Judgement
}

func (p *watches) all() []*breakpoint.Watch { return p.screen.Session().Watches().All() }

func (p *watches) count() int { return len(p.all()) }

func (p *watches) hasRows() bool { return len(p.all()) > 0 }

func newWatches(screen Screen, pane *Lists) *watches {
	p := &watches{screen: screen, pane: pane}
	p.Paint = func(line canvas.Area, r watchRow, _ []int) { r.draw(line, p.column) }
	p.Text = func(r watchRow) string {
		if r.value == nil {
			return r.text
		}
		return r.text + " " + value.Preview(r.value, shownWatch)
	}
	p.Open = func() { p.ask(p.selected()) }
	return p
}

func (*watches) refresh() {}

// Move selects another watch, and says how often its value has changed.
func (p *watches) Move(rows int) {
	p.List.Move(rows)
	if row, ok := p.Selected(); ok && row.changes > 0 {
		p.screen.Say(canvas.Dim, wording.Count(row.changes, "change")+", the last at event "+strconv.Itoa(row.last+1))
	}
}

// Find selects the next watch whose expression or value contains a text.
func (p *watches) Find(text string, by int) (wrapped, ok bool) {
	p.update()
	return p.List.Find(text, by)
}

// Words yields the expressions and the words of their values.
func (p *watches) Words() iter.Seq[string] {
	p.update()
	return p.List.Words()
}

// selected returns the watch under the cursor, or nil.
func (p *watches) selected() *breakpoint.Watch {
	if all := p.all(); p.Cursor < len(all) {
		return all[p.Cursor]
	}
	return nil
}

// update computes the values at the selected event. At the newest event they are compared with the previous stop, else with
// the event before it in its thread.
func (p *watches) update() {
	session, index := p.screen.Session(), p.screen.Selection().Index
	before := session.Log().PreviousInThread(index)
	if p.screen.Newest() {
		before = session.PreviousStop()
	}
	all := session.Watches().All()
	var texts strings.Builder
	for _, w := range all {
		texts.WriteString(w.Text + "\n")
	}
	seen := watchMoment{index, before, session.Log().Len(), texts.String()}
	if seen == p.seen && len(p.rows) == len(all) {
		return
	}
	p.seen, p.rows = seen, p.rows[:0]
	for _, w := range all {
		row := watchRow{text: w.Text}
		row.value, row.err = session.Watches().At(w, index)
		if before < index {
			row.before, _ = session.Watches().At(w, before) // an error means that it was not there
			row.mark = markOf(row.before, row.value)
		}
		if changes := session.Watches().Changes(w); len(changes) > 0 {
			row.changes, row.last = len(changes), changes[len(changes)-1].Event
		}
		p.rows = append(p.rows, row)
	}
	p.Rows = widget.Slice[watchRow](p.rows)
}

func (p *watches) draw(f widget.Frame) {
	if len(p.all()) == 0 {
		f.Fit(5, 0, f.W()-6, canvas.Dim, "none; "+p.screen.Key(keys.AddWatch)+" adds one")
	}
	p.update()
	p.column = 0
	for i := range p.rows {
		p.column = max(p.column, canvas.Width(p.rows[i].text))
	}
	p.column = min(p.column, max(f.W()*2/5, 8))
	p.Draw(f)
}

func (p *watches) bindings() view.Bindings {
	focused := p.pane.in(Watches)
	selected := func() bool { return focused() && p.selected() != nil }
	return view.Bindings{
		{Action: keys.Look, Applies: selected, Run: view.Run(func() { p.ask(p.selected()) })},
		{Action: keys.Fold, Applies: selected, Run: view.Run(p.showSelected)},
		{Action: keys.Delete, Applies: focused, Run: view.Run(p.deleteSelected), Disabled: func() string {
			if !selected() {
				return "there is no watch"
			}
			return ""
		}},
		{Action: keys.AddWatch, Run: func(text string) {
			if text == "" {
				p.ask(nil)
				return
			}
			p.add(text)
		}},
		{Action: keys.Evaluate, Run: func(text string) {
			if text == "" {
				p.askForExpression()
				return
			}
			p.evaluate(text)
		}},
		{Action: keys.ChangedLast, Run: p.goToLastChange, Disabled: func() string {
			if p.screen.Log().Len() == 0 {
				return "nothing has run yet"
			}
			return ""
		}},
	}
}

// showSelected shows the value of the selected watch whole.
func (p *watches) showSelected() {
	w := p.selected()
	v, err := p.screen.Session().Watches().At(w, p.screen.Selection().Index)
	if err != nil {
		p.ask(w)
		return
	}
	p.show(w.Text, v)
}

func (p *watches) deleteSelected() {
	w := p.selected()
	p.screen.Session().Watches().Remove(w.ID)
	p.screen.Say(canvas.Plain, "Not watched any more: "+w.Text)
	p.screen.SetupChanged()
}

func (p *watches) add(text string) {
	if _, err := p.screen.Session().Watches().Add(text); err != nil {
		d := p.ask(nil)
		d.Set(text)
		d.Tried = true
		return
	}
	p.changed(len(p.all()) - 1)
}

// changed shows the section with one of the watches selected.
func (p *watches) changed(selected int) {
	p.Cursor = selected
	p.pane.Choose(Watches)
	p.screen.SetupChanged()
	if w := p.selected(); w != nil && p.screen.Place(view.Drawer).H <= 1 { // its value is not on the screen
		found := "no value here"
		if v, err := p.screen.Session().Watches().At(w, p.screen.Selection().Index); err == nil {
			found = value.Preview(v, shownWatch)
		}
		p.screen.Say(canvas.Plain, "Watched: "+wording.Line(w.Text)+" = "+found)
	}
}

// goToLastChange selects the event that changed a value last: the value of the expression given, of the selected watch,
// or at the cursor in the data.
func (p *watches) goToLastChange(text string) {
	w := p.selected()
	switch {
	case text != "":
	case p.pane.in(Watches)() && w != nil:
		text = w.Text
	default:
		text = p.screen.Path()
	}
	index, all := p.screen.Selection().Index, p.screen.Session().Watches()
	change, ok, err := all.LastChange(text, index, true)
	here := ok && change.Event == index
	if here {
		change, ok, err = all.LastChange(text, index, false)
	}
	switch {
	case err != nil:
		p.screen.Say(canvas.Bad, err.Error())
	case !ok && here:
		p.screen.Say(canvas.Warn, text+" was changed by this event, and not before.")
	case !ok:
		p.screen.Say(canvas.Warn, text+" has not changed before this.")
	default:
		p.screen.Inspect(change.Event)
		p.screen.Say(canvas.Plain, text+" changed here: "+changeText(change)+"; "+p.screen.Key(keys.ChangedLast)+" again goes to the change before, "+
			p.screen.Key(keys.Now)+" back to now.")
	}
}

func changeText(c breakpoint.Change) string {
	const short = 60
	switch {
	case c.Before == nil:
		return "it came, " + value.Preview(c.After, short)
	case c.After == nil:
		return "it went, and was " + value.Preview(c.Before, short)
	}
	was, is := value.Pair(c.Before, c.After, short)
	return was + " became " + is
}
