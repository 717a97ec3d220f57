package launch

import (
	"errors"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// Redrive names a recorded execution that goes on from its end, as RedriveExecution does; the zero Redrive is none. The definition of
// the Spec, the fixtures and the input of the state that failed may be others than they were: a what-if.
type Redrive struct {
	// File is the name of a trace, or of a file with a history of Step Functions.
	File string
	// Input replaces the input of the state that failed.
	Input Input

	trace     *recorder.Trace
	recording *rerun.Recording
}

func (r *Redrive) given() bool { return r.File != "" }

var errRedriveDefinition = errors.New("a history does not have the definition: name it")

// readRedrive opens the recording. The definition is the recorded one where the Spec has no other.
func (s *Spec) readRedrive(files Files) error {
	r := &s.Redrive
	if !r.given() || r.trace != nil || r.recording != nil {
		return nil
	}
	trace, err := recorder.Open(r.File, Formats())
	var format *recorder.FormatError
	switch {
	case err == nil && IsSkeleton(trace):
		_ = trace.Close() // it was only read
		return errors.New("the trace was made of a history: redrive the history itself")
	case err == nil:
		r.trace = trace
		if !s.Definition.given() {
			s.Definition.Machine = trace.Definition()
		}
		s.Dialect = trace.Header().Dialect
	case errors.As(err, &format) && format.Version == 0:
		h := History{Files: []string{r.File}, Execution: s.History.Execution, Attempt: s.History.Attempt}
		if r.recording, err = h.Open(files); err != nil {
			return err
		}
		if !s.Definition.given() {
			return errRedriveDefinition
		}
	default:
		return err
	}
	return r.Input.read(files, s.warn)
}

// recorded returns the options of the recorded execution and its events, and the number of redrives before them.
func (r *Redrive) recorded(c *composition) (debug.Options, []engine.Event, int, error) {
	if r.recording != nil {
		options, _ := r.recording.Options()
		if options.Input == nil {
			return options, nil, 0, rerun.ErrNoInput
		}
		return options, r.recording.Events(c.Definition.Machine), r.recording.Threads.Redriven, nil
	}
	recording, err := r.trace.Last().Recording()
	return r.trace.Header().Options(), recording.Events, 0, err
}

// redrive makes a session of the recorded events that goes on.
func (c *composition) redrive(source outcome.Source) error {
	recorded, events, earlier, err := c.Redrive.recorded(c)
	if err != nil {
		return err
	}
	recorded.Clock, recorded.Interrupt, recorded.Limits = c.options.Clock, c.options.Interrupt, c.options.Limits
	recorded.Source, recorded.Sink, recorded.Abort = nil, nil, nil
	c.options = recorded
	if err := c.record(); err != nil {
		return &PartError{Part: PartTrace, Err: err}
	}
	c.run.Session = debug.ReplayLog(c.machine, recorded, debug.Recording{Events: events})
	return c.run.Session.Redrive(debug.Redriving{
		Machine: c.machine, Input: c.Redrive.Input.Value, Source: source, Sink: c.options.Sink, Earlier: earlier,
	})
}
