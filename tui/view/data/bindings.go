package data

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/prose"
	"asldb/tui/part/tree"
	"asldb/tui/view"
	"asldb/tui/view/dialog"
)

// Bindings implements [view.Pane].
func (p *Pane) Bindings() view.Bindings {
	here := func() bool { return p.screen.Focused() == view.Data }
	return view.Bindings{
		{Action: keys.Fold, Applies: here, Run: func(string) { p.foldOrSay() }},
		{Action: keys.Look, Applies: here, Run: func(string) {
			if (p.explanation.atFailedEnd() || p.explanation.atUncaught() && p.screen.Disabled(keys.Cause) == "") && !(p.inNotes && p.notes.Target() != prose.Target{}) {
				p.screen.Do(keys.Cause, "")
				return
			}
			if p.inNotes && p.follow(p.notes.Target()) || p.viewString() {
				return
			}
			p.foldOrSay()
		}},
		{Action: keys.Left, Applies: here, Run: func(string) { otherStage(p.screen, -1) }},
		{Action: keys.Right, Applies: here, Run: func(string) { otherStage(p.screen, 1) }},
		{Action: keys.ScrollLeft, Applies: here, Run: func(string) { p.Move(0, -8) }},
		{Action: keys.ScrollRight, Applies: here, Run: func(string) { p.Move(0, 8) }},
		{Action: keys.DataView, Run: p.chooseView},
		{Action: keys.FoldAll, Run: func(string) { p.screen.Say(canvas.Plain, p.foldAll()) }},
		{Action: keys.Copy, Run: p.copyData, Disabled: func() string {
			if p.Selected() == nil {
				return "there is no data here"
			}
			return ""
		}},
	}
}

// chooseView shows the data as the view with a name, or as the next one.
func (p *Pane) chooseView(name string) {
	chosen, ok := viewNamed(name, p.view, p.Text().Fits())
	switch {
	case name == "" && (tabs{p}).exchange():
		chosen = tabs{p}.nextDocument()
	case chosen == Wanted && p.options.expected() != nil:
	case chosen == Wanted && name == "":
		chosen, _ = viewNamed("", Wanted, p.Text().Fits())
	case chosen == Wanted:
		p.screen.Say(canvas.Warn, "No expectation of a case is about this event.")
		return
	}
	if !ok {
		p.screen.Say(canvas.Bad, "A view is diff, side, before, after, wanted or definition; found "+name)
		return
	}
	if chosen == Definition {
		p.Text().Open(nil)
		return
	}
	if missing := p.setView(chosen); missing != "" {
		p.screen.Say(canvas.Plain, "There is no "+missing+" "+chosen.String()+" this: the cursor is at "+p.Path()+".")
	}
	if (tabs{p}).exchange() || chosen == Wanted {
		return
	}
	if p.screen.Selection().Visit == nil {
		p.screen.Say(canvas.Plain, "Of a stage the data will be shown as: "+chosen.String()+". Here there is one document.")
	} else if width := p.screen.Place(view.Data).W - 2; chosen == Side && width > 0 && width < tree.MinColumns {
		p.screen.Say(canvas.Warn, "Side by side needs "+strconv.Itoa(tree.MinColumns)+" cells, and this pane has "+
			strconv.Itoa(width)+": "+p.screen.Key(keys.Zoom)+" may help.")
	}
}

func (p *Pane) foldOrSay() {
	if p.view == Definition || !p.fold() {
		p.screen.Say(canvas.Warn, "There is nothing to fold here.")
	}
}

// viewString opens the string at the cursor in a dialog where the row is too short for it, with the text before where
// it was changed, and reports whether it did.
func (p *Pane) viewString() bool {
	if p.doc.Tree.Len() > 0 && !p.inNotes && p.view != Definition {
		p.clamp()
		row := p.doc.Tree.Row(p.doc.Cursor)
		if before, after, ok := row.Texts(); ok && (dialog.WorthViewing(before, p.width) || dialog.WorthViewing(after, p.width)) && !row.Foldable() {
			p.screen.Open(dialog.NewTextChange(p.screen, p.Path(), before, after, func() { p.copyData("value") }))
			return true
		}
	}
	text, ok := p.Selected().(value.String)
	if p.inNotes || !ok || !dialog.WorthViewing(string(text), p.width) {
		return false
	}
	p.screen.Open(dialog.NewText(p.screen, p.Path(), string(text), func() { p.copyData("value") }))
	return true
}

// lookAtStage selects the newest event of a stage.
func lookAtStage(screen Screen, stage engine.Stage) {
	if screen.Selection().Visit == nil {
		return
	}
	at := screen.Log().NewestOf(screen.Selection().Visit, stage)
	if at < 0 {
		screen.Say(canvas.Warn, notRun(screen.Selection(), stage))
		return
	}
	screen.Inspect(at)
}

// notRun returns the reason why a stage has no event to show.
func notRun(s *view.Selection, stage engine.Stage) string {
	for i := range s.Stages {
		if s.Stages[i].Info.Stage == stage {
			return explain.NotRun(&s.Stages[i].Info)
		}
	}
	return "This stage has not run."
}

// otherStage shows the nearest stage before (by is -1) or behind (1) that has run.
func otherStage(screen Screen, by int) {
	m := screen.Selection()
	if m.Visit == nil {
		screen.Say(canvas.Warn, "This event belongs to no state, so it has no stages.")
		return
	}
	from := m.Now
	if from < 0 && by < 0 {
		from = len(m.Stages)
	}
	for i := from + by; i >= 0 && i < len(m.Stages); i += by {
		if at := screen.Log().NewestOf(m.Visit, m.Stages[i].Info.Stage); at >= 0 && at != m.Index {
			screen.Inspect(at)
			return
		}
	}
	if by < 0 {
		screen.Say(canvas.Warn, "This is the first stage of the state.")
		return
	}
	screen.Say(canvas.Warn, "No later stage of the state has run.")
}
