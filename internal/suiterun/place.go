package suiterun

import (
	"path/filepath"
	"strconv"

	"asldb/engine"
	"asldb/engine/asl"
)

// PlaceOf returns the place of a field of a state in the definition: "order.asl.json:44 Parameters"; of the state
// itself without a field.
func PlaceOf(state *asl.State, field string) string {
	at := state.Place(field)
	if at.Source == nil {
		return ""
	}
	place := filepath.Base(at.Source.Name) + ":" + strconv.Itoa(at.Span.Start.Line)
	if at.Key.Start.Line > 0 {
		place = filepath.Base(at.Source.Name) + ":" + strconv.Itoa(at.Key.Start.Line)
	}
	if field == "" {
		return place + " " + state.Name
	}
	return place + " " + field
}

// fileLine returns the place of a state: "order.asl.json:40".
func (k *checker) fileLine(state *asl.State) string {
	at := state.Place("")
	if at.Source == nil {
		return state.Name
	}
	return filepath.Base(at.Source.Name) + ":" + strconv.Itoa(at.Span.Start.Line)
}

func (k *checker) failurePlace(failure *engine.Failure) string {
	if failure == nil || failure.Origin == nil || failure.Origin.State == nil {
		return ""
	}
	return PlaceOf(failure.Origin.State, failure.Field)
}
