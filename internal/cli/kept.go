package cli

import (
	"fmt"
	"os"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/internal/store"
	"asldb/tui"
)

// keeper saves what a person sets up for a definition, with what was saved before and does not fit it now.
type keeper struct {
	store *store.Store
	lost  breakpoint.Setup
	// history is what was typed when a nested execution's definition was debugged by itself; nil for that of the run.
	history map[string][]string
	nested  bool
}

// Keep implements tui.Keeper.
func (k *keeper) Keep(kept tui.Kept) error {
	state := store.State{Setup: kept.Setup, History: kept.History}
	if k.nested {
		state.History = k.history
	}
	state.Breakpoints = append(state.Breakpoints, k.lost.Breakpoints...)
	state.Watches = append(state.Watches, k.lost.Watches...)
	return k.store.Save(state)
}

// lose takes in what does not fit the definition.
func (k *keeper) lose(lost []*breakpoint.LostError) {
	for _, l := range lost {
		if l.Breakpoint != nil {
			k.lost.Breakpoints = append(k.lost.Breakpoints, *l.Breakpoint)
		} else {
			k.lost.Watches = append(k.lost.Watches, l.Watch)
		}
	}
}

// restoreNested sets in an execution that a task starts what was kept for its definition, and returns what saves it:
// nil where nothing can be kept. What does not fit stays saved.
func restoreNested(file string, session *debug.Session) tui.Keeper {
	saved, err := store.Open(store.Dir(os.Getenv), file, session.Machine().Definition().Source.Data)
	if err != nil {
		return nil
	}
	state, _, err := saved.Load()
	if err != nil {
		return nil
	}
	k := &keeper{store: saved, nested: true, history: state.History}
	k.lose(session.Restore(state.Setup))
	return k
}

// restoreKept adds to a session what was kept for its definition, and lets the screen keep what becomes of it. What
// cannot be read or does not fit any more is said on the screen; it is no reason not to begin.
func restoreKept(options *sessionFlags, opened *files, session *debug.Session, look *tui.Options) {
	if options.noState {
		return
	}
	look.Nested = restoreNested
	if opened.path == "" {
		return
	}
	saved, err := store.Open(store.Dir(os.Getenv), opened.path, opened.definition.source.Data)
	if err != nil {
		look.Notes = append(look.Notes, err.Error())
		return
	}
	state, changed, err := saved.Load()
	if err != nil {
		look.Notes = append(look.Notes, err.Error())
	}
	k := &keeper{store: saved}
	look.Keeper, look.History = k, state.History
	lost := session.Restore(state.Setup)
	if len(lost) == 0 {
		return
	}
	k.lose(lost)
	var texts []string
	for _, l := range lost {
		texts = append(texts, l.Error())
	}
	note := counted(len(lost), "saved breakpoint or watch") + " cannot be set"
	if len(lost) > 1 {
		note = fmt.Sprintf("%d saved breakpoints or watches cannot be set", len(lost))
	}
	if changed {
		note += ", since the definition has changed"
	}
	look.Notes = append(look.Notes, note+": "+strings.Join(texts, "; ")+". They stay saved.")
}
