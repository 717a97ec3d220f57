package sessions

import (
	"errors"
	"fmt"
	"strconv"

	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
)

// OpenLens opens the recorded run of a Spec with all its events. The run is to be closed.
func OpenLens(s *command.Streams, spec launch.Spec) (*launch.Run, *debug.Session, error) {
	spec.Stdin, spec.Warn = s.In, s.Warn
	if err := spec.Read(); err != nil {
		return nil, nil, command.Flagged(err)
	}
	run, err := launch.New(spec)
	if err != nil {
		run.Close()
		return nil, nil, command.Flagged(err)
	}
	if run.Session.Log().Len() == 0 {
		run.Close()
		return nil, nil, fmt.Errorf("%s has no events", spec.Replay.File)
	}
	return run, run.Session, nil
}

// LensOf returns the lens over the run of a session.
func LensOf(session *debug.Session) *provenance.Lens { return provenance.LensOf(session) }

// LensFlags say which value a lens follows.
type LensFlags struct {
	Path  string // to the value, from the event's data
	Event string // its number from 1, or #id; empty: the last
}

// OfFailure sets the path and the event to the read for which a stage failed.
func (f *LensFlags) OfFailure(lens *provenance.Lens) error {
	event, err := f.event(lens)
	if err != nil {
		return err
	}
	u := lens.Unmet(event)
	if u == nil {
		return errors.New("which value? --path is a path in the data of the event, such as '$.order.id'")
	}
	f.Path, f.Event = u.Path, strconv.Itoa(u.Event+1)
	return nil
}

// event returns the index of the event.
func (f *LensFlags) event(lens *provenance.Lens) (int, error) {
	if f.Event == "" {
		return lens.Log.Len() - 1, nil
	}
	return lens.Log.Named(f.Event, 0)
}

// Find follows the value, or finds where it was lost.
func (f *LensFlags) Find(lens *provenance.Lens, forward bool) (*provenance.Way, *provenance.Loss, error) {
	event, err := f.event(lens)
	if err != nil {
		return nil, nil, err
	}
	if forward {
		way, err := lens.Forward(event, f.Path)
		var miss *path.MissError
		if err == nil || !errors.As(err, &miss) {
			return way, nil, f.about(err)
		}
	}
	way, loss, err := lens.Find(event, f.Path)
	return way, loss, f.about(err)
}

// about says which path an error is about.
func (f *LensFlags) about(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the path %q: %w", command.Clip(f.Path, command.MaxQuoted), err)
}
