package tui

import (
	"strconv"
	"strings"

	"asldb/tui/dialog"
	"asldb/tui/keys"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

func (u *ui) findBindings() pane.Bindings {
	noText := func() string {
		if u.needle == "" {
			return u.keys.Key(keys.Find) + " finds a text first"
		}
		return ""
	}
	return pane.Bindings{
		{Action: keys.Find, Run: u.find},
		{Action: keys.FindNext, Run: plainly(func() { u.findAgain(1) }), Disabled: noText},
		{Action: keys.FindPrevious, Run: plainly(func() { u.findAgain(-1) }), Disabled: noText},
		{Action: keys.FindEvent, Disabled: u.nothingHappened, Run: func(condition string) {
			if condition == "" {
				u.askForEvent()
				return
			}
			u.findEvent(condition)
		}},
	}
}

// find finds a text in the focused pane, and asks for it where none is given.
func (u *ui) find(text string) {
	switch {
	case text != "":
		u.needle = text
		u.findAgain(1)
	case u.needle != "":
		u.askFor(keys.Find, "Find ("+u.needle+"):", u.needle, "")
	default:
		u.askFor(keys.Find, "Find:", "", "")
	}
}

// conditionForms are what a condition over events can be.
func conditionForms() []dialog.Form {
	return []dialog.Form{
		{Meaning: "The next event for which an expression is true:"},
		{Text: `type == "TaskFailed"`, Meaning: "the type of the event"},
		{Text: `state == "Charge"`, Meaning: "the state's name; path is the state path, stage the stage"},
		{Text: `error =~ "^Card"`, Meaning: "the error of an event that is about one; cause is its cause"},
		{Text: "$.amount > 10", Meaning: "the data after the event, or before it where it has none after"},
		{Text: `type == "StateExited" && $.n == 3`, Meaning: "both"},
	}
}

// askForEvent asks for the condition; the last one stands there already.
func (u *ui) askForEvent() {
	p := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt("Event:", "", u.findEvent), Title: "Find an event", Forms: conditionForms()}
	p.Back, p.History = u.dialog, u.histories.Of(keys.Expression.String())
	p.Check = func(text string) (string, error) {
		if _, _, err := u.session.FindEvent(text, u.session.Log().Len(), false); err != nil {
			return "", err
		}
		return "enter looks for the next one", nil
	}
	p.Suggest(u.condition)
	u.dialog = p
}

// findEvent looks at the next event that meets the condition; behind the last it begins again at the first.
func (u *ui) findEvent(condition string) {
	condition = strings.TrimSpace(condition)
	from := -1
	if u.selection.Event != nil {
		from = u.selection.Index
	}
	found, ok, err := u.session.FindEvent(condition, from, false)
	around := false
	if err == nil && !ok && from >= 0 {
		found, ok, err = u.session.FindEvent(condition, -1, false)
		around = true
	}
	switch {
	case err != nil:
		u.say(theme.Bad, err.Error())
		return
	case !ok:
		u.say(theme.Warn, "No event meets "+condition+".")
	default:
		u.look(found)
		text := "Event " + strconv.Itoa(found+1) + " of " + strconv.Itoa(u.session.Log().Len()) + " meets " + condition + "."
		if around {
			text += " The search went on from the first event."
		}
		u.say(theme.Plain, text)
	}
	u.condition = condition
}
