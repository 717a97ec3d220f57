package keys

// The screens outside of a session have tables of their own. Their keys are fixed.

// Outside returns the tables of the screens outside of a session.
func Outside() []*Map { return []*Map{Executions(), Versions(), Problems()} }

// Executions returns the keys of the list of executions. Letters are no keys there: they filter.
func Executions() *Map {
	const group = GroupExecutions
	return build([]Binding{
		row(Look, "open", "enter", NoArg, "open", "open the execution in the debugger; esc there comes back", group),
		row(Now, "back", "esc", NoArg, "back", "stop reading, else clear the filter, else leave", group),
		row(Up, "up", "up ctrl+p shift+tab", NoArg, "", "the execution above", group),
		row(Down, "down", "down ctrl+n tab", NoArg, "", "the execution below; at the end, read more", group),
		row(PageUp, "page-up", "pgup", NoArg, "", "page up", group),
		row(PageDown, "page-down", "pgdown", NoArg, "", "page down; at the end, read more", group),
		row(Top, "top", "home", NoArg, "", "go to the first", group),
		row(Bottom, "bottom", "end", NoArg, "", "go to the last that has been read", group),
		row(Judge, "again", "f4", NoArg, "read again", "read the list again, or after an error go on", group),
		row(Help, "help", "? f1", NoArg, "help", "show the keys", group),
		row(Suspend, "suspend", "ctrl+z", NoArg, "", "suspend to the shell", group),
		row(Kill, "kill", "ctrl+c", NoArg, "", "quit", group),
	})
}

// Versions returns the keys of the list of differences.
func Versions() *Map {
	const group = GroupVersions
	return build(append([]Binding{
		row(Look, "open", "enter", NoArg, "open", "run the recording with both versions, and open the runs side by side; esc there comes back", group),
		row(FocusNext, "focus-next", "tab", NoArg, "groups, recordings", "go to the recordings of the group, and back", group),
		row(Right, "right", "right l", NoArg, "", "go to the recordings of the group", group),
		row(Left, "left", "left h", NoArg, "", "go to the groups", group),
		row(FindNext, "find-next", "n", NoArg, "next", "the next group", group),
		row(FindPrevious, "find-previous", "N", NoArg, "", "the previous group", group),
	}, around(group)...))
}

// Problems returns the keys of the screen of a definition with errors.
func Problems() *Map {
	const group = GroupProblems
	return build(append([]Binding{
		row(FindNext, "find-next", "n", NoArg, "next", "the next problem", group),
		row(ScrollLeft, "scroll-left", "left h", NoArg, "", "scroll left", group),
		row(ScrollRight, "scroll-right", "right l", NoArg, "", "scroll right", group),
		row(FindPrevious, "find-previous", "N", NoArg, "previous", "the previous problem", group),
		row(EditData, "edit", "e", NoArg, "edit", "open the file in your editor at the problem; it is read again afterwards", group),
		row(Judge, "again", "f4", NoArg, "read again", "read the file again; without errors, the session begins", group),
	}, around(group)...))
}

// around are the keys of a screen with lines to go through.
func around(group Group) []Binding {
	return []Binding{
		row(Up, "up", "up k", NoArg, "", "up", group),
		row(Down, "down", "down j", NoArg, "", "down", group),
		row(PageUp, "page-up", "pgup", NoArg, "", "page up", group),
		row(PageDown, "page-down", "pgdown", NoArg, "", "page down", group),
		row(Top, "top", "home g", NoArg, "", "go to the top", group),
		row(Bottom, "bottom", "end G", NoArg, "", "go to the bottom", group),
		row(Now, "back", "esc", NoArg, "back", "back; at last, leave", group),
		row(Help, "help", "? f1", NoArg, "help", "show the keys", group),
		row(Quit, "quit", "q", NoArg, "quit", "quit", group),
		row(Suspend, "suspend", "ctrl+z", NoArg, "", "suspend to the shell", group),
		row(Kill, "kill", "ctrl+c", NoArg, "", "quit", group),
	}
}
