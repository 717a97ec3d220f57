package breakpoint

import (
	"fmt"
	"slices"

	"asldb/engine/asl"
)

// Setup is the breakpoints and watches of a session as text, from which another session of the same definition gets them, and the
// bookmarks of its run.
type Setup struct {
	Breakpoints []Saved `json:"breakpoints,omitempty"`
	// Watches are the expressions.
	Watches []string `json:"watches,omitempty"`
	// Bookmarks are for the face that shows events: [Setup.Restore] leaves them alone.
	Bookmarks []Bookmark `json:"bookmarks,omitempty"`
}

// Bookmark is a marked event of a run. Another run has the event where the one of that number has the same name.
type Bookmark struct {
	// Event is its number, from 1; Name says what happened, and where.
	Event int    `json:"event"`
	Name  string `json:"name"`
	Note  string `json:"note,omitempty"`
}

// Saved is a breakpoint as text.
type Saved struct {
	// Spec is the text of [Breakpoint.String] or, where Exact is set, the path of a state in the definition, which is
	// not a pattern then.
	Spec     string `json:"spec"`
	Exact    bool   `json:"exact,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

// LostError says that a part of a [Setup] does not fit the definition.
type LostError struct {
	Breakpoint *Saved // nil: a watch
	Watch      string
	Err        error
}

// Error implements error.
func (e *LostError) Error() string {
	if e.Breakpoint == nil {
		return fmt.Sprintf("the watch %q: %v", e.Watch, e.Err)
	}
	return "the breakpoint " + e.Err.Error()
}

// Unwrap returns the error of the spec or of the expression.
func (e *LostError) Unwrap() error { return e.Err }

// SetupOf returns breakpoints and watches as text, in their order. A permanent breakpoint is a part of it where it is
// switched off.
func SetupOf(l *List, w *Watches) Setup {
	var setup Setup
	for _, b := range l.points {
		if b.Standing && b.Enabled {
			continue
		}
		setup.Breakpoints = append(setup.Breakpoints, Saved{Spec: b.String(), Exact: b.state != nil, Disabled: !b.Enabled})
	}
	for _, watch := range w.watches {
		setup.Watches = append(setup.Watches, watch.Text)
	}
	return setup
}

// Restore adds a Setup to breakpoints and watches, without those that are there already. It returns an error for each part
// that does not fit the definition.
func (s Setup) Restore(l *List, w *Watches) []*LostError {
	var lost []*LostError
	have := make(map[Saved]bool)
	watched := make(map[string]bool)
	present := SetupOf(l, w)
	for _, b := range present.Breakpoints {
		have[Saved{Spec: b.Spec, Exact: b.Exact}] = true
	}
	for _, text := range present.Watches {
		watched[text] = true
	}
	for _, b := range l.points {
		if b.Standing {
			have[Saved{Spec: b.String()}] = true
			saved := slices.IndexFunc(s.Breakpoints, func(s Saved) bool { return !s.Exact && s.Spec == b.String() })
			b.Enabled = saved < 0 || !s.Breakpoints[saved].Disabled
		}
	}
	for _, saved := range s.Breakpoints {
		if have[Saved{Spec: saved.Spec, Exact: saved.Exact}] {
			continue
		}
		b, err := l.restore(saved)
		if err != nil {
			lost = append(lost, &LostError{Breakpoint: &saved, Err: err})
			continue
		}
		b.Enabled = !saved.Disabled
	}
	for _, text := range s.Watches {
		if watched[text] {
			continue
		}
		if _, err := w.Add(text); err != nil {
			lost = append(lost, &LostError{Watch: text, Err: err})
		}
	}
	return lost
}

func (l *List) restore(saved Saved) (*Breakpoint, error) {
	if !saved.Exact {
		return l.Add(saved.Spec)
	}
	definition := l.run.Machine().Definition()
	if state := stateAt(definition, saved.Spec); state != nil {
		return l.AddAt(state), nil
	}
	return nil, noState(saved.Spec, saved.Spec, definition)
}

func stateAt(definition *asl.StateMachine, path string) *asl.State {
	for state := range definition.All() {
		if state.Path() == path {
			return state
		}
	}
	return nil
}
