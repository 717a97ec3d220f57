package events

import (
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view/dialog"
)

// conditionForms are the forms of a condition over events.
func conditionForms(string) []dialog.Form {
	return []dialog.Form{
		{Meaning: "The next event for which an expression is true:"},
		{Text: `type == "TaskFailed"`, Meaning: "the type of the event"},
		{Text: `state == "Charge"`, Meaning: "the state's name; path is the state path, stage the stage"},
		{Text: `error =~ "^Card"`, Meaning: "the error of an event that is about one; cause is its cause"},
		{Text: "$.amount > 10", Meaning: "the data after the event, or before it where it has none after"},
		{Text: `type == "StateExited" && $.n == 3`, Meaning: "both"},
		{Text: "(entered at the event id #9)", Meaning: "a cause, or a part of it: the event that it quotes"},
	}
}

// askForCondition asks for a condition; the last one is in the prompt already.
func (p *Pane) askForCondition() {
	session := p.screen.Session()
	d := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(p.screen, "Event:", "", p.findEvent), Title: "Find an event", Forms: conditionForms}
	d.Back, d.History = p.screen.Dialog(), p.screen.History(keys.Expression)
	d.Check = func(text string) dialog.Judgement {
		if _, _, ok := engine.CauseID(text); ok {
			return dialog.Judgement{Meaning: "enter goes to the event"}
		}
		if _, _, err := session.Watches().Find(text, session.Log().Len(), false); err != nil {
			return dialog.Refuse(err)
		}
		return dialog.Judgement{Meaning: "enter looks for the next one"}
	}
	d.Suggest(p.condition)
	p.screen.Open(d)
}

// findEvent shows the next event that meets a condition; after the last one it begins again at the first.
func (p *Pane) findEvent(condition string) {
	condition = strings.TrimSpace(condition)
	if _, _, ok := engine.CauseID(condition); ok {
		p.goToNamed(condition)
		return
	}
	session, from := p.screen.Session(), p.screen.Selection().Index
	found, ok, err := session.Watches().Find(condition, from, false)
	around := false
	if err == nil && !ok && from >= 0 {
		found, ok, err = session.Watches().Find(condition, -1, false)
		around = true
	}
	switch {
	case err != nil:
		p.screen.Say(canvas.Bad, err.Error())
		return
	case !ok:
		p.screen.Say(canvas.Warn, "No event meets "+condition+".")
	default:
		p.screen.Inspect(found)
		text := "Event " + strconv.Itoa(found+1) + " of " + strconv.Itoa(session.Log().Len()) + " meets " + condition + "."
		if around {
			text += " The search went on from the first event."
		}
		p.screen.Say(canvas.Plain, text)
	}
	p.condition = condition
}
