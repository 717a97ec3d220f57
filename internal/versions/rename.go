package versions

import (
	"fmt"
	"slices"

	"asldb/engine/asl"
	"asldb/engine/source"
	"asldb/engine/value"
)

// Renaming is a state with another name in the new version.
type Renaming struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// String returns the renaming as a flag has it.
func (r Renaming) String() string { return r.Old + "=" + r.New }

// Rename gives states in the tree of a new version the names that they have in the old one, so that recorded results,
// paths and data belong to the same states. The error is about a name that is not there.
func Rename(old *asl.StateMachine, fresh *source.Node, list []Renaming) error {
	names := make(map[string]string)
	var there []string
	statesOf(fresh, func(_ *source.Node, m *source.NodeMember) { there = append(there, m.Key) })
	for _, r := range list {
		switch {
		case !slices.ContainsFunc(slices.Collect(old.All()), func(s *asl.State) bool { return s.Name == r.Old }):
			return fmt.Errorf("%s: the old version has no state %q", r, r.Old)
		case !slices.Contains(there, r.New):
			return fmt.Errorf("%s: the new version has no state %q", r, r.New)
		case slices.Contains(there, r.Old) && !slices.ContainsFunc(list, func(other Renaming) bool { return other.New == r.Old }):
			return fmt.Errorf("%s: the new version has a state %q, too", r, r.Old)
		}
		names[r.New] = r.Old
	}
	leads := func(to *source.Node) {
		if name, ok := to.Value.(value.String); ok && names[string(name)] != "" {
			to.Value = value.String(names[string(name)])
		}
	}
	statesOf(fresh, func(scope *source.Node, m *source.NodeMember) {
		if scope.Get("States").Members[0].Node == m.Node { // once for each scope
			if start := scope.Get("StartAt"); start != nil {
				leads(start)
			}
		}
		for to := range asl.Transitions(m.Node) {
			leads(to)
		}
		if name := names[m.Key]; name != "" {
			m.Key = name
		}
	})
	return nil
}

// statesOf calls do with the states of a scope, and with the states of the scopes in it.
func statesOf(scope *source.Node, do func(scope *source.Node, state *source.NodeMember)) {
	if scope == nil || scope.Get("States") == nil {
		return
	}
	for i := range scope.Get("States").Members {
		m := &scope.Get("States").Members[i]
		if branches := m.Node.Get("Branches"); branches != nil {
			for _, branch := range branches.Items {
				statesOf(branch, do)
			}
		}
		statesOf(m.Node.Get("ItemProcessor"), do)
		statesOf(m.Node.Get("Iterator"), do)
		do(scope, m)
	}
}
