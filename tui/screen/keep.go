package screen

import (
	"asldb/engine/breakpoint"
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

// keep saves the breakpoints and watches as they are now. What cannot be saved is said; it stays in this session.
func (u *ui) keep() {
	if u.keeper == nil {
		return
	}
	if err := u.keeper.Keep(u.kept()); err != nil {
		u.say(theme.Bad, "Not saved for the next time: "+err.Error())
	}
}

func (u *ui) kept() Kept {
	kept := Kept{Setup: breakpoint.SetupOf(u.session.Breakpoints(), u.session.Watches()), History: make(map[string][]string)}
	for kind, h := range u.histories {
		if lines := h.Lines(); len(lines) > 0 {
			kept.History[kind] = lines
		}
	}
	return kept
}

// remember puts back what was typed into the prompts in earlier sessions.
func (u *ui) remember(typed map[string][]string) {
	for kind, lines := range typed {
		u.histories.Of(kind).Restore(lines)
	}
}
