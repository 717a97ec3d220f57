package screen

import (
	"strconv"

	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

func (u *ui) breakpointBindings() pane.Bindings {
	here := u.inSection(sectionBreakpoints)
	return pane.Bindings{
		{Action: keys.Fold, Applies: here, Run: plainly(u.switchBreak)},
		{Action: keys.Look, Applies: here, Run: plainly(u.editBreak)},
		{Action: keys.Delete, Applies: here, Run: plainly(u.deleteBreak), Disabled: func() string {
			if u.points.breakpoints.selected(u.session) == nil {
				return "there is no breakpoint"
			}
			return ""
		}},
		{
			Action: keys.Delete, Applies: func() bool { return !here() && !u.onSection(sectionWatches) }, Run: plainly(func() {}),
			Disabled: func() string {
				return u.keys.Key(keys.ListBreaks) + " opens the list of breakpoints, where it works, as it does among the watches"
			},
		},
		{Action: keys.ToggleBreak, Run: plainly(func() { u.toggleBreak(u.target()) })},
		{Action: keys.BreakOnError, Run: plainly(u.toggleErrorBreak)},
		{Action: keys.ListBreaks, Run: plainly(func() { u.dialog = &breakpointDialog{u} })},
		{Action: keys.AddBreak, Run: func(spec string) {
			if spec == "" {
				u.askForBreak(nil)
				return
			}
			u.addBreak(spec)
		}},
	}
}

// onSection reports whether a section of the side pane has the focus.
func (u *ui) onSection(section int) bool { return u.mode.focus == pane.Side && u.side.tab == section }

// withSelectedBreak does something to the selected breakpoint, or says that there is none.
func (u *ui) withSelectedBreak(do func(b *breakpoint.Breakpoint)) {
	if b := u.points.breakpoints.selected(u.session); b != nil {
		do(b)
	} else {
		u.say(theme.Warn, "There is no breakpoint; "+u.keys.Key(keys.AddBreak)+" adds one.")
	}
	u.keep()
	u.refresh()
}

// switchBreak switches the selected breakpoint on or off.
func (u *ui) switchBreak() {
	u.withSelectedBreak(func(b *breakpoint.Breakpoint) { b.Enabled = !b.Enabled })
}

func (u *ui) editBreak() { u.withSelectedBreak(u.askForBreak) }

func (u *ui) deleteBreak() {
	u.withSelectedBreak(func(b *breakpoint.Breakpoint) {
		u.session.Breakpoints().Remove(b.ID)
		u.say(theme.Plain, "Breakpoint removed: "+explain.Breakpoint(b))
	})
}

// target returns the state that actions are about: the one selected in the pane States.
func (u *ui) target() *asl.State { return u.states.Selected() }

func (u *ui) toggleBreak(state *asl.State) {
	if state == nil {
		return
	}
	if b := u.session.Breakpoints().At(state); b != nil {
		u.session.Breakpoints().Remove(b.ID)
		u.say(theme.Plain, "Breakpoint removed: "+explain.Breakpoint(b))
	} else {
		u.tellBreak(u.session.Breakpoints().AddAt(state))
	}
	u.keep()
	u.refresh()
}

func (u *ui) toggleErrorBreak() {
	for _, b := range u.session.Breakpoints().All() {
		if b.AnyError() {
			u.session.Breakpoints().Remove(b.ID)
			u.say(theme.Plain, "Errors do not stop the run any more.")
			u.keep()
			u.refresh()
			return
		}
	}
	spec := "error"
	if u.session.Machine().Definition().Lookup(spec) != nil {
		spec = "*:error" // a state has the word for its name
	}
	u.addBreak(spec)
}

func (u *ui) addBreak(spec string) {
	b, err := u.session.Breakpoints().Add(spec)
	if err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.tellBreak(b)
}

func (u *ui) tellBreak(b *breakpoint.Breakpoint) {
	u.say(theme.Plain, u.glyphs.Breakpoint+" "+breakpointMeaning(b))
	u.keep()
	u.refresh()
}

// breakpointMeaning says what a breakpoint does.
func breakpointMeaning(b *breakpoint.Breakpoint) string {
	if b.Message != "" {
		return "The run will keep a message at: " + explain.Breakpoint(b)
	}
	return "The run will stop at: " + explain.Breakpoint(b)
}

// askForBreak asks for a breakpoint, or for another spec of the one given.
func (u *ui) askForBreak(b *breakpoint.Breakpoint) {
	back := u.dialog // the list, where that asked
	label := "Stop at:"
	if b != nil {
		label = "Breakpoint " + strconv.Itoa(b.ID) + ":"
	}
	p := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(label, "", nil), Title: "Breakpoints", Forms: specForms()}
	p.Back, p.History, p.Complete = back, u.histories.Of(keys.Spec.String()), u.completeSpec
	p.Check = func(text string) (string, error) {
		read, err := u.session.Breakpoints().Check(text)
		if err != nil {
			return "", err
		}
		return u.glyphs.Breakpoint + " " + breakpointMeaning(read), nil
	}
	p.Done = func(text string) {
		if b == nil {
			u.addBreak(text)
			return
		}
		if read, err := u.session.Breakpoints().Replace(b.ID, text); err != nil {
			u.say(theme.Bad, err.Error())
		} else if read != nil {
			u.tellBreak(read)
		}
	}
	if b != nil {
		p.Set(b.String())
	}
	u.dialog = p
}

// specForms is the grammar of breakpoints as the prompt shows it.
func specForms() []dialog.Form {
	var forms []dialog.Form
	places, clauses := breakpoint.Help()
	for _, f := range places {
		forms = append(forms, dialog.Form{Text: f.Syntax, Meaning: f.Meaning})
	}
	forms = append(forms, dialog.Form{Meaning: "and behind it, if wanted:"})
	for _, f := range clauses {
		forms = append(forms, dialog.Form{Text: f.Syntax, Meaning: f.Meaning})
	}
	return forms
}
