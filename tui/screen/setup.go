package screen

import (
	"asldb/engine/breakpoint"
	"asldb/tui/pane"
	"asldb/tui/part/theme"
)

// Kept is what a person set up and typed, for the next session with the same definition.
type Kept struct {
	breakpoint.Setup
	// History is what was typed into the prompts, by what they ask for, the oldest first.
	History map[string][]string
}

// Keeper saves it.
type Keeper interface{ Keep(Kept) error }

// setups saves the breakpoints, watches and prompt histories.
type setups struct {
	pane.Screen
	keeper  Keeper // nil: nothing is saved
	prompts *prompts
}

// save saves them as they are now. Where that fails they stay in this session.
func (su *setups) save() {
	if su.keeper == nil {
		return
	}
	if err := su.keeper.Keep(su.present()); err != nil {
		su.Say(theme.Bad, "Not saved for the next time: "+err.Error())
	}
}

func (su *setups) present() Kept {
	s := su.Session()
	return Kept{Setup: breakpoint.SetupOf(s.Breakpoints(), s.Watches()), History: su.prompts.lines()}
}
