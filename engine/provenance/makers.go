package provenance

import (
	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/runlog"
)

// Maker is a field of a state that moved or made a value.
type Maker struct {
	// Event is the index of the event that did it, from 0, and Visit that of the event.
	Event int
	Visit *engine.Visit
	// Field is the field as [asl.State.Place] takes it.
	Field string
}

// Makers returns the fields of one visit through which the value at a path of the data of event i has gone, the newest first: of the visit
// that last moved or made it. There are none of a value that came with the execution's input and was not moved. The errors are those of [Of].
func Makers(log *runlog.Log, i int, text string) ([]Maker, error) {
	hops, err := Of(log, i, text)
	if err != nil {
		return nil, err
	}
	t := &tracer{log: log}
	var makers []Maker
	for _, hop := range hops {
		visit := log.At(hop.Event).Visit
		if visit == nil || len(makers) > 0 && visit != makers[0].Visit {
			break
		}
		to, err := path.ParseReference(hop.To)
		if err != nil {
			return makers, nil // a path that is not one place has no field
		}
		if field := t.fieldAt(hop.Event, segmentsOf(to)); field != "" {
			makers = append(makers, Maker{hop.Event, visit, field})
		}
	}
	return makers, nil
}
