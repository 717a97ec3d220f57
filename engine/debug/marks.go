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

// Mark returns what the run has made of a state.
func (s *Session) Mark(state *asl.State) Mark {
	if m := s.marks[state]; m != nil {
		return *m
	}
	return Mark{}
}

func (s *Session) mark(event *engine.Event) {
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
	m := s.marks[state]
	if m == nil {
		m = &Mark{}
		s.marks[state] = m
	}
	switch event.Type {
	case engine.StateEntered:
		m.Visits++
		m.Active++
		m.Failed = false
	case engine.StateExited:
		m.Active--
	case engine.StateFailed:
		m.Active--
		m.Failed = true
	case engine.RetryScheduled:
		m.Retries++
	case engine.ErrorCaught:
		m.Catches++
	case engine.BranchAborted, engine.IterationAborted:
		m.Active--
	default:
		m.Failures++
	}
}
