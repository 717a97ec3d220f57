package screen

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/fixtures/live"
	"asldb/tui/keys"
	"asldb/tui/view/events"
	"asldb/tui/view/findings"
)

// Recorded is a recorded run that the session's is compared with.
type Recorded = events.Recorded

// Results are those that the fixtures of a run have for its tasks.
type Results struct {
	// Known reports whether there are some for a task; nil: that is not known.
	Known func(*asl.State) bool
	// Next returns one for a task, nil where there is none; it may be nil.
	Next func(*asl.State) *engine.Outcome
	// Grown returns a result generated from the paths that later states read, nil where nothing is known; it may
	// be nil.
	Grown func(*asl.State) value.Value
	// Unused lists the entries that the run did not use, a line each; nil: there are none.
	Unused func() []string
}

// Options are the screen's contents besides the session.
type Options struct {
	// Title is at the beginning of the status line: the definition's name.
	Title string
	// About are sentences that are shown before the run begins, such as its origin.
	About []string
	// ASCII draws with nothing but ASCII. Words is for --plain: see [Screen.PlainLines].
	ASCII, Words bool
	// Back names a list that the session was opened from: esc goes back to it, see [Back]. Empty: there is none.
	Back string
	// Table has the keys of every action; nil is the usual one.
	Table *keys.Map
	// Arrangement is the first arrangement of the screen.
	Arrangement Arrangement
	// Notice returns a message that is not about the run, or ""; it is called whenever the run has stopped. It may be
	// nil.
	Notice func() string
	// Unnoticed leaves out the facts that the run noticed, as the project file may want.
	Unnoticed bool
	// Notes are shown in the bottom line when the screen opens.
	Notes []string
	// Calls are the calls of the session's source; nil: there are none.
	Calls   *live.Calls
	Results Results
	// Grown returns an input generated from the paths that the states read, where none was given; nil: one was.
	// It may be nil.
	Grown func() value.Value
	// Nested restores the saved setup of an execution that a task starts, and returns a store that saves it again; nil
	// saves nothing.
	Nested func(file string, session *debug.Session) SetupStore
	// Recorded is a recorded run that this one is compared with, event by event; nil: there is none.
	Recorded *Recorded
	// Case is the case of a suite that the session runs; nil: it runs none.
	Case *Case
	// Profile is the coverage of the definition by earlier runs.
	Profile Profile
	// Explore runs the definition with every fault, beside everything else; nil: it cannot.
	Explore findings.Find
	// OpenExplored opens the screen with the faults.
	OpenExplored bool
	// Check returns the warnings about the definition: the source view shows them at their places. It is called behind
	// the first frame, beside everything else. Nil: there are none.
	Check func() []source.Diagnostic
	// Reload reads the files of the session again; nil: it cannot.
	Reload *Reload
	// Opening is a recording that is opened behind the first frame; nil: the session has its events.
	Opening *Opening
	// Save writes a new file, which must not exist yet. Nil means that nothing can be saved.
	Save func(name string, data []byte) error
	// Setups saves breakpoints and watches whenever they change; nil saves nothing.
	Setups SetupStore
	// History has the lines that were typed into the prompts in earlier sessions: see [SavedSetup].
	History map[string][]string
	// Bookmarks are an earlier session's: see [SavedSetup].
	Bookmarks []breakpoint.Bookmark

	points *nestedPoints // the screen below's; nil: there is none
}

// Arrangement is the first arrangement of the screen. Widths and heights are percentages of the divided space, 0 being
// the usual; an empty word is the usual, too.
type Arrangement struct {
	GraphWidth, LowerHeight int
	// Density is boxes, chips or rail; View diff, side, before or after; Focus data, graph, events or side, a list of
	// the drawer.
	Density, View, Focus string
}
