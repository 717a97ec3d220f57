package view

import (
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/source"
	"asldb/tui/part/listing"
)

// MarksOf returns the marks around the text of a definition at the selected event: the marks of its state, its
// current field, or the one that failed, and the values of its expressions.
func (s *Selection) MarksOf(session *debug.Session, problems []source.Diagnostic) listing.Marks {
	m := listing.Marks{Problems: problems, Breakpoints: session.Breakpoints().All(), Now: s.Now}
	definition := session.Machine().Definition()
	if listing.IsMade(definition) {
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

// MarksOfState returns the marks of a state that is not that of the selected event, or nil for none: with the values of
// its newest visit up to that event.
func (s *Selection) MarksOfState(session *debug.Session, state *asl.State, problems []source.Diagnostic) listing.Marks {
	m := listing.Marks{State: state, Problems: problems, Breakpoints: session.Breakpoints().All(), Now: -1}
	definition := session.Machine().Definition()
	if listing.IsMade(definition) {
		m.Values = explain.Tried(definition, session.Log(), s.Index)
		return m
	}
	if i := explain.LastIn(session.Log(), state, s.Index); state != nil && i >= 0 {
		stages := session.Log().StagesAt(i, nil)
		m.Stages, m.Values = &stages, explain.Values(session, i, &stages)
	}
	return m
}
