package side

import (
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/explain"
	"asldb/engine/interrupt"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// forms returns the forms of an expression in the selected state, for the prompt: its query language's come first.
func (p *watches) forms(string) []dialog.Form {
	heading, jsonata := "This event belongs to no state", false
	if visit := p.screen.Selection().Visit; visit != nil {
		jsonata = visit.State.QueryLanguage == asl.JSONata
		heading = visit.State.Name + " is in " + visit.State.QueryLanguage.String()
	}
	list := []dialog.Form{{Meaning: heading + ". Tab completes."}}
	if jsonata {
		list = append(list,
			dialog.Form{Text: "$states.input.total", Meaning: "JSONata, with or without {% %}"},
			dialog.Form{Text: "$sum($states.input.lines.price)", Meaning: "its functions"},
			dialog.Form{Text: "$parse($states.input.Cause)", Meaning: "a text as JSON"})
	}
	list = append(list, dialog.Form{Text: "$.order.total", Meaning: "a path into the data of this stage"})
	if !jsonata {
		list = append(list,
			dialog.Form{Text: "States.StringToJson($.Cause)", Meaning: "an intrinsic function: a text as JSON"},
			dialog.Form{Text: "$sum($states.input.lines.price)", Meaning: "JSONata, over the state's input"},
			dialog.Form{Text: `{"id.$": "$.order.id"}`, Meaning: "a payload template"},
			dialog.Form{Text: "$$.State.Name", Meaning: "the context object"})
	}
	return append(list,
		dialog.Form{Text: "$count", Meaning: "a variable"},
		dialog.Form{Text: "$.total * 2 > 100", Meaning: "asldb's own: && || ! == != < <= > >= =~ in + - * / %"},
		dialog.Form{Text: "len($.lines)", Meaning: "len, lower, upper, contains, startsWith, endsWith, date"},
		dialog.Form{Text: "state, type, error", Meaning: "of the selected event; also path, stage, visit, cause"})
}

// ask asks for an expression to watch, or for another one in place of w's.
func (p *watches) ask(w *breakpoint.Watch) *dialog.CheckedPrompt {
	d := p.prompt("Watches", "Watch:", func(text string) {
		if w == nil {
			p.add(text)
			return
		}
		if err := p.screen.Session().Watches().Edit(w.ID, text); err != nil {
			p.screen.Say(canvas.Bad, err.Error())
			return
		}
		p.changed(p.Cursor)
	})
	d.Check = func(text string) dialog.Judgement {
		if err := breakpoint.CheckExpression(text); err != nil {
			return dialog.Refuse(err)
		}
		return p.judge(text) // there may be a value at another event
	}
	if w != nil {
		d.Set(w.Text)
	} else {
		d.Suggest(p.screen.Path())
	}
	p.screen.Open(d)
	return d
}

// askForExpression asks for an expression to evaluate.
func (p *watches) askForExpression() *dialog.CheckedPrompt {
	d := p.prompt("Evaluate", "Evaluate:", p.evaluate)
	d.Check = func(text string) dialog.Judgement {
		j := p.judge(text)
		j.Refused = j.Err != nil
		return j
	}
	d.Suggest(p.screen.Path())
	p.screen.Open(d)
	return d
}

// prompt returns a prompt for an expression, which shows its value while it is typed.
func (p *watches) prompt(title, label string, done func(string)) *dialog.CheckedPrompt {
	d := &dialog.CheckedPrompt{Prompt: dialog.NewPrompt(p.screen, label, "", done), Title: title, Forms: p.forms}
	d.Back, d.History = p.screen.Dialog(), p.screen.History(keys.Expression)
	d.Complete = func(text string) []view.Completion { return p.screen.Complete(keys.Expression, text) }
	return d
}

// evaluate shows the value of an expression. An expression without a value is put back into the prompt.
func (p *watches) evaluate(text string) {
	v, err := p.screen.Session().Watches().Evaluate(text, p.screen.Selection().Index)
	if err != nil {
		d := p.askForExpression()
		d.Set(text)
		d.Tried = true
		return
	}
	p.show(text, v)
}

// shownLine is the size of a value, in bytes, that is shown in the line for messages; greater ones have a window.
const shownLine = 80

// show shows a value: short ones in the line for messages, texts of several lines as such, all others as a tree.
func (p *watches) show(text string, v value.Value) {
	const cells = 2 * shownLine
	switch v := v.(type) {
	case *value.Object, *value.Array:
		if value.Size(v) > shownLine {
			p.screen.Open(dialog.NewTree(p.screen, text, v, p.screen.Dialog()))
			return
		}
	case value.String:
		if dialog.WorthViewing(string(v), cells) {
			p.screen.Open(dialog.NewText(p.screen, text, string(v), func() { p.screen.Copy(string(v)) }))
			return
		}
	}
	p.screen.Say(canvas.Plain, text+" = "+value.Preview(v, cells))
}

// evaluation is the value of an expression at an event.
type evaluation struct {
	text          string
	event, length int
	log           *runlog.Log
}

// judge returns the value of an expression at the selected event, in words.
func (p *watches) judge(text string) dialog.Judgement {
	session, index := p.screen.Session(), p.screen.Selection().Index
	asked := evaluation{text: text, event: index, length: session.Log().Len(), log: session.Log()}
	if asked == p.evaluated {
		return p.judgement // it may have taken long: it is not evaluated for every frame
	}
	v, err := session.Watches().Evaluate(text, index)
	p.evaluated = asked
	switch {
	case interrupt.Is(err):
		p.judgement = dialog.Judgement{Meaning: explain.Interrupted(err)}
	case err != nil:
		p.judgement = dialog.Judgement{Err: err}
	default:
		p.judgement = dialog.Judgement{Meaning: "= " + value.Preview(v, 4*shownWatch)}
	}
	return p.judgement
}
