package keys

import "strings"

// row makes a row; names and keys are separated by blanks, and the key that is a blank is called "space". A name behind
// ~ is an old name: it works for one more version and is shown nowhere. A key behind ~ is an earlier key: it works, and
// names its replacement.
func row(a Action, names, keys string, arg Arg, help string, group Group) Binding {
	b := Binding{Action: a, Arg: arg, Help: help, Group: group}
	for _, key := range strings.Fields(keys) {
		key, earlier := strings.CutPrefix(key, "~")
		if key == "space" {
			key = " "
		}
		if earlier {
			b.Earlier = append(b.Earlier, key)
		} else {
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
// keys are alternatives known from other debuggers.
func table() []Binding {
	rows := append(runRows(), editRows()...)
	rows = append(rows, dataRows()...)
	return append(rows, lookRows()...)
}

// runRows are about the run: going on, going back, stopping, changing it.
func runRows() []Binding {
	return []Binding{
		row(StepStage, "step-stage stage stepi", "i f7", NoArg,
			"step one stage, the smallest thing that a state does", GroupRun),
		row(StepState, "step-state step", "s f11", NoArg,
			"step to the entry of the next state, in any branch; in the table of iterations: sort by the next column",
			GroupRun),
		row(StepOver, "step-over over next", "~o ~f10", NoArg,
			"step over this state; a Parallel, a Map or a chain of retries is one step", GroupRun),
		row(StepOut, "step-out out finish", "~f12", NoArg,
			"finish this branch or iteration; at the top, run to the end", GroupRun),
		row(StepInto, "step-into into", "~>", NoArg,
			"step into the execution that this task starts, or open it after its end", GroupRun),
		row(Continue, "continue run resume", "c f5", NoArg, "continue to a breakpoint, a question or the end",
			GroupRun),
		row(RunTo, "run-to", "~R", MaybeState, "run to the selected state, or to the one named", GroupRun),
		row(Pause, "pause", "~p", NoArg, "pause the run; any key does it too", GroupRun),
		row(Restart, "restart rerun", "r", NoArg,
			"read the files again and run them with the answers so far, to where the run is; unchanged files begin at the start", GroupRun),
		row(Forget, "forget", "", NoArg, "restart without the answers so far: tasks ask again", GroupRun),
		row(ApplyFix, "fix", "f", NoArg,
			"show the change of the definition that mends the failure, tried on this run; then write it and run again", GroupRun),

		row(BackStage, "back-stage", "I", NoArg, "go back one stage", GroupBack),
		row(BackState, "back-state back", "S", NoArg, "go back to the entry of a state", GroupBack),
		row(BackOver, "back-over", "~O", NoArg,
			"go back over this state; a Parallel, a Map or a chain of retries is one step", GroupBack),
		row(BackOut, "back-out", "~F", NoArg, "go back to the start of this branch or iteration", GroupBack),
		row(BackContinue, "back-continue rewind reverse-continue", "C", NoArg,
			"run backwards to a breakpoint or the beginning", GroupBack),

		row(ToggleBreak, "toggle-breakpoint toggle", "b f9", NoArg,
			"set or remove a breakpoint on the selected state", GroupBreaks),
		row(AddBreak, "break until add-breakpoint", "~U", Spec,
			"set a breakpoint: STATE, STATE:STAGE, error NAME, ... if EXPRESSION", GroupBreaks),
		row(ListBreaks, "breakpoints breaks", "~B", NoArg,
			"list the breakpoints, uncaught errors first: add, edit, switch on and off, delete", GroupBreaks),
		row(BreakOnError, "break-on-error on-error exception exceptions", "~E", NoArg,
			"toggle stopping on every error, caught or not", GroupBreaks),
		row(Delete, "delete", "~delete ~backspace", NoArg, "delete the selected breakpoint or watch", GroupBreaks),
	}
}

// editRows watch and change the data of a run, and its clock.
func editRows() []Binding {
	return []Binding{
		row(AddWatch, "watch display", "w", Path, "watch a path or an expression", GroupWatches),
		row(ChangedLast, "changed-last last-change blame ~who", "~W", NoArg,
			"go back to the event that last changed the selected value", GroupWatches),
		row(ComesFrom, "lens comes-from origin provenance ~why", "H", MaybePath,
			"follow the selected value, or a path, through the graph: where it came from, or where it was lost",
			GroupWatches),
		row(Cause, "cause", "~!", NoArg, "go to the event where the failure of the run, or the selected error, began",
			GroupWatches),
		row(Evaluate, "eval print p console", "~=", Expression,
			"evaluate a path, an intrinsic function or an expression on the data of this stage", GroupWatches),

		row(EditData, "edit-data edit set", "e", NoArg, "edit the data of this stage", GroupEdits),
		row(Intervene, "intervene inject heartbeat time-out", "~X", NoArg,
			"answer a task differently, inject an error, send a heartbeat, or time a task out", GroupEdits),
		row(Answer, "answer respond", "x", NoArg,
			"answer the waiting task; if none waits, answer one differently, inject an error, send a heartbeat, or time it out", GroupEdits),
		row(Undo, "undo revert", "u", NoArg,
			"undo the last edit, answer, injection or redrive; its what-if stays in the list", GroupEdits),
		row(Redrive, "redrive", "", NoArg,
			"run the failed states of a run that is over again: as they were, with another input, or with your answers", GroupEdits),
		row(SaveFixtures, "save-fixtures save", "~ctrl+s", MaybeFile, "save your answers and edits as fixtures",
			GroupEdits),

		row(NextTimer, "next-timer timer", "a", NoArg, "advance the clock to the next timer", GroupClock),
		row(AdvanceBy, "advance", "~A", Duration, "advance the clock: 30s, 5m, 1h30m", GroupClock),
		row(ClockMode, "clock time speed", "~t", MaybeClock,
			"set the clock: skip, real, x60, manual; :clock +5m advances it", GroupClock),
	}
}

// dataRows act on one pane.
func dataRows() []Binding {
	return []Binding{
		row(GraphLarger, "graph-larger larger", "~+", MaybeDensity,
			"draw the states larger; in the events: unfold all; on the time axis: zoom in", GroupGraph),
		row(GraphSmaller, "graph-smaller smaller", "~-", NoArg,
			"draw the states smaller; in the events: fold all; on the time axis: zoom out", GroupGraph),
		row(Minimap, "minimap", "~M", NoArg, "show or hide the map of the whole graph", GroupGraph),

		row(DataView, "view", "~d", MaybeView,
			"show the data as a diff, side by side, before or after the stage, as the case of a suite wants it, or the definition's text", GroupData),
		row(Fold, "fold", "~space", NoArg, "fold or unfold unchanged data, a container or a visit", GroupData),
		row(FoldAll, "fold-all unfold-all", "~Z", NoArg, "unfold all data, fold all, or the default", GroupData),
		row(Copy, "copy yank", "y", MaybeCopy, "copy the selected value, its path, or the whole document", GroupData),

		row(PreviousInside, "previous-iteration previous-branch ~previous-inside ~previous-thread", "~( ~{", NoArg,
			"the previous iteration or branch: graph, data and . follow", GroupThreads),
		row(NextInside, "next-iteration next-branch ~next-inside ~next-thread ~thread", "~) ~}", NoArg,
			"the next iteration or branch: graph, data and . follow", GroupThreads),
		row(Iterations, "iterations iteration", "~*", MaybeNumber,
			"the iterations or branches as a table, and back; :iteration 7777 goes to one", GroupThreads),
		row(StepThread, "step-thread", "~.", NoArg, "step only the selected iteration or branch", GroupThreads),

		row(TimelineMode, "timeline time-axis gantt", "~T", NoArg, "the run as bars on the time axis", GroupTimeline),
		row(GoTo, "goto", "~#", Event, "go to an event: :48, or :#9 for an id of Step Functions' history",
			GroupTimeline),
		row(JumpBack, "jump-back", "~ctrl+o ~alt+left", NoArg, "go back to where you were before the last jump",
			GroupTimeline),
		row(JumpForward, "jump-forward", "~alt+right", NoArg, "undo ctrl+o", GroupTimeline),
		row(Bookmark, "bookmark mark", "~m", MaybeNote,
			"set or remove a bookmark at this event; :bookmark NOTE adds a note", GroupTimeline),
		row(Bookmarks, "bookmarks marks", "", NoArg, "list the bookmarks", GroupTimeline),
		row(Filter, "filter", "~&", MaybeFilter,
			"show only matching events: failed, state NAME, thread N, a text or an expression; esc clears it",
			GroupTimeline),
		row(FindEvent, "find-event", "", Expression,
			"go to the next event that matches a condition: type == \"TaskFailed\" && $.n > 3", GroupTimeline),
		row(WhatIfs, "what-ifs runs forks ~branches", "~L", NoArg,
			"the what-ifs of this run, a tab of the events: switch, compare", GroupTimeline),
		row(Compare, "compare diff-runs ~beside", "~D", NoArg,
			"compare this run with the recorded one, or with the run that it branched from; a tab of the events",
			GroupTimeline),
		row(NextDifference, "next-difference difference", "~f3", NoArg,
			"the next difference from the case of --test; n and N do it, too, while no text is searched for",
			GroupTimeline),
		row(PreviousDifference, "previous-difference", "", NoArg, "the previous difference from the case of --test",
			GroupTimeline),
		row(Judge, "judge", "~f4", NoArg, "read the suite of --test again, and compare this run with its case",
			GroupTimeline),
		row(Coverage, "coverage", "~f2", MaybeSave,
			"what this session, its what-ifs and the profiles of --coverage-in went through; :coverage save FILE saves it", GroupTimeline),
		row(Explore, "explore faults", "~f6", MaybeSave,
			"what becomes of every fault of the definition's tasks: each run opens at its fault; :explore save FILE saves the findings as a suite", GroupTimeline),
		row(Source, "source", "v", NoArg, "show the definition's text of the selected state", GroupTimeline),
	}
}

// lookRows are about the screen itself.
func lookRows() []Binding {
	return []Binding{
		row(Look, "look", "enter", NoArg, "go to the selection: bring the run there, or zoom the pane", GroupLook),
		row(Now, "now", "esc", NoArg, "go to the newest event; close the dialog", GroupLook),
		row(Zoom, "zoom", "z", NoArg, "zoom the focused pane, and back", GroupLook),
		row(FocusNext, "focus-next", "tab", NoArg, "focus the next pane", GroupLook),
		row(FocusPrevious, "focus-previous", "shift+tab", NoArg, "focus the previous pane", GroupLook),
		row(FocusData, "story stages data", "2", MaybeState, "focus the story; with a state: select it", GroupLook),
		row(FocusGraph, "graph states", "1", NoArg, "focus the states", GroupLook),
		row(FocusEvents, "events", "3", NoArg, "the drawer with events and time; again: the next tab", GroupLook),
		row(FocusSide, "side", "~4", NoArg, "the lists of the drawer; again: the next of them", GroupLook),
		row(NextTab, "next-tab", "~]", NoArg, "the next tab of the drawer", GroupLook),
		row(PreviousTab, "previous-tab", "~[", NoArg, "the previous tab", GroupLook),
		row(DividerLeft, "divider-left", "~<", NoArg, "move the divider beside the focused pane to the left",
			GroupLook),
		row(DividerRight, "divider-right", "", NoArg, "move the divider beside the focused pane to the right",
			GroupLook),
		row(DividerUp, "divider-up", "~K", NoArg, "move the title of the drawer up", GroupLook),
		row(DividerDown, "divider-down", "~J", NoArg, "move the title of the drawer down", GroupLook),

		row(Up, "up", "up k", NoArg, "up", GroupMove),
		row(Down, "down", "down j", NoArg, "down", GroupMove),
		row(Left, "left", "left", NoArg, "left; in the data: the stage before", GroupMove),
		row(Right, "right", "right", NoArg, "right; in the data: the next stage", GroupMove),
		row(ScrollLeft, "scroll-left", "h shift+left", NoArg, "scroll left", GroupMove),
		row(ScrollRight, "scroll-right", "l shift+right", NoArg, "scroll right", GroupMove),
		row(PageUp, "page-up", "pgup ~ctrl+u", NoArg, "page up", GroupMove),
		row(PageDown, "page-down", "pgdown ~ctrl+d", NoArg, "page down", GroupMove),
		row(Top, "top", "home g", NoArg, "go to the top", GroupMove),
		row(Bottom, "bottom", "end G", NoArg, "go to the bottom", GroupMove),
		row(Find, "find", "/", Text, "find text in the focused pane; in the table of iterations: filter it", GroupMove),
		row(FindNext, "find-next", "n", NoArg, "next match; in the table of iterations: the next failed one",
			GroupMove),
		row(FindPrevious, "find-previous", "N", NoArg,
			"previous match; in the table of iterations: the previous failed one", GroupMove),

		row(Prompt, "prompt", ":", NoArg, "type a command; Tab completes, up and down recall earlier ones", GroupOther),
		row(Palette, "palette", "~ctrl+p", NoArg, "find a command by a few letters", GroupOther),
		row(Help, "help keys", "? ~f1", NoArg, "show the keys", GroupOther),
		row(Messages, "messages log", "", NoArg, "show earlier messages", GroupOther),
		row(Redraw, "redraw", "ctrl+l", NoArg, "redraw the screen", GroupOther),
		row(Suspend, "suspend", "ctrl+z", NoArg, "suspend to the shell", GroupOther),
		row(Quit, "quit exit", "q", NoArg, "quit; asks when work would be lost", GroupOther),
		row(Kill, "kill", "ctrl+c", NoArg, "stop a running command; otherwise quit, the second time without asking",
			GroupOther),
	}
}
