// Package sessions makes a session of the flags of a command, with its trace, its consent to live calls and its screen, and saves
// it when a fault ends the program.
package sessions

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
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

// Fill completes the Spec by the flags whose values have to be checked.
func (f *Flags) Fill(cmd *cobra.Command, s *command.Streams) (err error) {
	spec := &f.Spec
	spec.Stdin, spec.Now, spec.Warn = s.In, s.Now, s.Warn
	if err := f.fixturesFlags.fill(&spec.Fixtures); err != nil {
		return err
	}
	if err := f.checkExecution(); err != nil {
		return err
	}
	if spec.History.Files != nil && spec.Definition.File == "" && (spec.Fixtures.Name != "" || spec.Input.Text != "") {
		return errors.New("without a definition a history is shown as it was recorded: --fixtures and --input are for running it again")
	}
	if spec.Dialect, err = engine.ParseDialect(f.dialect); err != nil {
		return fmt.Errorf("--dialect: %w", err)
	}
	if spec.Missing, err = fixtures.ParseMissing(f.OnMissing); err != nil {
		return fmt.Errorf("--on-missing: %w", err)
	}
	if f.MaxHistory < 0 {
		return fmt.Errorf("--max-history is a number from 0, not %d", f.MaxHistory)
	}
	if f.maxEvaluation < 1 && cmd.Flags().Changed("max-evaluation") {
		return fmt.Errorf("--max-evaluation is a number from 1, not %d", f.maxEvaluation)
	}
	spec.Limits = f.Limits(spec.Dialect)
	if spec.Clock, err = parseClock(f.Clock); err != nil {
		return err
	}
	if cmd.Flags().Changed("seed") {
		spec.Seed = &f.seed
	}
	if spec.Start, err = command.ParseTime("start-time", f.startTime); err != nil {
		return err
	}
	if spec.Redrive.Time, err = command.ParseTime("redrive-time", f.redriveTime); err != nil {
		return err
	}
	if spec.Stop, err = parseStop(f.stop); err != nil {
		return err
	}
	if spec.Stop != nil && (spec.Redrive.File != "" || spec.History.Files != nil) {
		return errors.New("--stop excludes --redrive and --history")
	}
	if spec.Redrive.File != "" && spec.History.Files != nil {
		return errors.New("--redrive and --history exclude each other: --redrive takes a history, too")
	}
	if spec.Redrive.File == "" && (spec.Redrive.Input.Text != "" || f.redriveTime != "") {
		return errors.New("--redrive-input and --redrive-time are for --redrive")
	}
	if f.hasScreen && !f.NoState {
		spec.State = store.Dir(os.Getenv)
	}
	if spec.Trace, err = f.Trace.Spec(); err != nil {
		return err
	}
	return f.fillCase(cmd, s)
}

// parseStop reads AFTER ERROR CAUSE.
func parseStop(text string) (*fixtures.Stop, error) {
	if text == "" {
		return nil, nil
	}
	after, rest, _ := strings.Cut(text, " ")
	stop := &fixtures.Stop{}
	stop.Error, stop.Cause, _ = strings.Cut(rest, " ")
	var err error
	if stop.After, err = fixtures.ParseDuration(after); err != nil {
		return nil, fmt.Errorf("--stop begins with the time after the start: %w", err)
	}
	return stop, nil
}

// checkExecution refuses the flags that choose an execution, where there is none to choose from.
func (f *Flags) checkExecution() error {
	h := &f.Spec.History
	switch {
	case h.Files != nil || h.Recording != nil || f.Spec.Redrive.File != "" || f.Test.name != "":
	case h.Execution != "":
		return errors.New("--execution names an execution in the files of --history; asldb debug --execution ARN fetches one from AWS")
	case h.Attempt != 0:
		return errors.New("--attempt is for an execution that is run again: name it with --history, or in asldb debug with --execution")
	}
	return nil
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
	if b.Source == nil || f.noLive || f.Spec.Missing == fixtures.Fail {
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

// Limits are Step Functions' quotas in its own dialect, and none in those of the specification.
func (f *Flags) Limits(dialect engine.Dialect) engine.Limits {
	limits := engine.LimitsOf(dialect)
	if f.NoLimits {
		limits = engine.Limits{}
	}
	limits.History = f.MaxHistory
	if f.maxEvaluation != jsonata.DefaultSteps { // that of a trace without one
		limits.Evaluation = f.maxEvaluation
	}
	return limits
}

// parseClock reads --clock.
func parseClock(text string) (debug.Clock, error) {
	clock, err := debug.ParseClock(text)
	if err != nil {
		return clock, fmt.Errorf("--clock is skip, real, manual, or a factor above 0 such as x60, not %q", text)
	}
	return clock, nil
}

// StatusOf returns the error of a run that ended with err: a run that differs from the recorded one has an exit status of its
// own.
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
