package tui

import (
	"strconv"
	"strings"

	"asldb/tui/keys"
	"asldb/tui/part/theme"
)

// findRoom searches the run for events that meet a condition.
func findRoom() room {
	return room{
		actions: []keys.Action{keys.FindEvent},
		act: func(u *ui, _ keys.Action, condition string) bool {
			if condition == "" {
				u.askForEvent()
			} else {
				u.findEvent(condition)
			}
			return true
		},
		disabled: func(u *ui, _ keys.Action) string {
			if u.session.Log().Len() == 0 {
				return "nothing has happened yet"
			}
			return ""
		},
	}
}

// conditionForms are what a condition over events can be.
func conditionForms() []form {
	return []form{
		{"", "The next event for which an expression is true:"},
		{`type == "TaskFailed"`, "the type of the event"},
		{`state == "Charge"`, "the state's name; path is the state path, stage the stage"},
		{`error =~ "^Card"`, "the error of an event that is about one; cause is its cause"},
		{"$.amount > 10", "the data after the event, or before it where it has none after"},
		{`type == "StateExited" && $.n == 3`, "both"},
	}
}

// askForEvent asks for the condition; the last one stands there already.
func (u *ui) askForEvent() {
	p := &checkedPrompt{prompt: newPrompt("Event:", "", (*ui).findEvent), title: "Find an event", forms: conditionForms(), back: u.dialog}
	p.history = u.histories.of(keys.Expression.String())
	p.check = func(u *ui, text string) (string, error) {
		if _, _, err := u.session.FindEvent(text, u.session.Log().Len(), false); err != nil {
			return "", err
		}
		return "enter looks for the next one", nil
	}
	p.suggest(u.condition)
	u.dialog = p
}

// findEvent looks at the next event that meets the condition; behind the last it begins again at the first.
func (u *ui) findEvent(condition string) {
	condition = strings.TrimSpace(condition)
	from := -1
	if u.moment.event != nil {
		from = u.moment.index
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
