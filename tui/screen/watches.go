package screen

import (
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

func (u *ui) watchBindings() pane.Bindings {
	selected := func() bool { return u.onSection(sectionWatches) && u.points.watches.selected(u.session) != nil }
	return pane.Bindings{
		{Action: keys.Look, Applies: selected, Run: plainly(func() { u.askForWatch(u.points.watches.selected(u.session)) })},
		{Action: keys.Delete, Applies: u.inSection(sectionWatches), Run: plainly(u.deleteWatch), Disabled: func() string {
			if !selected() {
				return "there is no watch"
			}
			return ""
		}},
		{Action: keys.AddWatch, Run: func(text string) {
			if text == "" {
				u.askForWatch(nil)
				return
			}
			u.addWatch(text)
		}},
		{Action: keys.Evaluate, Run: func(text string) {
			if text == "" {
				u.askForValue()
				return
			}
			u.evaluate(text)
		}},
		{Action: keys.ChangedLast, Disabled: u.nothingRun, Run: func(text string) {
			// Of a state's document the changes are known as of what is watched.
			if text == "" && u.mode.focus != pane.Side && u.inWork() {
				u.follow(keys.ChangedLast)
				return
			}
			u.goToLastChange(text)
		}},
	}
}

func (u *ui) deleteWatch() {
	w := u.points.watches.selected(u.session)
	u.session.Watches().Remove(w.ID)
	u.say(theme.Plain, "Not watched any more: "+w.Text)
	u.keep()
	u.refresh()
}

func (u *ui) addWatch(text string) {
	if _, err := u.session.Watches().Add(text); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.watchesChanged(len(u.session.Watches().All()) - 1)
}

// watchesChanged shows the watches with one of them selected.
func (u *ui) watchesChanged(selected int) {
	u.points.watches.list.cursor = selected
	u.side.choose(sectionWatches)
	if u.places.panes[pane.Side].Empty() {
		u.focus(pane.Side) // where it is not on the screen the value would not be seen
	}
	u.keep()
	u.refresh()
}

// watchForms is what can be watched, for the prompt.
func watchForms() []dialog.Form {
	return []dialog.Form{
		{Text: "$.order.total", Meaning: "a path into the data of the stage: Reference Path or Path"},
		{Text: "$$.State.Name", Meaning: "a path into the Context Object"},
		{Text: "$count", Meaning: "a variable of the workflow"},
		{Text: "$.total * 2 > 100", Meaning: "an expression: && || ! == != < <= > >= =~ in + - * / %"},
		{Text: "len($.lines)", Meaning: "len, lower, upper, contains, startsWith, endsWith, date"},
		{Text: "state, path, type, error", Meaning: "names of the event that is looked at"},
	}
}

// askForWatch asks for an expression to watch, or for another one in place of that of w.
func (u *ui) askForWatch(w *breakpoint.Watch) {
	p := u.expressionPrompt("Watch:", func(text string) {
		if w == nil {
			u.addWatch(text)
			return
		}
		if err := u.session.Watches().Edit(w.ID, text); err != nil {
			u.say(theme.Bad, err.Error())
			return
		}
		u.watchesChanged(u.points.watches.list.cursor)
	})
	p.Title = "Watches"
	if w != nil {
		p.Set(w.Text)
	} else {
		p.Suggest(u.pathAtCursor())
	}
	u.dialog = p
}

func (u *ui) askForValue() {
	p := u.expressionPrompt("Evaluate:", u.evaluate)
	p.Title = "What is it?"
	p.Suggest(u.pathAtCursor())
	u.dialog = p
}

// expressionPrompt asks for an expression and shows its value while it is typed.
func (u *ui) expressionPrompt(label string, done func(string)) *dialog.CheckedPrompt {
	p := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(label, "", done), Forms: watchForms()}
	p.Back, p.History = u.dialog, u.histories.Of(keys.Expression.String())
	p.Complete = func(text string) []pane.Completion { return completePath(u.data.Document(), text) }
	p.Check = func(text string) (string, error) {
		if err := breakpoint.CheckExpression(text); err != nil {
			return "", err
		}
		return u.valueWords(text), nil
	}
	return p
}

// valueWords is what an expression gives at the event that is looked at.
func (u *ui) valueWords(text string) string {
	asked := evaluation{text: text, event: u.selection.Index, length: u.session.Log().Len(), log: u.session.Log()}
	if known := u.evaluated; known.words != "" && known.of(&asked) {
		return known.words // it may have taken long: it is not evaluated for every frame
	}
	v, err := u.session.Watches().Evaluate(text, u.selection.Index)
	switch {
	case interrupt.Is(err):
		asked.words = explain.Interrupted(err)
	case err != nil:
		asked.words = "nothing: " + err.Error()
	default:
		asked.words = "= " + value.Preview(v, 4*shownWatch)
	}
	u.evaluated = asked
	return asked.words
}

// evaluation is what an expression gave at an event, in words.
type evaluation struct {
	text          string
	event, length int
	log           *runlog.Log
	words         string
}

// of reports whether it is the answer to what is asked.
func (e *evaluation) of(asked *evaluation) bool {
	return e.text == asked.text && e.event == asked.event && e.length == asked.length && e.log == asked.log
}

func (u *ui) evaluate(text string) {
	if err := breakpoint.CheckExpression(text); err != nil {
		u.say(theme.Bad, err.Error())
		return
	}
	u.say(theme.Plain, text+" "+u.valueWords(text))
}

// goToLastChange looks at the event that changed a value last: that of the expression given, of the selected watch, or
// at the data's cursor.
func (u *ui) goToLastChange(text string) {
	w := u.points.watches.selected(u.session)
	switch {
	case text != "":
	case u.onSection(sectionWatches) && w != nil:
		text = w.Text
	default:
		text = u.pathAtCursor()
	}
	change, ok, err := u.session.Watches().LastChange(text, u.selection.Index, true)
	here := ok && change.Event == u.selection.Index
	if here {
		change, ok, err = u.session.Watches().LastChange(text, u.selection.Index, false)
	}
	switch {
	case err != nil:
		u.say(theme.Bad, err.Error())
	case !ok && here:
		u.say(theme.Warn, text+" was changed by this event, and not before.")
	case !ok:
		u.say(theme.Warn, text+" has not changed before this.")
	default:
		u.look(change.Event)
		u.say(theme.Plain, text+" changed here: "+changeWords(change)+"; "+u.keys.Key(keys.ChangedLast)+" again goes to the change before, "+
			u.keys.Key(keys.Now)+" back to now.")
	}
}

func changeWords(c breakpoint.Change) string {
	const short = 60
	switch {
	case c.Before == nil:
		return "it came, " + value.Preview(c.After, short)
	case c.After == nil:
		return "it went, and was " + value.Preview(c.Before, short)
	}
	return value.Preview(c.Before, short) + " became " + value.Preview(c.After, short)
}

// pathAtCursor is the path of what is selected in the data.
func (u *ui) pathAtCursor() string { return u.data.Path() }
