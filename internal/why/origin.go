package why

import (
	"errors"
	"fmt"

	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// Origin asks for the origin of a value of a run.
type Origin struct {
	// Event is the index of the event, from 0, in whose data Path is. An empty Path is the one for which the event
	// failed.
	Event int
	Path  string
	// Forward asks for the later uses of the value. All names all steps, not just the first [provenance.DefaultLimit].
	Forward, All bool
}

// ErrNoPath says that there is no path: none was given, and the event did not fail for one.
var ErrNoPath = errors.New("which value? the path is one in the data of the event, such as '$.order.id'")

// maxPath bounds a path in a message, in bytes.
const maxPath = 80

// OriginOf follows a value back to its origins, or forward, or finds where it was lost. The error is ErrNoPath or one
// about the path.
func OriginOf(run interface {
	Log() *runlog.Log
	Explainer() *provenance.Explainer
}, o Origin) (*report.Answer, error) {
	lens := provenance.LensOf(run)
	if o.All {
		lens.Limit = -1
	}
	if o.Path == "" {
		u := lens.Unmet(o.Event)
		if u == nil {
			return nil, ErrNoPath
		}
		o.Path, o.Event = u.Path, u.Event
	}
	way, loss, err := o.find(lens)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the path %q: %w", wording.Clip(o.Path, maxPath), err)
	case loss != nil:
		return &report.Answer{
			Doc:  func(l report.Look) *report.Doc { return explain.LossDoc(loss, lens.Log, l) },
			Data: func() any { return explain.LossJSON(loss, lens.Log) },
		}, nil
	}
	return &report.Answer{
		Doc:  func(l report.Look) *report.Doc { return explain.WayDoc(way, lens.Log, l) },
		Data: func() any { return explain.WayJSON(way, lens.Log) },
	}, nil
}

// find returns the way of the value, or its loss.
func (o *Origin) find(lens *provenance.Lens) (*provenance.Way, *provenance.Loss, error) {
	if o.Forward {
		way, err := lens.Forward(o.Event, o.Path)
		if err == nil {
			return way, nil, nil
		}
		if _, loss, wrong := lens.Find(o.Event, o.Path); wrong == nil && loss != nil {
			return nil, loss, nil
		}
		return nil, nil, err
	}
	return lens.Find(o.Event, o.Path)
}
