package keys

import "strings"

// row makes a row; names and keys are separated by blanks, and the key that is a blank is called "space". A name behind ~ is
// an old one: it works for one more version and is shown nowhere. So does a key behind ~, which says where it went.
func row(a Action, names, keys string, arg Arg, short, help string, group Group) Binding {
	b := Binding{Action: a, Arg: arg, Short: short, Help: help, Group: group}
	for _, key := range strings.Fields(keys) {
		old, moved := strings.CutPrefix(key, "~")
		switch {
		case moved && old != "":
			b.oldKeys = append(b.oldKeys, old)
		case key == "space":
			b.Keys = append(b.Keys, " ")
		default:
			b.Keys = append(b.Keys, key)
		}
	}
	for _, name := range strings.Fields(names) {
		if old, ok := strings.CutPrefix(name, "~"); ok {
			b.old = append(b.old, old)
		} else {
			b.Names = append(b.Names, name)
		}
	}
	return b
}

// table holds the actions of the keys. Plain letters come first, since every terminal passes them on; function
// keys are second names for hands that know them from other debuggers.
func table() []Binding {
	rows := runRows()
	rows = append(rows, dataRows()...)
	return append(rows, lookRows()...)
}

// runRows are about the run: going on, going back, stopping, changing it.
func runRows() []Binding {
	return []Binding{
		row(StepStage, "step-stage stage", "i f7", NoArg, "stage", "step one stage: the smallest thing that happens", GroupRun),
		row(StepState, "step-state step", "s f11", NoArg, "state", "step to the entry of the next state, in any branch; in the table of iterations: sort by the next column", GroupRun),
		row(StepOver, "step-over over next", "o f10", NoArg, "over", "step over this state: a Parallel, a Map or a chain of retries is one step", GroupRun),
		row(StepOut, "step-out out finish", "f f12", NoArg, "out", "finish this branch or iteration; at the top, run to the end", GroupRun),
		row(StepInto, "step-into into", "u", NoArg, "into", "step into the execution that this task starts (asldb in the fixtures); once it is over, look into its run", GroupRun),
		row(Continue, "continue", "c f5", NoArg, "continue", "run on to a breakpoint, a question or the end", GroupRun),
		row(RunTo, "run-to", "R", MaybeState, "run to", "run to the selected state, or to the one named", GroupRun),
		row(Pause, "pause", "p", NoArg, "pause", "stop a run that goes on (any other key does it too)", GroupRun),
		row(Restart, "restart", "r", NoArg, "restart", "start again: breakpoints, input and seed stay", GroupRun),

		row(BackStage, "back-stage", "I", NoArg, "back a stage", "go back one stage", GroupBack),
		row(BackState, "back-state back", "S", NoArg, "back a state", "go back to the entry of a state", GroupBack),
		row(BackOver, "back-over", "O", NoArg, "back over", "go back over this state: a Parallel, a Map or a chain of retries is one step", GroupBack),
		row(BackOut, "back-out", "F", NoArg, "back out", "go back to where this branch or iteration began", GroupBack),
		row(BackContinue, "back-continue rewind", "C", NoArg, "back", "run backwards to a breakpoint or the beginning", GroupBack),

		row(ToggleBreak, "toggle-breakpoint toggle", "b f9", NoArg, "break", "set or remove a breakpoint on the selected (or the current) state", GroupBreaks),
		row(AddBreak, "break until", "U", Spec, "until", "type where to stop: STATE, STATE:STAGE, error, ... if EXPRESSION", GroupBreaks),
		row(ListBreaks, "breakpoints breaks", "B", NoArg, "breakpoints", "the list of breakpoints: switch on and off, delete, add", GroupBreaks),
		row(BreakOnError, "break-on-error on-error", "E", NoArg, "on error", "stop at any error, caught or not (again: no more)", GroupBreaks),
		row(Delete, "delete", "delete backspace", NoArg, "delete", "delete the selected breakpoint or watch", GroupBreaks),

		row(AddWatch, "watch", "w", Path, "watch", "watch a path or an expression: its value is shown, and marked when it changes", GroupWatches),
		row(ChangedLast, "changed-last ~who", "W", NoArg, "last change", "go back to the event that changed the selected value last", GroupWatches),
		row(ComesFrom, "lens comes-from origin ~why", "H", MaybePath, "lens", "follow the selected value, or a path, through the graph: where it came from, or where it was lost", GroupWatches),
		row(Cause, "cause", "!", NoArg, "cause", "of a run that has failed: go to the event in which the failure began", GroupWatches),
		row(Evaluate, "eval print", "=", Expression, "evaluate", "evaluate a path, an intrinsic function or an expression on the data of this stage", GroupWatches),

		row(EditData, "edit-data edit", "e", NoArg, "edit", "change the data of this stage", GroupEdits),
		row(Intervene, "intervene", "X", NoArg, "otherwise", "answer a task otherwise, inject an error, send a heartbeat, time it out", GroupEdits),
		row(Answer, "answer", "x", NoArg, "answer", "answer the task that waits: a result, or an error", GroupEdits),
		row(SaveFixtures, "save-fixtures save", "ctrl+s", MaybeFile, "save", "save the answers and edits that you gave as fixtures", GroupEdits),

		row(NextTimer, "next-timer timer", "a", NoArg, "next timer", "move the clock to the next timer", GroupClock),
		row(AdvanceBy, "advance", "A", Duration, "by a time", "move the clock by a time: 30s, 5m, 1h30m", GroupClock),
		row(ClockMode, "clock", "t", MaybeClock, "clock", "change how time goes: skip, real, x60, by hand; :clock +5m moves it", GroupClock),
	}
}

// dataRows act on one pane.
func dataRows() []Binding {
	return []Binding{
		row(GraphLarger, "graph-larger larger", "+", MaybeDensity, "larger", "draw the states larger: boxes rather than chips, chips rather than the rail; among the events: open all, on the time axis: zoom in", GroupGraph),
		row(GraphSmaller, "graph-smaller smaller", "-", NoArg, "smaller", "draw the states smaller, so that more of them are seen; among the events: fold all, on the time axis: zoom out", GroupGraph),
		row(Minimap, "minimap", "M", NoArg, "minimap", "show or hide the small map of the whole graph", GroupGraph),

		row(DataView, "view", "d", MaybeView, "view", "show the data as diff, side by side, before or after the stage, or the definition's text", GroupData),
		row(Fold, "fold", "space", NoArg, "fold", "fold or unfold unchanged data, a container or a visit", GroupData),
		row(FoldAll, "fold-all", "Z", NoArg, "fold all", "unfold everything in the data, fold everything, or as usual", GroupData),
		row(Copy, "copy yank", "y", MaybeCopy, "copy", "copy the selected value, its path, or the whole document", GroupData),

		row(PreviousInside, "previous-iteration previous-branch ~previous-inside ~previous-thread", "( ~{", NoArg, "", "the iteration or branch before: graph, data and . follow", GroupThreads),
		row(NextInside, "next-iteration next-branch ~next-inside ~next-thread ~thread", ") ~}", NoArg, "next", "the next iteration or branch: graph, data and . follow", GroupThreads),
		row(Iterations, "iterations iteration", "*", MaybeNumber, "iterations", "the iterations or branches as a table, and back; :iteration 7777 goes to one", GroupThreads),
		row(StepThread, "step-thread", ".", NoArg, "this thread", "step only the selected iteration or branch; the others stand still", GroupThreads),

		row(TimelineMode, "timeline", "T", NoArg, "time axis", "show the events as a list, or as bars on the clock's axis", GroupTimeline),
		row(GoTo, "goto", "#", Event, "go to", "go to an event by its number", GroupTimeline),
		row(Filter, "filter", "&", MaybeFilter, "filter", "show only some events: failed, state NAME, thread N, a text or an expression; esc clears it", GroupTimeline),
		row(FindEvent, "find-event", "", Expression, "find event", "look at the next event that meets a condition: type == \"TaskFailed\" && $.n > 3", GroupTimeline),
		row(WhatIfs, "what-ifs runs ~branches", "L", NoArg, "runs", "the what-ifs of this run: switch to one, compare two", GroupTimeline),
		row(Compare, "compare ~beside", "D", NoArg, "compare", "compare this run with the recorded one, or with the what-if that it left, event by event", GroupTimeline),
		row(Source, "source", "v", NoArg, "source", "the definition's text of the selected state", GroupTimeline),
	}
}

// lookRows are about the screen itself.
func lookRows() []Binding {
	return []Binding{
		row(Look, "look", "enter", NoArg, "look", "look at the selection; where there is none, zoom the pane, and back", GroupLook),
		row(Now, "now", "esc", NoArg, "now", "go to the newest event; close the dialog", GroupLook),
		row(Zoom, "zoom", "z", NoArg, "zoom", "give the whole screen to the focused pane, and back", GroupLook),
		row(FocusNext, "focus-next", "tab", NoArg, "focus", "go to the next pane", GroupLook),
		row(FocusPrevious, "focus-previous", "shift+tab", NoArg, "", "go to the pane before", GroupLook),
		row(FocusData, "data", "1", NoArg, "", "go to the data", GroupLook),
		row(FocusGraph, "graph states", "2", NoArg, "", "go to the states", GroupLook),
		row(FocusEvents, "events", "3", NoArg, "", "go to the events", GroupLook),
		row(FocusSide, "side", "4", NoArg, "", "go to the side pane; again: its next tab", GroupLook),
		row(NextTab, "next-tab", "]", NoArg, "tab", "the side pane's next tab", GroupLook),
		row(PreviousTab, "previous-tab", "[", NoArg, "", "the side pane's tab before", GroupLook),
		row(DividerLeft, "divider-left", "<", NoArg, "", "move the line beside the focused pane to the left", GroupLook),
		row(DividerRight, "divider-right", ">", NoArg, "", "move the line beside the focused pane to the right", GroupLook),
		row(DividerUp, "divider-up", "K", NoArg, "", "move the line above the lower panes up", GroupLook),
		row(DividerDown, "divider-down", "J", NoArg, "", "move the line above the lower panes down", GroupLook),

		row(Up, "up", "up k", NoArg, "", "up; among the events: look at the one before", GroupMove),
		row(Down, "down", "down j", NoArg, "", "down", GroupMove),
		row(Left, "left", "left", NoArg, "", "to the left; in the data: look at the stage before", GroupMove),
		row(Right, "right", "right", NoArg, "", "to the right; in the data: look at the next stage", GroupMove),
		row(ScrollLeft, "scroll-left", "h shift+left", NoArg, "", "scroll to the left", GroupMove),
		row(ScrollRight, "scroll-right", "l shift+right", NoArg, "", "scroll to the right", GroupMove),
		row(PageUp, "page-up", "pgup ctrl+u", NoArg, "", "a page up", GroupMove),
		row(PageDown, "page-down", "pgdown ctrl+d", NoArg, "", "a page down", GroupMove),
		row(Top, "top", "home g", NoArg, "", "to the beginning", GroupMove),
		row(Bottom, "bottom", "end G", NoArg, "", "to the end", GroupMove),
		row(Find, "find", "/", Text, "find", "find a text in the focused pane; in the table of iterations: filter it", GroupMove),
		row(FindNext, "find-next", "n", NoArg, "", "find it again, downwards; in the table of iterations: the next failed one", GroupMove),
		row(FindPrevious, "find-previous", "N", NoArg, "", "find it again, upwards; in the table of iterations: the failed one before", GroupMove),

		row(Prompt, "prompt", ":", NoArg, "command", "type a command; Tab completes, up and down bring back earlier ones", GroupOther),
		row(Palette, "palette", "ctrl+p", NoArg, "all commands", "find a command by a few of its letters", GroupOther),
		row(Help, "help", "? f1", NoArg, "help", "this page", GroupOther),
		row(Messages, "messages", "m", NoArg, "messages", "the messages so far", GroupOther),
		row(Redraw, "redraw", "ctrl+l", NoArg, "", "paint the screen anew", GroupOther),
		row(Suspend, "suspend", "ctrl+z", NoArg, "", "leave to the shell for a while", GroupOther),
		row(Quit, "quit", "q", NoArg, "quit", "quit; asks where something would be lost", GroupOther),
		row(Kill, "kill", "ctrl+c", NoArg, "", "stop a run that goes on; otherwise quit from anywhere, a second time without a question", GroupOther),
	}
}
