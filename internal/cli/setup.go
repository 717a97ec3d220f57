package cli

import (
	"os"

	"asldb/engine/debug"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/tui/screen"
)

// setupKeeper saves the setup of a definition for the screen.
type setupKeeper struct{ *launch.Setup }

// Keep implements screen.Keeper.
func (k setupKeeper) Keep(saved screen.Kept) error { return k.Save(saved.Setup, saved.History) }

// nestedSetup restores the saved setup of the definition of a nested execution.
func nestedSetup(file string, session *debug.Session) screen.Keeper {
	if setup := launch.NestedSetup(store.Dir(os.Getenv), file, session); setup != nil {
		return setupKeeper{setup}
	}
	return nil
}
