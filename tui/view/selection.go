package view

import (
	"cmp"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/runlog"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/tui/part/listing"
)

// Selection is the event that the screen shows, with the stages of its visit and the data to look at.
type Selection struct {
	// Index is the event's in the log, -1 before the first event.
	Index int
	// Event is nil before the first event.
	Event *engine.Event
	runlog.VisitStages
	// Now is the index of the event's stage in Stages, or -1.
	Now int
	// Before and After are the data of the event Source: an earlier one of the visit where Event has none.
	Before, After value.Value
	Source        *engine.Event
}

// Select selects event index of the log. previous is the selection before it, or nil: where it is an earlier event of
// the same visit, its stages are taken over.
func Select(log *runlog.Log, index int, previous *Selection) *Selection {
	if index < 0 || index >= log.Len() {
		return &Selection{Index: -1, Now: -1, VisitStages: runlog.VisitStages{Attempt: 1}}
	}
	var stages *runlog.VisitStages
	if previous != nil {
		stages = &previous.VisitStages
	}
	s := &Selection{Index: index, Event: log.At(index), VisitStages: log.StagesAt(index, stages), Now: -1}
	s.Source, s.Before, s.After = s.Event, s.Event.Before, s.Event.After
	if s.Event.Type == engine.ErrorCaught {
		s.Before = nil // the raw input, which the following stages change
	}
	if s.Visit == nil {
		return s
	}
	if s.Event.Stage != engine.NoStage {
		s.Now = s.IndexOf(s.Event.Stage)
	}
	if s.Before == nil && s.After == nil {
		s.borrowData(log)
	}
	return s
}

// LookBack bounds the number of earlier events among which one without data looks for some.
const LookBack = 10_000

func (s *Selection) borrowData(log *runlog.Log) {
	first := max(int(s.Visit.Entered)-1, s.Index-LookBack)
	for i := s.Index - 1; i >= first; i-- {
		if e := log.At(i); e.Visit == s.Visit && (e.After != nil || e.Before != nil) {
			s.Source, s.Before, s.After = e, nil, e.After
			s.After = cmp.Or(s.After, e.Before)
			return
		}
	}
}

// Field returns the name of the field of the event's stage, or "".
func (s *Selection) Field() string {
	if s.Now < 0 {
		return ""
	}
	return s.Stages[s.Now].Info.Field
}

// StageName returns the name of the event's stage, the event's own where it has none.
func (s *Selection) StageName() string {
	switch {
	case s.Event == nil:
		return ""
	case s.Now >= 0:
		return s.Field()
	}
	return s.Event.Type.String()
}

// Expression returns the name of the field of the event's stage, its text in the definition and its purpose; the field
// is "" where the event has no stage.
func (s *Selection) Expression() (field, text, purpose string) {
	if s.Event == nil || s.Now < 0 {
		return "", "", ""
	}
	return explain.Expression(s.Visit.State, &s.Stages[s.Now].Info, s.Caught)
}

// Heading returns the name of the state, and its type with the numbers of the attempt and the visit. Of an event
// outside of states it names the data: the execution's input or output.
func (s *Selection) Heading() (title, note string) {
	switch {
	case s.Visit != nil:
	case s.Event == nil || s.Event.Type == engine.ExecutionStarted:
		return "Execution input", ""
	case s.Event.Type == engine.ExecutionSucceeded:
		return "Execution output", ""
	default:
		return "Execution", ""
	}
	note = s.Visit.State.Type.String()
	if s.Attempt > 1 {
		note += ", attempt " + strconv.Itoa(s.Attempt)
	}
	if s.Visit.Number > 1 {
		note += ", visit " + strconv.Itoa(s.Visit.Number)
	}
	return s.Visit.State.Name, note
}

// MarksOf returns the marks around the text of a definition at the selected event: the marks of its state, its
// current field, or the one that failed, and the values of its expressions.
func (s *Selection) MarksOf(session *debug.Session, problems []source.Diagnostic) listing.Marks {
	m := listing.Marks{Problems: problems, Breakpoints: session.Breakpoints().All(), Now: s.Now}
	if definition := session.Machine().Definition(); listing.IsConverted(definition) {
		m.Values = explain.Tried(definition, session.Log(), s.Index)
		if s.Visit != nil {
			m.State = s.Visit.State
		}
		return m
	}
	if s.Visit == nil {
		return m
	}
	m.State, m.Stages = s.Visit.State, &s.VisitStages
	if s.Now >= 0 {
		m.Field = listing.FieldOf(m.State, s.Stages[s.Now].Info.Stage, s.Caught)
	}
	switch detail := s.Event.Detail.(type) {
	case *engine.RetryDetail:
		m.Field = "Retry/" + strconv.Itoa(detail.Retrier)
	case *engine.CatchDetail:
		m.Field = "Catch/" + strconv.Itoa(detail.Catcher)
	}
	if f := s.Event.Failure(); f != nil && f.Origin != nil && f.Origin.State == m.State && f.Field != "" {
		m.Field = f.Field
	}
	m.Values = explain.Values(session, s.Index, &s.VisitStages)
	return m
}

// MarksOfState returns the marks of a state other than the selected event's, or nil for none: with the values of
// its newest visit up to that event.
func (s *Selection) MarksOfState(session *debug.Session, state *asl.State, problems []source.Diagnostic) listing.Marks {
	m := listing.Marks{State: state, Problems: problems, Breakpoints: session.Breakpoints().All(), Now: -1}
	if definition := session.Machine().Definition(); listing.IsConverted(definition) {
		m.Values = explain.Tried(definition, session.Log(), s.Index)
		return m
	}
	if i := explain.LastIn(session.Log(), state, s.Index); state != nil && i >= 0 {
		stages := session.Log().StagesAt(i, nil)
		m.Stages, m.Values = &stages, explain.Values(session, i, &stages)
	}
	return m
}
