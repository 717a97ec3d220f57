package panetest

import (
	"asldb/engine"
	"asldb/engine/outcome"
)

// Script has the outcomes of tasks, by the name of the state: each request takes the next one, and there is none at the end of
// the list.
type Script map[string][]engine.Outcome

// Source returns a source of the outcomes.
func (s Script) Source() outcome.Source { return &scripted{s, map[string]int{}} }

type scripted struct {
	script Script
	used   map[string]int
}

// Ask implements [outcome.Source].
func (s *scripted) Ask(ask outcome.Ask) outcome.Reply {
	task, ok := ask.(outcome.Task)
	if !ok {
		return outcome.None(nil)
	}
	name := task.Request.Visit.State.Name
	if s.used[name] >= len(s.script[name]) {
		return outcome.None(nil)
	}
	s.used[name]++
	return outcome.Given(s.script[name][s.used[name]-1], "script")
}

// Seek implements [outcome.Source].
func (s *scripted) Seek(asked []outcome.Ask) []outcome.Ask {
	clear(s.used)
	return outcome.Again(s, asked)
}
