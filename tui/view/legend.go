package view

import "asldb/tui/part/canvas"

// Meaning is a sign of the screen with its meaning in a pane.
type Meaning struct{ Sign, Means string }

// Legend returns the signs of a pane. A sign has the same meaning in all of them.
func Legend(p ID, g *canvas.Glyphs) []Meaning {
	runs := []Meaning{
		{g.Pending, "not run"}, {g.Current, "here"}, {g.Active, "under way"}, {g.Visited, "done"}, {g.Caught, "caught"},
		{g.Failed, "failed"}, {g.Retried, "retried"}, {g.Waiting, "waits"}, {g.Warning, "look at this"},
		{g.Breakpoint + " " + g.BreakpointOff, "breakpoint on, off"},
	}
	switch p {
	case States:
		return append(runs, Meaning{g.Choice, "Choice"}, Meaning{g.Parallel, "Parallel"}, Meaning{g.Map, "Map"},
			Meaning{g.End, "Succeed or Fail"},
			Meaning{g.Origin, "made here"}, Meaning{g.HeavyBox.Vertical, "untouched"})
	case Data:
		return append(runs, Meaning{g.Added, "added"}, Meaning{g.Removed, "removed"}, Meaning{g.Changed, "changed"},
			Meaning{g.Pointer, "the cursor"}, Meaning{g.Unfolded, "open"})
	case Drawer:
		return append(runs, Meaning{g.Folded + " " + g.Unfolded, "closed, open"}, Meaning{g.Bookmark, "bookmark"},
			Meaning{g.Aborted, "stopped from outside"})
	case Count:
	}
	return runs
}
