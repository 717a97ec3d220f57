package cli

import (
	"os"

	"asldb/engine/debug"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/tui"
)

// setupKeeper saves the setup of a definition for the screen.
type setupKeeper struct{ *launch.Setup }

// Keep implements tui.Keeper.
func (k setupKeeper) Keep(saved tui.Kept) error { return k.Save(saved.Setup, saved.History) }

// nestedSetup restores the saved setup of the definition of a nested execution.
func nestedSetup(file string, session *debug.Session) tui.Keeper {
	if setup := launch.NestedSetup(store.Dir(os.Getenv), file, session); setup != nil {
		return setupKeeper{setup}
	}
	return nil
}
