package launch

import (
	"asldb/engine/asl"
	"asldb/engine/flow"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/files"
)

// Known returns what fixtures tell of the data of a definition, for [lint.Options]: the input, and the results of the Task states for
// which the file gives all of them. Computed results and those from outside are unknown.
func (f Fixtures) Known(reader files.Files, warn func(files.Warning), machine *asl.StateMachine) (flow.Options, error) {
	if err := f.read(reader, warn); err != nil || f.File == nil {
		return flow.Options{}, err
	}
	known := flow.Options{Input: f.File.Input, Results: make(map[string][]value.Value)}
	bound, err := f.File.Bind(machine)
	if bound == nil {
		return known, err
	}
	lists := bound.Lists()
	for s := range machine.All() {
		if s.Type != asl.Task {
			continue
		}
		if results, all := resultsFor(bound.For(s, lists)); all {
			known.Results[s.Name] = results
		}
	}
	return known, nil
}

// resultsFor returns the results of lists; false where one of them is not known.
func resultsFor(candidates []fixtures.Candidate) (results []value.Value, all bool) {
	for _, c := range candidates {
		for _, entry := range c.List.Entries {
			for i := range entry.Results {
				switch r := &entry.Results[i]; {
				case r.Fails:
				case r.Computed || r.Outcome.Output == nil:
					return nil, false
				default:
					results = append(results, r.Outcome.Output)
				}
			}
		}
		if c.Iterations == nil && !c.List.Falls() { // the lists below are never asked
			break
		}
	}
	return results, len(results) > 0
}
