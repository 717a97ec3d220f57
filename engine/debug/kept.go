package debug

import (
	"fmt"

	"asldb/engine/asl"
)

// Kept is what a person sets up in a session and wants to find again in the next one. It says nothing about the run.
type Kept struct {
	Breakpoints []KeptBreakpoint `json:"breakpoints,omitempty"`
	// Watches are the expressions.
	Watches []string `json:"watches,omitempty"`
}

// KeptBreakpoint is a breakpoint as text.
type KeptBreakpoint struct {
	// Spec is what [Breakpoint.String] gives, or, where Exact is set, the path of a state in the definition, which
	// is then no pattern.
	Spec     string `json:"spec"`
	Exact    bool   `json:"exact,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

// Lost is something kept that does not fit the definition any more.
type Lost struct {
	Breakpoint *KeptBreakpoint // nil: a watch
	Watch      string
	Err        error
}

// Error implements error.
func (l *Lost) Error() string {
	if l.Breakpoint == nil {
		return fmt.Sprintf("the watch %q: %v", l.Watch, l.Err)
	}
	return "the breakpoint " + l.Err.Error()
}

// Unwrap returns what is wrong.
func (l *Lost) Unwrap() error { return l.Err }

// Kept returns the breakpoints and watches of the session, in their order.
func (s *Session) Kept() Kept {
	var k Kept
	for _, b := range s.breakpoints {
		k.Breakpoints = append(k.Breakpoints, KeptBreakpoint{Spec: b.String(), Exact: b.state != nil, Disabled: !b.Enabled})
	}
	for _, w := range s.watches {
		k.Watches = append(k.Watches, w.Text)
	}
	return k
}

// Restore adds what was kept to the session, except what it has already, and returns what does not fit the
// definition.
func (s *Session) Restore(k Kept) []*Lost {
	var lost []*Lost
	have := make(map[KeptBreakpoint]bool)
	watched := make(map[string]bool)
	for _, b := range s.Kept().Breakpoints {
		have[KeptBreakpoint{Spec: b.Spec, Exact: b.Exact}] = true
	}
	for _, w := range s.watches {
		watched[w.Text] = true
	}
	for _, kept := range k.Breakpoints {
		if have[KeptBreakpoint{Spec: kept.Spec, Exact: kept.Exact}] {
			continue
		}
		b, err := s.restore(kept)
		if err != nil {
			lost = append(lost, &Lost{Breakpoint: &kept, Err: err})
			continue
		}
		b.Enabled = !kept.Disabled
	}
	for _, text := range k.Watches {
		if watched[text] {
			continue
		}
		if _, err := s.AddWatch(text); err != nil {
			lost = append(lost, &Lost{Watch: text, Err: err})
		}
	}
	return lost
}

func (s *Session) restore(kept KeptBreakpoint) (*Breakpoint, error) {
	if !kept.Exact {
		return s.Break(kept.Spec)
	}
	definition := s.machine.Definition()
	if state := stateAt(definition, kept.Spec); state != nil {
		return s.BreakAt(state), nil
	}
	return nil, noState(kept.Spec, kept.Spec, definition)
}

func stateAt(definition *asl.StateMachine, path string) *asl.State {
	for state := range definition.All() {
		if state.Path() == path {
			return state
		}
	}
	return nil
}
