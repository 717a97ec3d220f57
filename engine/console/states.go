package console

import (
	"asldb/engine"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// States returns $states in a visit as it was before event i of a log, counted from 0: the raw input of the visit, the
// context object where there is one, and the result or the Error Output where the visit has one by then.
func States(log *runlog.Log, visit *engine.Visit, i int, context value.Value) value.Value {
	members := []value.Member{{Key: "input", Value: inputAt(log, visit, i)}}
	if context != nil {
		members = append(members, value.Member{Key: "context", Value: context})
	}
	for j := i - 1; j >= first(log, visit); j-- {
		earlier := log.At(j)
		if earlier.Visit != visit {
			continue
		}
		switch earlier.Type {
		case engine.RetryStarted:
			return value.NewObject(members)
		case engine.DataEdited:
			if earlier.Stage == engine.StageResult {
				return value.NewObject(append(members, value.Member{Key: resultName(log, visit, j), Value: earlier.After}))
			}
		case engine.TaskSucceeded, engine.ParallelSucceeded, engine.MapSucceeded:
			return value.NewObject(append(members, value.Member{Key: "result", Value: earlier.After}))
		case engine.ErrorCaught:
			return value.NewObject(append(members, value.Member{Key: "errorOutput", Value: earlier.After}))
		default:
		}
	}
	return value.NewObject(members)
}

// inputAt returns the raw input of a visit as it was at event i: the data that it was entered with, or those that an edit put in their place.
func inputAt(log *runlog.Log, visit *engine.Visit, i int) value.Value {
	for j := i - 1; j >= first(log, visit); j-- {
		if earlier := log.At(j); earlier.Visit == visit && earlier.Type == engine.DataEdited && earlier.Stage == engine.StageInput {
			return earlier.After
		}
	}
	if entered := int(visit.Entered) - 1; entered >= log.First() {
		return log.At(entered).After
	}
	return value.Null{}
}

// first returns the index of the first event behind the entry of a visit that the log still has.
func first(log *runlog.Log, visit *engine.Visit) int { return max(int(visit.Entered), log.First()) }

// resultName is the name of a visit's result in $states at event i: result, or errorOutput after a catcher.
func resultName(log *runlog.Log, visit *engine.Visit, i int) string {
	for j := i - 1; j >= first(log, visit); j-- {
		if earlier := log.At(j); earlier.Visit == visit && earlier.Type == engine.ErrorCaught {
			return "errorOutput"
		}
	}
	return "result"
}
