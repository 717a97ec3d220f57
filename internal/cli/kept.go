package cli

import (
	"fmt"
	"os"
	"strings"

	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/internal/store"
	"asldb.dev/asldb/tui"
)

// keeper saves what a person sets up for a definition, with what was saved before and does not fit it now.
type keeper struct {
	store *store.Store
	lost  debug.Kept
}

// Keep implements tui.Keeper.
func (k *keeper) Keep(kept tui.Kept) error {
	state := store.State{Kept: kept.Kept, History: kept.History}
	state.Breakpoints = append(state.Breakpoints, k.lost.Breakpoints...)
	state.Watches = append(state.Watches, k.lost.Watches...)
	return k.store.Save(state)
}

// restoreKept adds to a session what was kept for its definition, and lets the screen keep what becomes of it. What
// cannot be read or does not fit any more is said on the screen; it is no reason not to begin.
func restoreKept(options *sessionFlags, opened *files, session *debug.Session, look *tui.Options) {
	if options.noState || opened.path == "" {
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
	lost := session.Restore(state.Kept)
	if len(lost) == 0 {
		return
	}
	var texts []string
	for _, l := range lost {
		texts = append(texts, l.Error())
		if l.Breakpoint != nil {
			k.lost.Breakpoints = append(k.lost.Breakpoints, *l.Breakpoint)
		} else {
			k.lost.Watches = append(k.lost.Watches, l.Watch)
		}
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
