package provenance

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/runlog"
	"asldb/engine/value"
)

// Past returns what the context object of a visit depends on at event i, for [engine.Execution.ContextAt].
func Past(log *runlog.Log, visit *engine.Visit, i int) engine.Past {
	past := engine.Past{Entered: log.At(int(visit.Entered) - 1).At()}
	event := log.At(i)
	selects := visit.State.Type == asl.Map && event.Stage == engine.StageParameters && event.Visit == visit
	var items *value.Array
	for at := int(visit.Entered); at < i; at++ {
		earlier := log.At(at)
		if earlier.Visit != visit {
			continue
		}
		switch {
		case earlier.Type == engine.RetryScheduled:
			past.Retries++
		case earlier.Type == engine.MapStarted:
			items, _ = earlier.Before.(*value.Array)
			past.Index = 0
		case earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageItemReader:
			items, _ = earlier.After.(*value.Array)
		case earlier.Type == engine.StageCompleted && earlier.Stage == engine.StageParameters:
			past.Index++
		}
	}
	if selects && past.Index < items.Len() {
		past.Item = items.At(past.Index)
	}
	return past
}

// Variable returns the value of a variable when a visit began, nil where it was not assigned: by the newest Assign in the
// visit's scope, or in those around it.
func Variable(log *runlog.Log, visit *engine.Visit, name string) value.Value {
	for ; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			event := log.At(i)
			if event.Thread != visit.Thread || event.Type != engine.StageCompleted || event.Stage != engine.StageAssign {
				continue
			}
			if variables, ok := event.After.(*value.Object); ok && exited(log, event.Visit, i) {
				if v := variables.Get(name); v != nil {
					return v
				}
				break
			}
		}
		if visit.Parent != nil && visit.Parent.State.Distributed() {
			return nil // an execution of its own sees no others
		}
	}
	return nil
}

// exited reports whether a visit was exited after event i, which commits its assignments.
func exited(log *runlog.Log, visit *engine.Visit, i int) bool {
	for i++; i < log.Len(); i++ {
		event := log.At(i)
		if event.Visit == visit {
			switch event.Type {
			case engine.StateExited:
				return true
			case engine.ErrorCaught, engine.RetryStarted: // what failed assigns nothing
				return false
			}
		}
		if event.Thread == visit.Thread && event.Visit != visit && event.Type == engine.StateEntered {
			return false
		}
	}
	return false
}
