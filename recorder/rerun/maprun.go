package rerun

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/path"
	"asldb/engine/value"
	"asldb/recorder/history"
)

// mapRun returns the outcome of a whole Map Run: the executions of a Map Run have their own histories, but their
// results together are known. It is taken back from the output of the state, as far as the fields after the work
// let that be seen. A Map Run whose executions ask nothing from outside is left to run.
func (s *Source) mapRun(at *engine.Visit, attempt int) (given engine.Outcome, ok bool) {
	visit := s.visit(at)
	if visit == nil || attempt > len(visit.Rounds) || !asksOutside(at.State) {
		return engine.Outcome{}, false
	}
	round := visit.Rounds[attempt-1]
	if round.MapRun < 0 || round.MapRunEnd < 0 {
		return engine.Outcome{}, false
	}
	begun, end := &s.run.Events[round.MapRun], &s.run.Events[round.MapRunEnd]
	outcome := engine.Outcome{After: time.Duration(end.Time - begun.Time)}
	if s.now != nil {
		outcome.After = max(time.Unix(0, end.Time).Sub(s.now()), 0)
	}
	switch end.Kind().Phase {
	case history.Succeeded:
		if visit.Exited < 0 {
			return engine.Outcome{}, false
		}
		output, is := s.run.Events[visit.Exited].Payload("output")
		if is != history.Present {
			return engine.Outcome{}, false
		}
		if outcome.Output = resultOf(at.State, output); outcome.Output == nil {
			return engine.Outcome{}, false
		}
	case history.Failed:
		outcome.Error, outcome.Cause = end.Text("error"), end.Text("cause")
	default:
		return engine.Outcome{}, false
	}
	return outcome, true
}

// asksOutside reports whether the executions of a distributed Map, or its ItemReader, need something from outside.
func asksOutside(state *asl.State) bool {
	if state.ItemReader != nil {
		return true
	}
	scopes := append([]*asl.Scope{}, state.Branches...)
	if state.Processor != nil {
		scopes = append(scopes, state.Processor)
	}
	for _, scope := range scopes {
		for _, inner := range scope.States {
			if inner.Type == asl.Task || asksOutside(inner) {
				return true
			}
		}
	}
	return false
}

// resultOf takes the result of a Map's work back from the state's output; nil where that cannot be done.
func resultOf(state *asl.State, output value.Value) value.Value {
	result := output
	switch {
	case state.Output != nil, state.ResultSelector != nil, state.OutputPath != nil && (state.OutputPath.Null || state.OutputPath.Path.String() != "$"):
		return nil
	case state.ResultPath == nil:
	case state.ResultPath.Null && state.Assign == nil:
		return value.ArrayOf() // it goes nowhere, so that any will do
	case state.ResultPath.Null:
		return nil
	default:
		result = state.ResultPath.Path.Find(&path.Roots{Data: output})
	}
	if result == nil || result.Kind() != value.KindArray && state.ResultWriter == nil {
		return nil
	}
	return result
}
