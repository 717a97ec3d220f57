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
	open   map[int64]opened // the visits that have not ended, by their entries
	newest engine.EventType
}

// opened is the entry into a state.
type opened struct {
	of *StateStats
	at int64
}

// NewStats returns a Stats that has seen nothing.
func NewStats() *Stats {
	return &Stats{
		Types:  make(map[engine.EventType]int64),
		states: make(map[*asl.State]*StateStats), open: make(map[int64]opened),
	}
}

// Newest returns the type of the last event; ok is false where there is none.
func (s *Stats) Newest() (kind engine.EventType, ok bool) { return s.newest, s.Events > 0 }

// States returns the figures by state, in the order in which the states were first entered.
func (s *Stats) States() []*StateStats { return s.order }

// Add takes in the next event. The events belong to one run.
func (s *Stats) Add(e *engine.Event) {
	at := moment{kind: e.Type, time: e.Time}
	if e.Visit != nil {
		at.of, at.entered = s.of(e.Visit.State, e.Visit.Path), e.Visit.Entered
	}
	s.add(&at)
	if e.Type != engine.BranchAborted && e.Type != engine.IterationAborted {
		return
	}
	if detail, ok := e.Detail.(*engine.ThreadDetail); ok && detail.Visit != nil {
		s.ended(detail.Visit.Entered, e.Time)
	}
}

// moment is as much of an event as the figures need. of is nil where the event belongs to no state.
type moment struct {
	kind          engine.EventType
	time, entered int64
	of            *StateStats
}

func (s *Stats) add(m *moment) {
	s.Types[m.kind]++
	at := time.Unix(0, m.time).UTC()
	if s.Events == 0 {
		s.First = at
	}
	s.Last, s.newest = at, m.kind
	s.Events++
	if m.of == nil {
		return
	}
	switch m.kind {
	case engine.StateEntered:
		m.of.Visits++
		s.open[m.entered] = opened{m.of, m.time}
	case engine.StateExited, engine.StateFailed:
		s.ended(m.entered, m.time)
	case engine.RetryScheduled:
		m.of.Retries++
	case engine.ErrorCaught:
		m.of.Catches++
	case engine.ExecutionTimedOut: // of no state
	default:
		if m.kind.Traits().Raises {
			m.of.Failures++
		}
	}
}

// ended takes in the end of the visit that began with an event.
func (s *Stats) ended(entered, at int64) {
	began, ok := s.open[entered]
	if !ok {
		return
	}
	delete(s.open, entered)
	of, took := began.of, time.Duration(at-began.at)
	if of.Ended == 0 || took < of.Shortest {
		of.Shortest = took
	}
	of.Longest = max(of.Longest, took)
	of.Total += took
	of.Ended++
}

// of returns the figures of a state; path returns the state path of a visit of it.
func (s *Stats) of(state *asl.State, path func() string) *StateStats {
	known := s.states[state]
	if known == nil {
		known = &StateStats{Path: state.Path(), Type: state.Type}
		if known.Path == "" { // a state that no definition has
			known.Path = indexes().ReplaceAllString(path(), "/Iterations[*]/")
		}
		s.states[state] = known
		s.order = append(s.order, known)
	}
	return known
}
