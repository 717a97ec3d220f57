package events

import (
	"asldb/engine/console"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// filterPrompt is a prompt that filters while something is typed.
type filterPrompt struct {
	*dialog.Prompt
	about  string
	live   func(text string) error
	before string
}

// Handle implements [view.View]: esc takes the filter away.
func (p *filterPrompt) Handle(k keys.Press) bool {
	if k.Name == "esc" {
		_ = p.live("")
	}
	p.Prompt.Handle(k)
	if text := p.Text(); k.Name != "esc" && text != p.before {
		p.before, p.About = text, p.about
		if err := p.live(text); err != nil {
			p.About = err.Error()
		}
	}
	return true
}

// The forms of filters, on one line: the filtered list is above it.
const (
	aboutEvents     = `failed, state NAME, thread N, a text or an expression: $.n > 3   esc clears it`
	aboutIterations = `failed, state NAME, a text or an expression: time > 2 && $.n == 3   esc clears it`
)

// askForFilter opens the prompt that filters the events, or the iterations in their table.
func (p *Pane) askForFilter() {
	d := &filterPrompt{about: aboutEvents, live: p.setFilter, before: p.filtered.filter.Source}
	if p.view == asTable {
		d.about, d.before = aboutIterations, p.table.Filter().Source
	}
	d.Prompt = dialog.NewPrompt(p.screen, "Filter:", "", func(text string) {
		if err := p.setFilter(text); err != nil {
			p.screen.Say(canvas.Bad, err.Error())
		}
	})
	d.About, d.History = d.about, p.screen.History(keys.MaybeFilter)
	d.Set(d.before)
	p.screen.Focus(view.Drawer)
	p.screen.Open(d)
}

// setFilter filters the rows; one that cannot be read leaves them as they are.
func (p *Pane) setFilter(text string) error {
	f, err := console.Read(text)
	if err != nil {
		return err
	}
	if p.view == asTable {
		p.table.SetFilter(f)
		return nil
	}
	set := &p.filtered
	if f.Kind == console.FilterText {
		condition, err := p.screen.Session().Watches().Condition(f.Source)
		if err != nil {
			return err
		}
		set.set(f, condition, &p.list)
	} else {
		set.set(f, nil, &p.list)
	}
	p.view = asList
	p.read()
	p.filter()
	return nil
}

// filter looks at the events that the filter has not seen, in slices between the keys.
func (p *Pane) filter() {
	if p.filtered.on() && p.filtered.extend(&p.list) {
		p.screen.Later(func() bool { return p.filtered.on() && p.filtered.extend(&p.list) })
	}
}

// filtering reports whether a filter can be cleared in the view that is shown.
func (p *Pane) filtering() bool {
	switch p.view {
	case asTable:
		return p.table.Filter().Kind != console.None
	case asList:
		return p.filtered.on()
	default:
	}
	return false
}
