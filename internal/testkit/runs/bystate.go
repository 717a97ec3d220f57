package runs

import (
	"asldb/engine"
	"asldb/engine/outcome"
)

// ByState has the outcomes of tasks, by the name of the state: each request takes the next one, and there is none at the end of
// the list.
type ByState map[string][]engine.Outcome

// Source returns a source of the outcomes.
func (s ByState) Source() outcome.Source { return &byState{s, map[string]int{}} }

type byState struct {
	outcomes ByState
	used     map[string]int
}

// Ask implements [outcome.Source].
func (s *byState) Ask(ask outcome.Ask) outcome.Reply {
	task, ok := ask.(outcome.Task)
	if !ok {
		return outcome.None(nil)
	}
	name := task.Request.Visit.State.Name
	if s.used[name] >= len(s.outcomes[name]) {
		return outcome.None(nil)
	}
	s.used[name]++
	return outcome.Given(s.outcomes[name][s.used[name]-1], "source")
}

// Seek implements [outcome.Source].
func (s *byState) Seek(asked []outcome.Ask) []outcome.Ask {
	clear(s.used)
	return outcome.Again(s, asked)
}
