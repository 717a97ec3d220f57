package launch

import (
	"fmt"
	"strings"

	"asldb/engine/breakpoint"
	"asldb/engine/debug"
	"asldb/engine/value"
	"asldb/internal/store"
)

// Setup is the saved setup of a definition, with the breakpoints and watches in it that do not fit the definition now: they
// stay saved.
type Setup struct {
	// History is the history of the prompts.
	History map[string][]string
	// Bookmarks are the newest run's.
	Bookmarks []breakpoint.Bookmark

	store    *store.Store
	unfit    breakpoint.Setup
	isNested bool // the history of the prompts stays as it is
}

// Save saves a setup and the history of the prompts.
func (s *Setup) Save(setup breakpoint.Setup, history map[string][]string) error {
	state := store.State{Setup: setup, History: history}
	if s.isNested {
		state.History, state.Bookmarks = s.History, s.Bookmarks
	}
	state.Breakpoints = append(state.Breakpoints, s.unfit.Breakpoints...)
	state.Watches = append(state.Watches, s.unfit.Watches...)
	return s.store.Save(state)
}

// restore adds a saved setup to a session, and returns an error for each entry that does not fit.
func (s *Setup) restore(session *debug.Session, saved breakpoint.Setup) []*breakpoint.LostError {
	lost := saved.Restore(session.Breakpoints(), session.Watches())
	for _, l := range lost {
		if l.Breakpoint != nil {
			s.unfit.Breakpoints = append(s.unfit.Breakpoints, *l.Breakpoint)
		} else {
			s.unfit.Watches = append(s.unfit.Watches, l.Watch)
		}
	}
	return lost
}

// NestedSetup restores the saved setup of the definition in a file, in a session that a task has started. It returns nil
// where nothing can be saved.
func NestedSetup(dir, file string, session *debug.Session) *Setup {
	saved, err := store.Open(dir, file, session.Machine().Definition().Source.Data)
	if err != nil {
		return nil
	}
	state, _, err := saved.Load()
	if err != nil {
		return nil
	}
	s := &Setup{store: saved, isNested: true, History: state.History, Bookmarks: state.Bookmarks}
	s.restore(session, state.Setup)
	return s
}

// setUp restores the saved setup in the session. A setup that cannot be read, or does not fit any more, is a note of the run
// and no reason not to begin.
func (c *composition) setUp() {
	if c.Definition.Text != nil {
		c.run.About = append(c.run.About, c.Definition.Text.Placeholders()...)
	}
	id := c.Definition.Identity()
	if c.State == "" || id == "" {
		return
	}
	text := c.Definition.Machine.Source
	if c.Definition.Text != nil {
		text = c.Definition.Text.Source
	}
	saved, err := store.Open(c.State, id, text.Data)
	if err != nil {
		c.run.Notes = append(c.run.Notes, err.Error())
		return
	}
	state, changed, err := saved.Load()
	if err != nil {
		c.run.Notes = append(c.run.Notes, err.Error())
	}
	c.run.Setup = &Setup{store: saved, History: state.History, Bookmarks: state.Bookmarks}
	lost := c.run.Setup.restore(c.run.Session, state.Setup)
	if len(lost) == 0 {
		return
	}
	texts := value.Each(lost, (*breakpoint.LostError).Error)
	note := "1 saved breakpoint or watch cannot be set"
	if len(lost) > 1 {
		note = fmt.Sprintf("%d saved breakpoints or watches cannot be set", len(lost))
	}
	if changed {
		note += ", since the definition has changed"
	}
	c.run.Notes = append(c.run.Notes, note+": "+strings.Join(texts, "; ")+". They stay saved.")
}
