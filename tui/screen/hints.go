package screen

import (
	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/view"
)

// hint is an action that the bottom line offers, with its name in the situation.
type hint struct {
	action keys.Action
	word   string
}

// next are the actions of the hints: the help page has them first.
func (st *statusLine) next() []keys.Action {
	return value.Each(st.hints(), func(h hint) keys.Action { return h.action })
}

// hints are the actions that the bottom line offers, the best next key first. Each can be done now.
func (st *statusLine) hints() []hint {
	all := st.situation()
	if st.reload.notice() != "" {
		all = append([]hint{{keys.Restart, "read and run again"}}, all...)
	}
	var list []hint
	seen := make(map[keys.Action]bool)
	all = append(all, hint{keys.BackStage, "back a stage"}, hint{keys.FocusNext, "next pane"}, hint{keys.Prompt, "command"})
	for _, h := range all {
		h.word = st.u.states.Polls.Word(h.word)
		if !seen[h.action] && st.Keys().Has(h.action) && st.Disabled(h.action) == "" {
			list = append(list, h)
		}
		seen[h.action] = true
	}
	return list
}

// The hints of a run that is paused at a state, and of a list.
var (
	stepping = []hint{{keys.StepStage, "stage"}, {keys.StepState, "state"}, {keys.Continue, "continue"}}
	looking  = []hint{{keys.ComesFrom, "where from"}, {keys.Answer, "change result"}, {keys.ToggleBreak, "break"}}
)

// situation are the actions that continue from the place of the run.
func (st *statusLine) situation() []hint {
	s := st.Session()
	list := st.special()
	switch {
	case st.Focused() == view.Drawer && s.Position() > 0:
		list = append(list, hint{keys.Look, "go there"}, hint{keys.Find, "find"}, hint{keys.Now, "back"})
	case !st.Newest():
		return append(list, hint{keys.Look, "go there"}, hint{keys.Now, "back"}, looking[2],
			looking[1], looking[0], hint{keys.Source, "text"})
	}
	switch {
	case st.failedEnd(), st.endings.atUncaught():
		list = append(list, hint{keys.ApplyFix, "fix"}, hint{keys.ComesFrom, "the way"},
			hint{keys.Answer, "change a result"})
		if st.Focused() == view.Data && st.Disabled(keys.Cause) == "" {
			list = append(list, hint{keys.Look, "cause"})
		}
		return append(list, hint{keys.Restart, "run again"}, hint{keys.EditData, "edit"},
			hint{keys.BackStage, "back a stage"})
	case s.Status().Done():
		return append(list, hint{keys.Answer, "change a result"}, hint{keys.Restart, "run again"}, looking[0],
			hint{keys.BackStage, "back a stage"}, hint{keys.Find, "find"}, hint{keys.Source, "text"})
	case s.Position() == 0:
		return append(list, hint{keys.Continue, "run"}, hint{keys.StepState, "step"}, hint{keys.EditData, "input"},
			hint{keys.ToggleBreak, "break"}, hint{keys.Find, "find"}, hint{keys.Prompt, "command"})
	case s.Stop().Reason == debug.StoppedForTime:
		return append(list, hint{keys.NextTimer, "next timer"}, hint{keys.Continue, "continue"}, hint{keys.Answer, "result now"},
			stepping[0], stepping[1], looking[2])
	case s.Status() == engine.AwaitingAnswer && unanswered(s):
		list = append(list, hint{keys.Answer, "answer"})
	}
	return append(append(list, stepping...), looking...)
}

// special are the actions that only few situations have.
func (st *statusLine) special() []hint {
	var list []hint
	if st.nest.looksInto() {
		list = append(list, hint{keys.StepInto, "look inside"})
	}
	if st.expect.heading() != "" {
		list = append(list, hint{keys.NextDifference, "next difference"}, hint{keys.Judge, "judge again"})
	}
	return list
}
