package view

import (
	"slices"
	"time"

	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/runlog"
	"asldb/engine/value"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// ID names a pane of the screen.
type ID uint8

// The panes, in the order in which the focus visits them: the story, the graph, and the drawer with events, time
// and lists.
const (
	Data ID = iota
	States
	Drawer
	// Count is the number of panes.
	Count
)

// Pane is a view that can have the focus beside others. Coordinates are cells within its border.
type Pane interface {
	View
	Finder
	// Refresh computes everything that is not computed for each frame. It is called when the run has stopped.
	Refresh()
}

// sideStep is by how many cells a key moves to the side.
const sideStep = 8

// MoveBy moves a pane for an action: by rows, by pages of a height, to the ends, and to the side. It reports whether
// the action does that.
func MoveBy(a keys.Action, page int, move func(rows, cells int)) bool {
	rows, ok := widget.PageMove(a, max(page-1, 1))
	switch a {
	case keys.Left, keys.ScrollLeft:
		move(0, -sideStep)
	case keys.Right, keys.ScrollRight:
		move(0, sideStep)
	default:
		if ok {
			move(rows, 0)
		}
		return ok
	}
	return true
}

// The parts of the screen: a view is given the ones that it uses when it is made.
type (
	// Shell is the screen around a view: messages, dialogs, actions.
	Shell interface {
		Opener
		Messages
		Table
		Actions
		Clipboard
		Editor
		// Key is the key of an action, as it is written in texts.
		Key(a keys.Action) string
		// Dialog is the dialog over the panes, or nil.
		Dialog() View
		Glyphs() *canvas.Glyphs
	}
	// RunState is the run on the screen.
	RunState interface {
		// Session is the session, and Log the log of the fork that is shown. Start is the virtual time at which the run
		// began.
		Session() *debug.Session
		Log() *runlog.Log
		Start() time.Time
		// Newest reports whether the run is at the selected event, Running whether a command is running, and Paced
		// whether it waits for real time to pass.
		Newest() bool
		Running() bool
		Paced() bool
	}
	// Selected are the event, the state and the value that are selected.
	Selected interface {
		// Selection is the event on the screen. Inspect selects the event at an index of the log.
		Selection() *Selection
		Inspect(index int)
		// Glance is Inspect of an event that steps do not begin at: they begin at the place of the run, which -1
		// selects.
		Glance(index int)
		// State is the state selected in the pane States; it may be nil.
		State() *asl.State
		// Unshown is the selected state where no visit of it is on the screen: the run has not been in it, or long ago.
		Unshown() *asl.State
		// Document is the document shown in the pane Data, and Path the path of the selected value in it.
		Document() value.Value
		Path() string
	}
	// Control moves the run.
	Control interface {
		// Begin runs a command. PassUntil moves the clock to a time, and StandAt the run to the event at an index.
		Begin(c debug.Command)
		PassUntil(until time.Time)
		StandAt(index int)
		// Switch changes to another fork of the run; Sync shows it. The error is [debug.ErrNoFork].
		Switch(fork int) error
		// Later carries work on in slices between the keys, until it reports that there is no more, in place of the
		// work before it.
		Later(work func() (more bool))
		// Behind runs work behind the screen, and calls the function that this returns between two frames.
		Behind(work func() (done func()))
		// Sync brings the screen up to date after the session has moved, and Refresh its panes alone. SetupChanged
		// saves the breakpoints and watches after a change, and refreshes the panes.
		Sync()
		Refresh()
		SetupChanged()
	}
	// Prompts ask for arguments.
	Prompts interface {
		// AskFor opens a prompt for the argument of an action and carries the action out with it. fallback is the
		// argument where nothing is typed, and about explains the argument; both may be empty.
		AskFor(a keys.Action, label, fallback, about string)
		// History is the history of the prompts for a kind of argument, and Complete its completions.
		History(arg keys.Arg) *History
		Complete(arg keys.Arg, text string) []Completion
	}
	// Panes are the panes of the screen.
	Panes interface {
		// Focus gives a pane the focus, which brings it onto the screen; Focused is the pane that has it. Place is the
		// pane's place on the screen with its border, empty where it is not on the screen.
		Focus(p ID)
		Focused() ID
		Place(p ID) canvas.Rect
	}
)

// Completion is a continuation of a text in a prompt.
type Completion struct {
	// Text is the whole line after the completion, Shown the part that is listed, About its meaning, and Reason why it
	// cannot be used now, or "".
	Text, Shown, About, Reason string
}

// maxLines bounds how many lines a history holds.
const maxLines = 100

// History has the lines that were typed into a prompt, the oldest first.
type History struct {
	lines []string
	at    int    // the line that is shown, counted from the newest; 0 is the one being typed
	typed string // the line being typed, while an older one is shown
}

// Add appends a line; one that is there already moves to the end.
func (h *History) Add(text string) {
	h.at = 0
	if i := slices.Index(h.lines, text); i >= 0 {
		h.lines = slices.Delete(h.lines, i, i+1)
	}
	h.lines = append(h.lines, text)
	if len(h.lines) > maxLines {
		h.lines = slices.Delete(h.lines, 0, 1)
	}
}

// Older returns the line before the one shown; present is the text in the prompt.
func (h *History) Older(present string) (text string, ok bool) {
	if h.at >= len(h.lines) {
		return "", false
	}
	if h.at == 0 {
		h.typed = present
	}
	h.at++
	return h.lines[len(h.lines)-h.at], true
}

// Newer returns the line after the one shown; after the newest comes the one being typed.
func (h *History) Newer() (text string, ok bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at--; h.at == 0 {
		return h.typed, true
	}
	return h.lines[len(h.lines)-h.at], true
}

// Histories are the histories of the prompts, by the kind of their argument.
type Histories map[string]*History

// Of returns the history of a kind of argument.
func (all Histories) Of(kind string) *History {
	h := all[kind]
	if h == nil {
		h = &History{}
		all[kind] = h
	}
	h.at = 0
	return h
}

// Lines returns the lines, the oldest first.
func (h *History) Lines() []string { return slices.Clone(h.lines) }

// Restore replaces the lines by the newest ones of an earlier session.
func (h *History) Restore(lines []string) {
	h.lines = slices.Clone(lines[max(0, len(lines)-maxLines):])
}

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
