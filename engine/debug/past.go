package debug

import (
	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/value"
)

// RootsAt returns what $$ and the variables were at event i of the log, counted from 0, for looking back: the
// context object, and a look-up that gives nil for a variable that was not assigned. Both are nil for
// events of the execution as a whole.
func (s *Session) RootsAt(i int) (context value.Value, variables func(name string) value.Value) {
	visit := s.log.At(i).Visit
	if visit == nil {
		return nil, nil
	}
	entered := s.log.At(int(visit.Entered) - 1)
	return s.execution.ContextAt(visit, entered.At()), func(name string) value.Value {
		return s.variableAt(visit, name)
	}
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
