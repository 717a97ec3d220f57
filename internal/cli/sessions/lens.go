package sessions

import (
	"errors"
	"fmt"

	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/runlog"
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

// EventOf returns the index of the event in a log.
func (f *LensFlags) EventOf(log *runlog.Log) (int, error) {
	if f.Event == "" {
		return log.Len() - 1, nil
	}
	return log.Named(f.Event, 0)
}

// Find follows the value, or finds where it was lost.
func (f *LensFlags) Find(lens *provenance.Lens, forward bool) (*provenance.Way, *provenance.Loss, error) {
	event, err := f.EventOf(lens.Log)
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
