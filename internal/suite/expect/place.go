package expect

import (
	"path/filepath"
	"strconv"
	"strings"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
)

// placeOf returns the place of a field of a state in the definition: "order.asl.json:44 Parameters"; of the state itself without
// a field.
func (k *checker) placeOf(state *asl.State, field string) string {
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

func (k *checker) failurePlace(failure *engine.Failure) string {
	if failure == nil || failure.Origin == nil || failure.Origin.State == nil {
		return ""
	}
	return k.placeOf(failure.Origin.State, failure.Field)
}

// origin says in one line where the value at a path of the data of an event came from.
func (k *checker) origin(event int, path string) string {
	if event < 0 || path == "" {
		return ""
	}
	var text strings.Builder
	for _, span := range explain.Origin(k.session, event, path) {
		text.WriteString(span.Text)
	}
	return text.String()
}
