package screen

import (
	"slices"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/tui/keys"
	"asldb/tui/view"
)

// hints are the actions that the bottom line offers, the most useful first: those of the situation, those of the focused
// pane, then the others.
func (st *statusLine) hints() []keys.Action {
	list := append(st.situation(), paneHints(st.Focused())...)
	list = append(list, keys.StepStage, keys.StepState, keys.Continue, keys.StepOver, keys.BackStage, keys.BackState, keys.BackContinue,
		keys.ToggleBreak, keys.ListBreaks, keys.Answer, keys.ComesFrom, keys.Evaluate, keys.Source, keys.DataView,
		keys.FocusNext, keys.Zoom, keys.StepOut, keys.Restart, keys.Undo)
	seen := make(map[keys.Action]bool, len(list))
	return slices.DeleteFunc(list, func(a keys.Action) bool {
		twice := seen[a]
		seen[a] = true
		return twice
	})
}

// situation are the actions that go on from where the run stands.
func (st *statusLine) situation() []keys.Action {
	s := st.Session()
	var list []keys.Action
	if st.nest.looksInto() {
		list = append(list, keys.StepInto)
	}
	event := st.Selection().Event
	failed := event != nil && event.Failure() != nil
	if failed && missedBy(event.Failure()) != "" {
		list = append(list, keys.ComesFrom)
	}
	if st.expect.heading() != "" {
		list = append(list, keys.NextDifference, keys.Judge)
	}
	switch {
	case !st.Newest() && failed:
		return append(list, keys.Now, keys.Answer, keys.StepStage)
	case !st.Newest():
		return append(list, keys.Now, keys.StepStage, keys.StepState)
	case st.failedEnd():
		return append(list, keys.Cause, keys.Answer, keys.Restart, keys.BackStage, keys.BackState, keys.BackContinue)
	case s.Status().Done():
		return append(list, keys.Restart, keys.BackStage, keys.BackState, keys.BackContinue)
	case s.Position() == 0:
		return append(list, keys.StepStage, keys.StepState, keys.Continue, keys.ToggleBreak, keys.ListBreaks)
	}
	if st.endings.atUncaught() {
		return append(list, keys.Cause, keys.Answer, keys.Continue, keys.StepStage, keys.BackStage, keys.BackState, keys.BackContinue)
	}
	if s.Status() == engine.AwaitingAnswer && unanswered(s) {
		list = append(list, keys.Answer)
	}
	if s.Stop().Reason == debug.StoppedForTime {
		list = append(list, keys.NextTimer, keys.AdvanceBy)
	}
	list = append(list, keys.StepStage, keys.StepState, keys.Continue)
	if failed {
		list = append(list, keys.Answer)
	}
	return list
}

// paneHints are the actions that a pane is there for.
func paneHints(p view.ID) []keys.Action {
	switch p {
	case view.Data:
		return []keys.Action{keys.ComesFrom, keys.EditData, keys.Evaluate, keys.Source, keys.DataView}
	case view.States:
		return []keys.Action{keys.ToggleBreak, keys.NextInside, keys.Source, keys.Fold}
	case view.Events:
		return []keys.Action{keys.Filter, keys.NextTab, keys.Bookmark, keys.Fold}
	case view.Side:
		return []keys.Action{keys.AddWatch, keys.ListBreaks, keys.Delete, keys.NextTab}
	case view.Count:
	}
	return nil
}
