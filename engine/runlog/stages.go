package runlog

import (
	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/value"
)

// VisitStages are the stages of one visit and how far each had come at an event of the log.
type VisitStages struct {
	// Visit is the visit of the event, nil for an event of the whole execution.
	Visit *engine.Visit
	// Stages are in their order. Assign is among them only where the state has the field.
	Stages []StageMark
	// Attempt is the number of the attempt at the state's work, from 1.
	Attempt int
	// Caught is the catcher that has taken over the visit, or nil.
	Caught *asl.Catcher

	index int // of the event
}

// StageMark says how far one stage of a visit has come.
type StageMark struct {
	Info  engine.StageInfo
	State StageState
	// Counts are the numbers of members that the newest result changed.
	Counts value.Counts
	// Edited reports that the result was replaced by hand.
	Edited bool
	// Times is how often the stage has run. The ItemSelector of a Map runs once for each item.
	Times int
	// Last is the event of the newest result, or nil.
	Last *engine.Event
	// Newest is the newest event of the stage, or nil: its result, the entry or exit of the state, or the begin, end or failure of its
	// work.
	Newest *engine.Event
	// Size is the size of the data that Newest made, or else has, as JSON in bytes; 0 where it has none.
	Size int
}

// StageState says how far a stage has come.
type StageState uint8

// The states of a stage.
const (
	StagePending StageState = iota // has not begun
	StageAbsent                    // has no field: it passes the data on
	StageBegun
	StageCompleted
	StageFailed
)

// StagesAt returns the stages of the visit of event i, counted from 0. previous may be the result of StagesAt for an earlier
// event: where that is of the same visit only the events since then are read.
func (l *Log) StagesAt(i int, previous *VisitStages) VisitStages {
	s := VisitStages{Visit: l.At(i).Visit, Attempt: 1, index: i}
	if s.Visit == nil {
		return s
	}
	from := s.begin(previous)
	for at := from; at <= i; at++ {
		if event := l.At(at); event.Visit == s.Visit {
			s.apply(event)
		}
	}
	for k := range s.Stages {
		if m := &s.Stages[k]; m.Last != nil && m.Last.Seq > int64(from) {
			m.Counts = value.Count(m.Last.Before, m.Last.After)
		}
		if m := &s.Stages[k]; m.Newest != nil && m.Newest.Seq > int64(from) {
			if data := m.Data(); data != nil {
				m.Size = value.Size(data)
			}
		}
	}
	return s
}

// begin takes the marks of previous, or the marks of a visit that was just entered, and returns the first event to
// apply.
func (s *VisitStages) begin(previous *VisitStages) int {
	if previous != nil && previous.Visit == s.Visit && previous.index < s.index {
		s.Stages = append(s.Stages, previous.Stages...)
		s.Attempt, s.Caught = previous.Attempt, previous.Caught
		return previous.index + 1
	}
	for _, info := range engine.StagesOf(s.Visit.State) {
		mark := StageMark{Info: info}
		if !info.Declared {
			if info.Stage == engine.StageAssign {
				continue
			}
			mark.State = StageAbsent
		}
		s.Stages = append(s.Stages, mark)
	}
	return int(s.Visit.Entered) - 1
}

// IndexOf returns the index of a stage in Stages, -1 where it is not among them.
func (s *VisitStages) IndexOf(stage engine.Stage) int {
	for i := range s.Stages {
		if s.Stages[i].Info.Stage == stage {
			return i
		}
	}
	return -1
}

func (s *VisitStages) apply(event *engine.Event) {
	switch event.Type {
	case engine.RetryStarted:
		s.retry()
		return
	case engine.ErrorCaught:
		if detail, ok := event.Detail.(*engine.CatchDetail); ok && detail.Catcher < len(event.Visit.State.Catch) {
			s.Caught = event.Visit.State.Catch[detail.Catcher]
		}
		return
	default:
	}
	if i := s.IndexOf(event.Stage); i >= 0 {
		s.Stages[i].apply(event)
	}
}

// Data returns the data that the newest event of the stage made, or else has; nil where it has none.
func (m *StageMark) Data() value.Value {
	switch {
	case m.Newest == nil:
		return nil
	case m.Newest.After != nil:
		return m.Newest.After
	}
	return m.Newest.Before
}

// retry begins another attempt: the stages from the work on have not run in it.
func (s *VisitStages) retry() {
	s.Attempt++
	for i := range s.Stages {
		if m := &s.Stages[i]; m.Info.Stage >= engine.StageResult && m.State != StageAbsent {
			*m = StageMark{Info: m.Info}
		}
	}
}

func (m *StageMark) apply(event *engine.Event) {
	m.Newest = event
	switch event.Type {
	case engine.StageCompleted:
		m.State, m.Times, m.Last = StageCompleted, m.Times+1, event
	case engine.StateExited, engine.StateEntered, engine.TaskSucceeded, engine.WaitEnded, engine.ParallelSucceeded, engine.MapSucceeded:
		m.State, m.Times = StageCompleted, m.Times+1
	case engine.DataEdited:
		m.Edited = true
	case engine.TaskScheduled, engine.WaitStarted, engine.ParallelStarted, engine.MapStarted, engine.MapRunStarted,
		engine.ObjectRequested:
		m.State = StageBegun
	case engine.StageFailed, engine.TaskFailed, engine.TaskTimedOut, engine.ParallelFailed, engine.MapFailed, engine.MapRunFailed:
		m.State = StageFailed
	default:
	}
}

// NewestOf returns the index of the newest event of a stage in a visit, -1 where the stage has none.
func (l *Log) NewestOf(visit *engine.Visit, stage engine.Stage) int {
	for i := l.Len() - 1; i >= int(visit.Entered)-1; i-- {
		if head := l.Head(i); head.Entered == visit.Entered && head.Stage == stage {
			return i
		}
	}
	return -1
}
