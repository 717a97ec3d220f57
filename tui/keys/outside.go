package keys

// The screens outside of a session have their own tables. Their keys are fixed.

// Outside returns the tables of the screens outside of a session.
func Outside() []*Map {
	return []*Map{Executions(), Versions(), Problems(), Choices(), Snapshots(), Repository()}
}

// Executions returns the keys of the list of executions. Letters aren't keys there: they filter.
func Executions() *Map {
	const group = GroupExecutions
	return build([]Binding{
		hinted("open",
			row(Look, "open", "enter", NoArg, "open the execution in the debugger; esc there comes back", group)),
		hinted("back", row(Now, "back", "esc", NoArg, "stop reading, else clear the filter, else leave", group)),
		row(Up, "up", "up ctrl+p shift+tab", NoArg, "the execution above", group),
		row(Down, "down", "down ctrl+n tab", NoArg, "the execution below; at the end, read more", group),
		row(PageUp, "page-up", "pgup", NoArg, "page up", group),
		row(PageDown, "page-down", "pgdown", NoArg, "page down; at the end, read more", group),
		row(Top, "top", "home", NoArg, "go to the first", group),
		row(Bottom, "bottom", "end", NoArg, "go to the last that has been read", group),
		hinted("read again",
			row(Judge, "again", "f4", NoArg, "read the list again, or continue after an error", group)),
		hinted("help", row(Help, "help", "? f1", NoArg, "show the keys", group)),
		row(Suspend, "suspend", "ctrl+z", NoArg, "suspend to the shell", group),
		row(Kill, "kill", "ctrl+c", NoArg, "quit", group),
	})
}

// Versions returns the keys of the list of differences.
func Versions() *Map {
	const group = GroupVersions
	return build(append([]Binding{
		hinted(
			"open",
			row(Look, "open", "enter", NoArg,
				"run the recording with both versions, and open the runs side by side; esc there comes back", group),
		),
		hinted("groups, recordings",
			row(FocusNext, "focus-next", "tab", NoArg, "go to the recordings of the group, and back", group)),
		row(Right, "right", "right l", NoArg, "go to the recordings of the group", group),
		row(Left, "left", "left h", NoArg, "go to the groups", group),
		hinted("next", row(FindNext, "find-next", "n", NoArg, "the next group", group)),
		row(FindPrevious, "find-previous", "N", NoArg, "the previous group", group),
	}, around(group)...))
}

// Problems returns the keys of the screen of a definition with errors.
func Problems() *Map {
	const group = GroupProblems
	return build(append([]Binding{
		hinted("next", row(FindNext, "find-next", "n", NoArg, "the next problem", group)),
		row(ScrollLeft, "scroll-left", "left h", NoArg, "scroll left", group),
		row(ScrollRight, "scroll-right", "right l", NoArg, "scroll right", group),
		hinted("previous", row(FindPrevious, "find-previous", "N", NoArg, "the previous problem", group)),
		hinted(
			"edit",
			row(EditData, "edit", "e", NoArg,
				"open the file in your editor at the problem; it is read again afterwards", group),
		),
		hinted("read again",
			row(Judge, "again", "r f4", NoArg, "read the file again; without errors, the session begins", group)),
	}, around(group)...))
}

// Choices returns the keys of a list for the choice of one line. Letters aren't keys there: they filter.
func Choices() *Map {
	return build(append([]Binding{
		hinted("opens", row(Look, "open", "enter", NoArg, "open the line", GroupChoices)),
	}, filtered(GroupChoices)...))
}

// Repository returns the keys of the list of a folder's machines, suites and recordings.
func Repository() *Map {
	const group = GroupRepository
	return build(append([]Binding{
		hinted("opens", row(Look, "open", "enter", NoArg,
			"open the machine or the recording in the debugger; run the suite", group)),
		hinted("tests", row(Judge, "test", "ctrl+t", NoArg, "run the suites about the machine", group)),
		hinted("explores", row(Explore, "explore", "ctrl+e", NoArg, "run the machine with faults of its tasks", group)),
	}, filtered(group)...))
}

// filtered are the keys of a list that letters filter.
func filtered(group Group) []Binding {
	return []Binding{
		hinted("leaves", row(Now, "back", "esc", NoArg, "leave without a choice", group)),
		row(Up, "up", "up ctrl+p shift+tab", NoArg, "the line above", group),
		row(Down, "down", "down ctrl+n tab", NoArg, "the line below", group),
		row(PageUp, "page-up", "pgup", NoArg, "page up", group),
		row(PageDown, "page-down", "pgdown", NoArg, "page down", group),
		row(Top, "top", "home", NoArg, "go to the first", group),
		row(Bottom, "bottom", "end", NoArg, "go to the last", group),
		hinted("help", row(Help, "help", "f1", NoArg, "show the keys", group)),
		row(Suspend, "suspend", "ctrl+z", NoArg, "suspend to the shell", group),
		row(Kill, "kill", "ctrl+c", NoArg, "quit", group),
	}
}

// Snapshots returns the keys of the review of snapshots and expectations.
func Snapshots() *Map {
	const group = GroupSnapshots
	return build(append([]Binding{
		hinted("accept", row(Answer, "accept", "a", NoArg, "accept the change: it is written at once", group)),
		hinted("reject", row(Forget, "reject", "r", NoArg, "reject the change: its case fails", group)),
		hinted("skip", row(FindNext, "skip", "s space", NoArg, "leave the change for later", group)),
		hinted("old, new",
			row(FocusNext, "focus-next", "tab", NoArg, "show the old lines, the new ones, the difference", group)),
	}, around(group)...))
}

// around are the keys of a screen with lines to go through.
func around(group Group) []Binding {
	return []Binding{
		row(Up, "up", "up k", NoArg, "up", group),
		row(Down, "down", "down j", NoArg, "down", group),
		row(PageUp, "page-up", "pgup", NoArg, "page up", group),
		row(PageDown, "page-down", "pgdown", NoArg, "page down", group),
		row(Top, "top", "home g", NoArg, "go to the top", group),
		row(Bottom, "bottom", "end G", NoArg, "go to the bottom", group),
		hinted("back", row(Now, "back", "esc", NoArg, "back; at last, leave", group)),
		hinted("help", row(Help, "help", "? f1", NoArg, "show the keys", group)),
		hinted("quit", row(Quit, "quit", "q", NoArg, "quit", group)),
		row(Suspend, "suspend", "ctrl+z", NoArg, "suspend to the shell", group),
		row(Kill, "kill", "ctrl+c", NoArg, "quit", group),
	}
}

// hinted gives a row its word in the bottom line.
func hinted(word string, b Binding) Binding {
	b.Short = word
	return b
}
