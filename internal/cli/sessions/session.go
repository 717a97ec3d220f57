// Package sessions makes a session of the flags of a command, with its trace, its consent to live calls and its screen, and saves
// it when a fault ends the program.
package sessions

import (
	"errors"
	"fmt"
	"os"

	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/wording"
)

// Run is a run with the notes and warnings about it.
type Run struct {
	*launch.Run
	Tracing  *Tracing // nil: none
	Messages []string // for its beginning

	quiet bool // the facts about the history are on the screen alone
}

// Fill completes the Spec by the flags.
func (f *Flags) Fill(s *command.Streams) error {
	f.Spec.Stdin, f.Spec.Now, f.Spec.Warn = s.In, s.Now, s.Warn
	if err := f.Complete(command.Version()); err != nil {
		return err
	}
	if f.hasScreen && !f.NoState {
		f.Spec.State = store.Dir(os.Getenv)
	}
	return f.fillCase(s)
}

// Launch makes the run of the Spec, and writes the facts about its history. The run is to be closed, also with an error.
func (f *Flags) Launch(s *command.Streams) (*Run, error) {
	b := &Run{quiet: f.Back != ""}
	f.Spec.Permit = func(file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
		return b.permitted(s, f, file, bound)
	}
	if err := b.Launch(s, f.Spec); err != nil {
		return b, err
	}
	if b.Source == nil || f.NoLive || f.Spec.Missing == fixtures.Fail {
		return b, nil
	}
	if refused := b.Source.NotAllowed(); len(refused) > 0 {
		b.Messages = append(b.Messages, fmt.Sprintf("%s not called, since that is not allowed (--allow-live allows it): %s at %s:%d first",
			areNot(len(refused)), refused[0].Call, refused[0].File, refused[0].Line))
	}
	return b, nil
}

// Launch makes the run of a Spec, and writes the facts about its history.
func (b *Run) Launch(s *command.Streams, spec launch.Spec) (err error) {
	b.Run, err = launch.New(spec)
	if b.Trace != nil {
		b.Tracing = &Tracing{writer: b.Trace}
	}
	for i, line := range b.About {
		b.About[i] = wording.Line(line)
		if !b.quiet {
			fmt.Fprintln(s.Err, b.About[i])
		}
	}
	if h := &b.Spec.History; err == nil && !b.quiet && h.Recording != nil && h.Attempt == 0 {
		if attempts := len(h.Recording.Attempts()); attempts > 1 {
			fmt.Fprintf(s.Err, "attempt %d of %d is shown: --attempt N opens another\n", attempts, attempts)
		}
	}
	b.Messages = append(b.Notes, b.Messages...)
	return command.DefinitionError(s, err)
}

// End ends the run: its calls, and its trace, whose faults it writes.
func (b *Run) End(s *command.Streams) {
	_ = b.Close() // an error of the trace is written below
	b.Tracing.close(s)
}

// StatusOf returns the error of a run that ended with err: a run that differs from the recorded one has its own exit
// status.
func (b *Run) StatusOf(err error) error {
	var ended *command.ExitError
	switch {
	case !b.Diverged:
	case err == nil:
		return command.Exit(command.StatusDiffers, nil)
	case errors.As(err, &ended) && ended.Status == command.StatusFailed:
		return command.Exit(command.StatusDiffers, ended.Err)
	}
	return err
}
