package explore

import (
	"errors"

	"asldb/engine"
	"asldb/engine/cause"
	"asldb/engine/path"
	"asldb/engine/provenance"
)

// missesInput reports whether an error is that of a path whose value was never there, neither in the input nor in a result.
func (a *analysis) missesInput(root *cause.Link) bool {
	var miss *path.MissError
	if root.Failure.Err == nil || !errors.As(root.Failure.Err, &miss) || root.Event < 0 {
		return false
	}
	lens := &provenance.Lens{Log: a.log}
	event := root.Event
	for event > 0 && a.log.At(event).Type != engine.StateEntered {
		event--
	}
	loss, err := lens.Loss(event, miss.Path.String())
	return err == nil && loss.Kind == provenance.NeverThere
}
