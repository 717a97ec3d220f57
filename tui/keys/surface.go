package keys

import "slices"

// Entry is a row of the list of keys: actions that belong together, such as the next stage and the one before.
type Entry struct {
	Actions []Action
	Keys    []string
	Help    string
}

// AllShown returns the keys of the entry for people.
func (e *Entry) AllShown() string { return allShown(e.Keys) }

// together are the actions that share an entry, which is at the place of the first one.
var together = []struct {
	actions []Action
	help    string
}{
	{[]Action{StepStage, BackStage}, "step one stage, the smallest thing that a state does; the capital goes one back"},
	{[]Action{StepState, BackState}, "step to the entry of the next state, in any branch; the capital goes one back"},
	{[]Action{Continue, BackContinue}, "continue to a breakpoint, a question or the end; the capital goes back to a breakpoint or the beginning"},
	{[]Action{FocusGraph, FocusData, FocusEvents}, "the states, the story, the drawer; again: its next tab"},
	{[]Action{FocusNext, FocusPrevious}, "focus the next pane, the one before"},
	{[]Action{Find, FindNext, FindPrevious}, "find a text in the focused pane, filter a list; the next and the previous match"},
	{
		[]Action{Up, Down, Left, Right, ScrollLeft, ScrollRight, PageUp, PageDown, Top, Bottom},
		"move the selection, scroll, by pages, to the ends; left and right in the data: the stage before, the next one",
	},
}

// Surface returns the entries of the actions that have a key, in the order of the table. Everything else is a command.
func (m *Map) Surface() []Entry {
	var list []Entry
	for i := range m.bindings {
		b := &m.bindings[i]
		if len(b.Keys) == 0 {
			continue
		}
		e := Entry{[]Action{b.Action}, b.Keys, b.Help}
		for _, row := range together {
			switch at := slices.Index(row.actions, b.Action); {
			case at == 0:
				e = Entry{Help: row.help}
				for _, a := range row.actions {
					if more := m.Binding(a); len(more.Keys) > 0 {
						e.Actions, e.Keys = append(e.Actions, a), append(e.Keys, more.Keys...)
					}
				}
			case at > 0 && len(m.Binding(row.actions[0]).Keys) > 0:
				e.Keys = nil // it is in the entry of the first
			}
		}
		if e.Keys != nil {
			list = append(list, e)
		}
	}
	return list
}
