package keys

// The screens outside of a session have tables of their own. Their keys are fixed.

// Outside returns the tables of the screens outside of a session.
func Outside() []*Map { return []*Map{Executions()} }

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
		row(Kill, "kill", "ctrl+c", NoArg, "", "quit", group),
	})
}
