package side

import (
	"slices"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/widget"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// points is the section with the breakpoints, their hits and the newest messages of logpoints.
type points struct {
	*prose.List
	screen Screen
	pane   *Lists
}

func newBreakpoints(screen Screen, p *Lists) *points {
	list := &points{
		List: prose.New(func() *breakpoint.List { return screen.Session().Breakpoints() }), screen: screen, pane: p,
	}
	list.Open = list.editSelected
	return list
}

func (p *points) count() int { return p.Read() }

// hasRows leaves out the permanent breakpoint, which every run has.
func (p *points) hasRows() bool {
	own := func(b *breakpoint.Breakpoint) bool { return !b.Standing }
	return slices.ContainsFunc(p.screen.Session().Breakpoints().All(), own)
}

func (p *points) draw(f widget.Frame) {
	if p.Read() == 0 {
		f.Fit(5, 0, f.W()-6, canvas.Dim, "none; "+p.screen.Key(keys.ToggleBreak)+" sets one")
	}
	p.Draw(f)
}

func (*points) refresh() {}

func (p *points) bindings() view.Bindings {
	focused, watching := p.pane.in(Breakpoints), p.pane.in(Watches)
	return view.Bindings{
		{Action: keys.Fold, Applies: focused, Run: view.Run(p.switchSelected)},
		{Action: keys.Look, Applies: focused, Run: view.Run(p.editSelected)},
		{Action: keys.Delete, Applies: focused, Run: view.Run(p.deleteSelected), Disabled: func() string {
			if p.Selected() == nil {
				return "there is no breakpoint"
			}
			return ""
		}},
		{
			Action: keys.Delete, Applies: func() bool { return !focused() && !watching() }, Run: view.Run(func() {}),
			Disabled: func() string {
				return p.screen.Key(keys.ListBreaks) + " opens the list of breakpoints, where it works, as it does among the watches"
			},
		},
		{Action: keys.ToggleBreak, Run: view.Run(func() { p.toggle(p.screen.State()) })},
		{Action: keys.BreakOnError, Run: view.Run(p.toggleError)},
		{Action: keys.ListBreaks, Run: view.Run(func() {
			p.screen.Open(&dialog.Breakpoints{
				Screen: p.screen, List: p.List,
				Switch: p.switchSelected, Edit: p.editSelected, Delete: p.deleteSelected,
				Filter: func() { p.ask(nil, "error ") },
			})
		})},
		{Action: keys.AddBreak, Run: func(spec string) {
			if spec == "" {
				p.ask(nil, "")
				return
			}
			p.add(spec)
		}},
	}
}

// withSelected does something to the selected breakpoint, or says that there is none.
func (p *points) withSelected(do func(b *breakpoint.Breakpoint)) {
	if b := p.Selected(); b != nil {
		do(b)
	} else {
		p.screen.Say(canvas.Warn, "No breakpoints; "+p.screen.Key(keys.AddBreak)+" adds one.")
	}
	p.screen.SetupChanged()
}

// switchSelected switches the selected breakpoint on or off.
func (p *points) switchSelected() {
	p.withSelected(func(b *breakpoint.Breakpoint) { b.Enabled = !b.Enabled })
}

func (p *points) editSelected() {
	if b := p.Selected(); b != nil && b.Standing {
		p.screen.Say(canvas.Warn, explain.Breakpoint(b)+" stays as it is: "+p.screen.Keys().Any(keys.Fold)+" switches it on and off, "+p.screen.Key(keys.AddBreak)+" adds another.")
		return
	}
	p.withSelected(func(b *breakpoint.Breakpoint) { p.ask(b, b.String()) })
}

func (p *points) deleteSelected() { p.withSelected(p.remove) }

func (p *points) remove(b *breakpoint.Breakpoint) {
	p.screen.Session().Breakpoints().Remove(b.ID)
	if b.Standing {
		p.screen.Say(canvas.Plain, "Switched off: "+explain.Breakpoint(b)+"; "+p.screen.Keys().Any(keys.Fold)+" in the list switches it on again.")
		return
	}
	p.screen.Say(canvas.Plain, "Breakpoint removed: "+explain.Breakpoint(b))
}

// toggle sets a breakpoint at a state, or removes the one that is there.
func (p *points) toggle(state *asl.State) {
	if state == nil {
		return
	}
	list := p.screen.Session().Breakpoints()
	if b := list.At(state); b != nil {
		p.remove(b)
		p.screen.SetupChanged()
		return
	}
	p.announce(list.AddAt(state))
}

// toggleError sets a breakpoint on any error, or removes it.
func (p *points) toggleError() {
	session := p.screen.Session()
	for _, b := range session.Breakpoints().All() {
		if b.AnyError() {
			session.Breakpoints().Remove(b.ID)
			p.screen.Say(canvas.Plain, "No longer stops on errors.")
			p.screen.SetupChanged()
			return
		}
	}
	spec := "error"
	if session.Machine().Definition().Lookup(spec) != nil {
		spec = "*:error" // a state has the word for its name
	}
	p.add(spec)
}

func (p *points) add(spec string) {
	b, err := p.screen.Session().Breakpoints().Add(spec)
	if err != nil {
		p.ask(nil, spec).Tried = true
		return
	}
	p.announce(b)
}

// announce says the effect of a new breakpoint.
func (p *points) announce(b *breakpoint.Breakpoint) {
	p.screen.Say(canvas.Plain, p.screen.Glyphs().Breakpoint+" "+effectOf(b))
	p.screen.SetupChanged()
}

// effectOf returns the effect of a breakpoint in a sentence.
func effectOf(b *breakpoint.Breakpoint) string {
	if b.Message != "" {
		return "Logpoint set: " + explain.Breakpoint(b)
	}
	return "Breakpoint set: " + explain.Breakpoint(b)
}

// ask asks for a breakpoint, or for another spec of b. text is in the prompt already.
func (p *points) ask(b *breakpoint.Breakpoint, text string) *dialog.CheckedPrompt {
	list := p.screen.Session().Breakpoints()
	label := "Stop at:"
	if b != nil {
		label = "Breakpoint " + strconv.Itoa(b.ID) + ":"
	}
	d := &dialog.CheckedPrompt{
		Prompt: dialog.NewPrompt(p.screen, label, "", nil),
		Title:  "Breakpoints",
		Forms:  p.specForms,
	}
	d.Back, d.History = p.screen.Dialog(), p.screen.History(keys.Spec)
	d.Complete = dialog.Once(func(text string) []view.Completion { return p.screen.Complete(keys.Spec, text) })
	d.Check = dialog.Once(func(text string) dialog.Judgement {
		read, err := list.Check(text)
		if err != nil {
			return dialog.Refuse(err)
		}
		return dialog.Judgement{Meaning: p.screen.Glyphs().Breakpoint + " " + effectOf(read)}
	})
	d.Done = func(text string) {
		if b == nil {
			p.add(text)
			return
		}
		if read, err := list.Replace(b.ID, text); err != nil {
			p.screen.Say(canvas.Bad, err.Error())
		} else if read != nil {
			p.announce(read)
		}
	}
	if text != "" {
		d.Set(text)
	}
	p.screen.Open(d)
	return d
}

// specForms is the grammar of breakpoints as the prompt shows it, with examples in the query language of the state that a text begins
// with, or else of the selected state.
func (p *points) specForms(text string) []dialog.Form {
	language := asl.JSONPath
	state := view.StateOf(p.screen.Session().Machine().Definition(), text)
	if state == nil {
		state = p.screen.State()
	}
	if state != nil {
		language = state.QueryLanguage
	}
	var forms []dialog.Form
	places, clauses := breakpoint.Help(language)
	for _, f := range places {
		forms = append(forms, specForm(f, state))
	}
	forms = append(forms, dialog.Form{Meaning: "and behind it, if wanted:"})
	for _, f := range clauses {
		forms = append(forms, specForm(f, state))
	}
	return forms
}

// specForm is a form of the grammar: an example in place of a word that means an expression, and the stages of a state
// in the place of an example.
func specForm(f breakpoint.Form, state *asl.State) dialog.Form {
	form := dialog.Form{Text: f.Syntax, Meaning: f.Meaning}
	switch {
	case strings.Contains(f.Syntax, "EXPRESSION"), strings.HasSuffix(f.Syntax, " TEXT"):
		form.Text = f.Example
	case strings.HasSuffix(f.Syntax, ":STAGE") && state != nil:
		var names []string
		for _, info := range engine.StagesOf(state) {
			if info.Field != "" {
				names = append(names, info.Field)
			}
		}
		form.Meaning += ": " + strings.Join(names, ", ")
	}
	return form
}
