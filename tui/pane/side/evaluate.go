package side

import (
	"asldb/engine/asl"
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

// forms returns the forms of an expression in the selected state, for the prompt: those of its query language come first.
func (p *watches) forms() []dialog.Form {
	heading, jsonata := "This event belongs to no state", false
	if visit := p.screen.Selection().Visit; visit != nil {
		jsonata = visit.State.QueryLanguage == asl.JSONata
		heading = visit.State.Name + " is in " + visit.State.QueryLanguage.String()
	}
	list := []dialog.Form{{Meaning: heading + ". Tab completes."}}
	if jsonata {
		list = append(list,
			dialog.Form{Text: "$states.input.total", Meaning: "JSONata, with or without {% %}"},
			dialog.Form{Text: "$sum($states.input.n)", Meaning: "its functions"})
	}
	list = append(list, dialog.Form{Text: "$.order.total", Meaning: "a path into the data of this stage"})
	if !jsonata {
		list = append(list,
			dialog.Form{Text: "States.Hash($.id, 'MD5')", Meaning: "an intrinsic function"},
			dialog.Form{Text: `{"id.$": "$.order.id"}`, Meaning: "a payload template"},
			dialog.Form{Text: "$$.State.Name", Meaning: "the context object"})
	}
	return append(list,
		dialog.Form{Text: "$count", Meaning: "a variable"},
		dialog.Form{Text: "$.total * 2 > 100", Meaning: "asldb's own: && || ! == != < <= > >= =~ in + - * / %"},
		dialog.Form{Text: "len($.lines)", Meaning: "len, lower, upper, contains, startsWith, endsWith, date"},
		dialog.Form{Text: "state, type, error", Meaning: "of the selected event; also path, stage, visit, cause"})
}

// ask asks for an expression to watch, or for another one in place of that of w.
func (p *watches) ask(w *breakpoint.Watch) {
	d := p.prompt("Watches", "Watch:", func(text string) {
		if w == nil {
			p.add(text)
			return
		}
		if err := p.screen.Session().Watches().Edit(w.ID, text); err != nil {
			p.screen.Say(theme.Bad, err.Error())
			return
		}
		p.changed(p.Cursor)
	})
	if w != nil {
		d.Set(w.Text)
	} else {
		d.Suggest(p.screen.Path())
	}
	p.screen.Open(d)
}

// askForExpression asks for an expression to evaluate.
func (p *watches) askForExpression() {
	d := p.prompt("What is it?", "Evaluate:", p.evaluate)
	d.Suggest(p.screen.Path())
	p.screen.Open(d)
}

// prompt returns a prompt for an expression, which shows its value while it is typed.
func (p *watches) prompt(title, label string, done func(string)) *dialog.CheckedPrompt {
	d := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(label, "", done), Title: title, Forms: p.forms()}
	d.Back, d.History = p.screen.Dialog(), p.screen.History(keys.Expression)
	d.Complete = func(text string) []pane.Completion { return p.screen.Complete(keys.Expression, text) }
	d.Check = func(text string) (string, error) {
		if err := breakpoint.CheckExpression(text); err != nil {
			return "", err
		}
		return p.result(text), nil
	}
	return d
}

// evaluate says the value of an expression.
func (p *watches) evaluate(text string) {
	if err := breakpoint.CheckExpression(text); err != nil {
		p.screen.Say(theme.Bad, err.Error())
		return
	}
	v, err := p.screen.Session().Watches().Evaluate(text, p.screen.Selection().Index)
	if err == nil && long(v) {
		p.screen.Open(dialog.NewText(text, value.Pretty(v), func() { p.screen.Copy(value.Pretty(v)) }))
		return
	}
	p.screen.Say(theme.Plain, text+" "+p.result(text))
}

// long reports whether a value is shown on lines of its own.
func long(v value.Value) bool {
	if v == nil || v.Kind() != value.KindObject && v.Kind() != value.KindArray {
		return false
	}
	return value.Size(v) > shownWatch
}

// evaluation is the value of an expression at an event, in words.
type evaluation struct {
	text          string
	event, length int
	log           *runlog.Log
	result        string
}

// result returns the value of an expression at the selected event, in words.
func (p *watches) result(text string) string {
	session, index := p.screen.Session(), p.screen.Selection().Index
	asked := evaluation{text: text, event: index, length: session.Log().Len(), log: session.Log(), result: p.evaluated.result}
	if asked.result != "" && asked == p.evaluated {
		return asked.result // it may have taken long: it is not evaluated for every frame
	}
	v, err := session.Watches().Evaluate(text, index)
	switch {
	case interrupt.Is(err):
		asked.result = explain.Interrupted(err)
	case err != nil:
		asked.result = "nothing: " + err.Error()
	default:
		asked.result = "= " + value.Preview(v, 4*shownWatch)
	}
	p.evaluated = asked
	return asked.result
}
