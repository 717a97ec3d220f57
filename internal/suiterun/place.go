package suiterun

import (
	"path/filepath"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/internal/report"
	"asldb/internal/suite"
)

// nowhere is the place of expectations that are about no state.
var nowhere suite.StatePlace

// PlaceOf returns the place of a field of a state in the definition: "order.asl.json:44 Parameters"; of the state
// itself without a field.
func PlaceOf(state *asl.State, field string) (place suite.StatePlace) {
	at := state.Place(field)
	if at.Source == nil {
		return place
	}
	start := at.Span.Start
	if at.Key.Start.Line > 0 {
		start = at.Key.Start
	}
	place.Place = report.Place{File: at.Source.Name, Line: start.Line, Col: start.Col}
	if place.Part = field; field == "" {
		place.Part = state.Name
	}
	return place
}

// fileLine returns the place of a state: "order.asl.json:40".
func (k *checker) fileLine(state *asl.State) string {
	at := state.Place("")
	if at.Source == nil {
		return state.Name
	}
	return place(filepath.Base(at.Source.Name), at.Span.Start.Line)
}

func (k *checker) failurePlace(failure *engine.Failure) (place suite.StatePlace) {
	if failure == nil || failure.Origin == nil || failure.Origin.State == nil {
		return place
	}
	return PlaceOf(failure.Origin.State, failure.Field)
}
