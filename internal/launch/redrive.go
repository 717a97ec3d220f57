package launch

import (
	"errors"
	"fmt"
	"time"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/outcome"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// Redrive names a recorded execution that continues at its end, as RedriveExecution does; the zero Redrive is none. The
// definition of the Spec, the fixtures and the input of the state that failed may be others than they were: a what-if.
type Redrive struct {
	// File is the name of a trace, or of a file with a history of Step Functions.
	File string
	// Input replaces the input of the state that failed.
	Input Input
	// Time is the virtual time of the redrive; zero: the time of the recorded execution's end.
	Time time.Time

	trace     *recorder.Trace
	recording *rerun.Recording
}

func (r *Redrive) isGiven() bool { return r.File != "" }

var errRedriveDefinition = errors.New("a history does not have the definition: name it")

// readRedrive opens the recording. The definition is the recorded one where the Spec has no other.
func (s *Spec) readRedrive(reader files.Files) error {
	r := &s.Redrive
	if !r.isGiven() || r.trace != nil || r.recording != nil {
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
		if !s.Definition.Given() {
			s.Definition.Machine = trace.Definition()
		}
		s.Dialect = trace.Header().Dialect
	case errors.As(err, &format) && format.Version == 0:
		h := History{Files: []string{r.File}, Execution: s.History.Execution, Attempt: s.History.Attempt}
		if r.recording, err = h.Open(reader); err != nil {
			return err
		}
		if !s.Definition.Given() {
			return errRedriveDefinition
		}
	default:
		return err
	}
	return r.Input.read(reader, s.warn)
}

// recorded returns the options of the recorded execution and its events.
func (r *Redrive) recorded(c *composition) (debug.Options, []engine.Event, error) {
	if r.recording != nil {
		options, _ := r.recording.Options()
		if options.Input == nil {
			return options, nil, rerun.ErrNoInput
		}
		return options, r.recording.Events(c.Definition.Machine), nil
	}
	recording, err := r.trace.Last().Recording()
	relocate(recording.Events, c.Definition.Machine)
	return r.trace.Header().Options(), recording.Events, err
}

// relocate makes the visits of events ones of the states of a changed definition. Those of states that it lacks, or in which the
// events would not fit, stay as they are.
func relocate(events []engine.Event, definition *asl.StateMachine) {
	for i := range events {
		visit := events[i].Visit
		if visit == nil || events[i].Type != engine.StateEntered {
			continue
		}
		if now := definition.Lookup(visit.State.Path()); now != nil && sameParts(visit.State, now) {
			visit.State = now
		}
	}
}

// sameParts reports whether events of a state can be ones of another: the rules, retriers, catchers and branches that they number are there.
func sameParts(was, now *asl.State) bool {
	return was.Type == now.Type && len(was.Choices) <= len(now.Choices) && len(was.Retry) <= len(now.Retry) && len(was.Catch) <= len(now.Catch) &&
		len(was.Branches) <= len(now.Branches)
}

// redrive makes a session that continues the recorded events.
func (c *composition) redrive(source outcome.Source) error {
	recorded, events, err := c.Redrive.recorded(c)
	if err != nil {
		return err
	}
	recorded.Clock, recorded.Interrupt, recorded.Limits = c.options.Clock, c.options.Interrupt, c.options.Limits
	recorded.Source, recorded.Sink, recorded.Abort = nil, nil, nil
	c.options = recorded
	if err := c.record(); err != nil {
		return &files.PartError{Part: files.PartTrace, Err: err}
	}
	c.run.Session = debug.ReplayLog(c.machine, recorded, debug.Recording{Events: events})
	return c.run.Session.Redrive(debug.Redriving{
		Machine: c.machine, Input: c.Redrive.Input.Value, Source: source, Sink: c.options.Sink, Time: c.Redrive.Time,
	})
}

// Input is an input of a run.
type Input struct {
	// Text is JSON, the name of a file, or "-".
	Text string
	// Value is the input itself, in place of Text.
	Value value.Value
	// Written is the text of Value; empty where it has none. It comes from Text, once that was read.
	Written string
}

func (i *Input) read(reader files.Files, warn func(files.Warning)) error {
	if i.Text == "" || i.Value != nil {
		return nil
	}
	given, err := reader.JSON(i.Text)
	if err != nil {
		return err
	}
	for _, text := range files.Repeated(given.Repeated) {
		warn(files.Warning{Part: files.PartInput, Text: text})
	}
	i.Value, i.Written = given.Value, given.Text
	return nil
}

// SizeError says that an input is larger than the service takes.
type SizeError struct{ Size, Limit int } // in bytes

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the input has %d bytes, and Step Functions takes at most %d", e.Size, e.Limit)
}
