package explore

import (
	"errors"

	"asldb/engine"
	"asldb/engine/path"
	"asldb/engine/provenance"
)

// loss says where the value of a path was lost whose miss is an error; nil where the error is another one.
func (a *analysis) loss(root *provenance.Link) *provenance.Loss {
	var miss *path.MissError
	if root.Failure.Err == nil || !errors.As(root.Failure.Err, &miss) || root.Event < 0 {
		return nil
	}
	lens := &provenance.Lens{Log: a.log}
	event := root.Event
	for event > 0 && a.log.At(event).Type != engine.StateEntered {
		event--
	}
	loss, err := lens.Loss(event, miss.Path.String())
	if err != nil {
		return nil
	}
	return loss
}
