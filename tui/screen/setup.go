package screen

import (
	"asldb/engine/breakpoint"
	"asldb/tui/part/canvas"
)

// SavedSetup has the breakpoints, watches, bookmarks and prompt histories for the next session with the same
// definition.
type SavedSetup struct {
	breakpoint.Setup
	// History has the lines that were typed into the prompts, by the kind of argument, the oldest first.
	History map[string][]string
}

// SetupStore saves setups.
type SetupStore interface{ Save(SavedSetup) error }

// setups saves the breakpoints, watches, bookmarks and prompt histories.
type setups struct {
	contract
	store   SetupStore // nil: nothing is saved
	prompts *prompts
	marks   *bookmarks
}

// save saves them as they are now. Where that fails they stay in this session.
func (su *setups) save() {
	if su.store == nil {
		return
	}
	if err := su.store.Save(su.present()); err != nil {
		su.Say(canvas.Bad, "Setup not saved: "+err.Error())
	}
}

func (su *setups) present() SavedSetup {
	s := su.Session()
	setup := breakpoint.SetupOf(s.Breakpoints(), s.Watches())
	setup.Bookmarks = su.marks.saved()
	return SavedSetup{Setup: setup, History: su.prompts.lines()}
}
