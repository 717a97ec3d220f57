package debug

import (
	"asldb/engine"
	"asldb/engine/outcome"
	"asldb/engine/runlog"
)

// recordedSource gives the recorded outcomes to the tasks that they seem to be for.
type recordedSource struct {
	inputs  []runlog.Input // those that were not given where they were recorded
	used    []bool
	mapRuns map[mapRunKey]int
	byKey   map[requestKey][]int // of each key, the inputs that were given for it
	renamed map[string]string    // the names that states have now, by their recorded names; nil: none has another
}

// requestKey identifies a request in another run. It has a visit and an attempt, or else an invocation.
type requestKey struct {
	state                      string // its path, or its name where the state may have moved
	visit, attempt, invocation int
}

// keysOf returns the keys of a request, the most exact first.
func keysOf(r *engine.TaskRequest) [3]requestKey {
	path := r.Visit.Path()
	return [...]requestKey{
		{state: path, visit: r.Visit.Number, attempt: r.Attempt}, {state: path, invocation: r.Invocation},
		{state: "*/" + r.Visit.State.Name, invocation: r.Invocation},
	}
}

// index finds the request of each answer among the recorded events.
func (r *recordedSource) index(recorded *runlog.Log) {
	byID := recorded.Requests()
	r.used, r.byKey, r.mapRuns = make([]bool, len(r.inputs)), make(map[requestKey][]int), make(map[mapRunKey]int)
	for i := range r.inputs {
		if a := &r.inputs[i]; a.Kind == runlog.InputMapRun && a.After > 0 && a.After <= int64(recorded.Len()) {
			if begun := recorded.At(int(a.After) - 1); begun.Visit != nil {
				r.mapRuns[mapRunKey{begun.Visit.Path(), begun.Visit.Number, recorded.MapRuns(int(a.After) - 1)}] = i
			}
			continue
		}
		request := byID[r.inputs[i].Request]
		if r.inputs[i].Kind != runlog.InputOutcome || request == nil || request.Visit == nil {
			continue
		}
		for _, key := range keysOf(request) {
			r.byKey[key] = append(r.byKey[key], i)
		}
		if name := r.renamed[request.Visit.State.Name]; name != "" {
			key := requestKey{state: "*/" + name, invocation: request.Invocation}
			r.byKey[key] = append(r.byKey[key], i)
		}
	}
}

// mapRunKey identifies a Map Run in another run.
type mapRunKey struct {
	state          string
	visit, attempt int
}

// Ask implements outcome.Source. An object is known again by the number of its request.
func (r *recordedSource) Ask(ask outcome.Ask) outcome.Reply {
	switch ask := ask.(type) {
	case outcome.Task:
		for _, key := range keysOf(ask.Request) {
			for _, i := range r.byKey[key] {
				if !r.used[i] {
					return r.give(i)
				}
			}
		}
	case outcome.MapRun:
		if i, known := r.mapRuns[mapRunKey{ask.Visit.Path(), ask.Visit.Number, ask.Attempt}]; known && !r.used[i] {
			return r.give(i)
		}
	case outcome.Object:
		for i := range r.inputs {
			if a := &r.inputs[i]; a.Kind == runlog.InputObject && !r.used[i] && a.Request == ask.Request.ID {
				return r.give(i)
			}
		}
	}
	return outcome.None(nil)
}

// give returns the recorded answer number i, which is then used.
func (r *recordedSource) give(i int) outcome.Reply {
	r.used[i] = true
	a := &r.inputs[i]
	switch {
	case a.Kind != runlog.InputObject:
		return outcome.Given(a.Outcome, a.Origin)
	case a.Refused != nil:
		return outcome.Refusal(a.Refused, a.Origin)
	}
	return outcome.Content(a.Body, a.Origin)
}

// Seek implements outcome.Source.
func (r *recordedSource) Seek(asked []outcome.Ask) (left []outcome.Ask) {
	clear(r.used)
	return outcome.Again(r, asked)
}

// unused returns the inputs that were not given.
func (r *recordedSource) unused() []runlog.Input {
	var left []runlog.Input
	for i, a := range r.inputs {
		if a.Kind != runlog.InputTime && (r.used == nil || !r.used[i]) {
			left = append(left, a)
		}
	}
	return left
}
