package debug

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// RootsAt returns what $$ and the variables were at event i of the log, counted from 0, for looking back: the
// context object, and a look-up that gives nil for a variable that was not assigned. Both are nil for
// events of the execution as a whole.
func (s *Session) RootsAt(i int) (context value.Value, variables func(name string) value.Value) {
	visit := s.log.At(i).Visit
	if visit == nil {
		return nil, nil
	}
	return s.execution.ContextAt(visit, s.pastOf(visit, i)), func(name string) value.Value {
		return s.variableAt(visit, name)
	}
}

// pastOf returns what the context object of a visit depends on at event i.
func (s *Session) pastOf(visit *engine.Visit, i int) engine.Past {
	past := engine.Past{Entered: s.log.At(int(visit.Entered) - 1).At()}
	event := s.log.At(i)
	selects := visit.State.Type == asl.Map && event.Stage == engine.StageParameters && event.Visit == visit
	var items *value.Array
	for at := int(visit.Entered); at < i; at++ {
		earlier := s.log.At(at)
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

// variableAt looks for the Assign that was in force when a visit began, in its scope and then in those
// that hold it.
func (s *Session) variableAt(visit *engine.Visit, name string) value.Value {
	for ; visit != nil; visit = visit.Parent {
		for i := int(visit.Entered) - 2; i >= 0; i-- {
			event := s.log.At(i)
			if event.Thread != visit.Thread || event.Type != engine.StageCompleted || event.Stage != engine.StageAssign {
				continue
			}
			if variables, ok := event.After.(*value.Object); ok && s.left(event.Visit, i) {
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

// left reports whether a visit was left with its output after event i, which commits what it assigned.
func (s *Session) left(visit *engine.Visit, i int) bool {
	for i++; i < s.log.Len(); i++ {
		event := s.log.At(i)
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
