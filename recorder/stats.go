package recorder

import (
	"time"

	"asldb/engine"
	"asldb/engine/asl"
)

// StateStats are the figures of one state of the definition in a run, over all threads.
type StateStats struct {
	// Path is the state's path in the definition, "Fulfil/Branches[1]/Notify", without numbers of iterations.
	Path string
	Type asl.StateType
	// Visits counts the entries, Failures the errors that came up in it, Retries and Catches the reactions to them.
	Visits, Failures, Retries, Catches int64
	// Ended counts the visits that ended; Total, Shortest and Longest are the virtual time that they took.
	Ended                    int64
	Total, Shortest, Longest time.Duration
}

// Mean is the virtual time that a visit took on the average; 0 where none ended.
func (s *StateStats) Mean() time.Duration {
	if s.Ended == 0 {
		return 0
	}
	return s.Total / time.Duration(s.Ended)
}

// Stats gathers figures of a run, event by event.
type Stats struct {
	// Types counts the events by type.
	Types map[engine.EventType]int64
	// First and Last are the times of the first and the last event.
	First, Last time.Time
	// Events counts them.
	Events int64

	states map[*asl.State]*StateStats
	order  []*StateStats
	open   map[*engine.Visit]int64 // when it was entered
}

// NewStats returns a Stats that has seen nothing.
func NewStats() *Stats {
	return &Stats{
		Types:  make(map[engine.EventType]int64),
		states: make(map[*asl.State]*StateStats), open: make(map[*engine.Visit]int64),
	}
}

// States returns the figures by state, in the order in which the states were first entered.
func (s *Stats) States() []*StateStats { return s.order }

// Add takes in the next event.
func (s *Stats) Add(e *engine.Event) {
	s.Types[e.Type]++
	if s.Events == 0 {
		s.First = e.At()
	}
	s.Last = e.At()
	s.Events++
	if e.Visit == nil {
		return
	}
	switch e.Type {
	case engine.StateEntered:
		of := s.of(e.Visit)
		of.Visits++
		s.open[e.Visit] = e.Time
	case engine.StateExited, engine.StateFailed:
		s.ended(e.Visit, e.Time)
	case engine.RetryScheduled:
		s.of(e.Visit).Retries++
	case engine.ErrorCaught:
		s.of(e.Visit).Catches++
	case engine.BranchAborted, engine.IterationAborted:
		if detail, ok := e.Detail.(*engine.ThreadDetail); ok && detail.Visit != nil {
			s.ended(detail.Visit, e.Time)
		}
	case engine.ExecutionTimedOut: // of no state
	default:
		if e.RaisesError() {
			s.of(e.Visit).Failures++
		}
	}
}

func (s *Stats) ended(visit *engine.Visit, at int64) {
	began, ok := s.open[visit]
	if !ok {
		return
	}
	delete(s.open, visit)
	of, took := s.of(visit), time.Duration(at-began)
	if of.Ended == 0 || took < of.Shortest {
		of.Shortest = took
	}
	of.Longest = max(of.Longest, took)
	of.Total += took
	of.Ended++
}

func (s *Stats) of(visit *engine.Visit) *StateStats {
	known := s.states[visit.State]
	if known == nil {
		path := visit.State.Path()
		if path == "" { // a state that no definition has
			path = indexes.ReplaceAllString(visit.Path(), "/Iterations[*]/")
		}
		known = &StateStats{Path: path, Type: visit.State.Type}
		s.states[visit.State] = known
		s.order = append(s.order, known)
	}
	return known
}
