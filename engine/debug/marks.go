package debug

import (
	"asldb.dev/asldb/engine"
	"asldb.dev/asldb/engine/asl"
)

// Mark is what a run has made of one state of the definition so far, all threads taken together.
type Mark struct {
	// Visits counts the entries; Failures the errors that came up in it; Retries and Catches what
	// was done about them.
	Visits, Failures, Retries, Catches int
	// Active counts the threads that are in it now.
	Active int
	// Failed is set when its last visit ended with an error that nothing in it caught.
	Failed bool
}

// Marks are the marks of the states of a definition.
type Marks map[*asl.State]*Mark

// Of returns the mark of a state.
func (m Marks) Of(state *asl.State) Mark {
	if mark := m[state]; mark != nil {
		return *mark
	}
	return Mark{}
}

// Mark returns what the run has made of a state so far.
func (s *Session) Mark(state *asl.State) Mark { return s.marks.Of(state) }

// MarksAt returns what the run had made of the states when event i of the log had come up, counted from 0. It
// goes through the log up to there.
func (s *Session) MarksAt(i int) Marks {
	if i == s.log.length-1 {
		return s.marks
	}
	marks := make(Marks)
	for at := range min(i+1, s.log.length) {
		marks.add(s.log.At(at))
	}
	return marks
}

func (m Marks) add(event *engine.Event) {
	switch event.Type {
	case engine.ExecutionFailed, engine.ExecutionTimedOut, engine.ExecutionAborted:
		for _, mark := range m {
			mark.Active = 0 // nothing runs any more
		}
		return
	}
	if event.Visit == nil {
		return
	}
	switch event.Type {
	case engine.StateEntered, engine.StateExited, engine.StateFailed, engine.RetryScheduled, engine.ErrorCaught,
		engine.BranchAborted, engine.IterationAborted:
	default:
		if !event.RaisesError() {
			return
		}
	}
	state := event.Visit.State
	if detail, ok := event.Detail.(*engine.ThreadDetail); ok { // of an aborted thread
		if detail.Visit == nil {
			return
		}
		state = detail.Visit.State
	}
	mark := m[state]
	if mark == nil {
		mark = &Mark{}
		m[state] = mark
	}
	switch event.Type {
	case engine.StateEntered:
		mark.Visits++
		mark.Active++
		mark.Failed = false
	case engine.StateExited:
		mark.Active--
	case engine.StateFailed:
		mark.Active--
		mark.Failed = true
	case engine.RetryScheduled:
		mark.Retries++
	case engine.ErrorCaught:
		mark.Catches++
	case engine.BranchAborted, engine.IterationAborted:
		mark.Active--
	default:
		mark.Failures++
	}
}
