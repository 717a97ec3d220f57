package cli

import (
	"os"

	"asldb/engine/debug"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/tui/screen"
)

// setupStore saves the setup of a definition for the screen.
type setupStore struct{ *launch.Setup }

// Save implements [screen.SetupStore].
func (k setupStore) Save(saved screen.SavedSetup) error {
	return k.Setup.Save(saved.Setup, saved.History)
}

// nestedSetup restores the saved setup of the definition of a nested execution.
func nestedSetup(file string, session *debug.Session) screen.SetupStore {
	if setup := launch.NestedSetup(store.Dir(os.Getenv), file, session); setup != nil {
		return setupStore{setup}
	}
	return nil
}
