// Package runs has the commands that run a definition: run, debug and demo.
package runs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/explain"
	"asldb/engine/lint"
	"asldb/engine/value"
	"asldb/engine/waiter"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/internal/wording"
	"asldb/recorder"
	"asldb/recorder/history"
)

// NewRun returns the command "run".
func NewRun(s *command.Streams) *cobra.Command {
	options, output, warnings := &sessions.Flags{}, &OutputFlags{}, false
	cmd := &cobra.Command{
		Use:   "run [DEFINITION]",
		Short: "Run a definition without a screen and print its output",
		Args:  sessions.DefinitionOrCase(sessions.DefinitionOrRedrive),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := CheckUnattended(options, command.FirstOf(args)); err != nil {
				return err
			}
			if err := output.Check(); err != nil {
				return err
			}
			options.Spec.Definition.File = command.FirstOf(args)
			if err := options.Fill(s); err != nil {
				return err
			}
			if err := command.Choose(cmd.Context(), s, &options.Spec.Definition,
				func() error { return options.Read(s) }); err != nil {
				return err
			}
			if text := options.Spec.Definition.Text; warnings && text != nil {
				command.WriteProblems(s, text.Problems(lint.Options{}))
			}
			return RunSpec(cmd, s, options, output)
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	output.AddTo(cmd)
	options.Rows(cmd).Add(launch.Outcomes|launch.Named|launch.Running|launch.Redriving).Unattended().Row("test").
		Row("no-state", noConsents)
	cmd.Flags().BoolVar(&warnings, "warnings", false, "print the warnings of asldb validate on standard error first")
	return cmd
}

// noConsents are the words about --no-state of commands without a screen.
const noConsents = ": the consents to live calls (see asldb allow)"

// RunSpec makes the session of a Spec that was read, and runs it to its end.
func RunSpec(cmd *cobra.Command, s *command.Streams, options *sessions.Flags, output *OutputFlags) (err error) {
	// Nothing asks for earlier events; answers that the user typed are not to be lost by a fault.
	options.Spec.Forget = output.format == formatOutput && output.cover.File == "" && output.ended == nil &&
		len(options.Spec.Breakpoints) == 0 && options.Spec.Missing != fixtures.Ask
	ended := command.Listen(cmd.Context()) // calls end with the run
	defer ended.Stop()
	options.Spec.Interrupt = ended.Interrupts
	var session *debug.Session
	defer sessions.CatchFault(s, options.Trace.Redact, &session, &err)
	b, err := options.Launch(s)
	defer b.End(s)
	session = b.Session
	if err != nil {
		return err
	}
	for _, note := range b.Messages {
		fmt.Fprintln(s.Err, wording.Line("note: "+note))
	}
	r := &runner{Streams: s, session: session, format: output.format, trace: b.Tracing, calls: b.Calls}
	steering, _ := options.Spec.Definition.Projects.For(options.Spec.Definition.File) // which has been read
	r.facts = output.facts
	r.quiet = output.quiet || output.Waiter || output.ended != nil || output.format == formatJSON ||
		!steering.Noticed() && !r.facts
	if b.Calls != nil {
		b.Calls.Keep()
	}
	if output.format == formatEvents {
		r.events = recorder.NewWriter(wording.NewWriter(s.Out))
		r.nested = newNestedEvents(r.events, b.Calls, nil)
		r.nested.polls = output.Polls
	}
	if output.format == formatPolls {
		r.polls = output.Polls
	}
	err = r.run(ended)
	if output.ended != nil {
		err = output.ended(b.Run, err)
	}
	if output.unused {
		writeUnused(s, b.Source)
	}
	if failed := output.cover.write(s, session, &options.Spec.Definition); failed != nil {
		return failed
	}
	return b.StatusOf(err)
}

// OutputFlags are the flags for the output of a run.
type OutputFlags struct {
	format string
	events bool
	quiet  bool // the facts that the run noticed are not printed
	facts  bool // they are printed, of a run that has failed too
	unused bool // write the results of fixtures that the run did not use
	cover  coverageFlags
	Waiter bool          // the run is one of a waiter
	Polls  *waiter.Polls // then
	// ended is called at the end of the run, with its error, and returns the command's error; it may be nil.
	ended func(*launch.Run, error) error
}

// AddTo adds the flags.
func (f *OutputFlags) AddTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.events, "events", false,
		"print every event, one JSON object per line, instead of the output")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "say less: leave out the facts that the run noticed")
	if !f.Waiter {
		cmd.Flags().BoolVar(&f.facts, "notices", false,
			"also name the facts that a run noticed, where it has not succeeded or the project file turns them off")
	}
	cmd.Flags().BoolVar(&f.unused, "unused", false,
		"list on standard error the results in the fixtures that the run did not use")
	usage := ": the output, every event, Step Functions' history of the run, or how it\n" +
		"ended with all that it noticed, as JSON"
	if f.Waiter {
		usage = ": the last response, a line for each poll, every event (of those that end\n" +
			"a poll, the member \"poll\" has its verdicts and delay), or Step Functions' history of the run"
	}
	command.AddFormatTo(cmd, &f.format, usage, f.formats()...)
	f.cover.addTo(cmd)
}

// formats returns the forms of the output.
func (f *OutputFlags) formats() []string {
	if f.Waiter {
		return []string{formatOutput, formatPolls, formatEvents, formatHistory}
	}
	return []string{formatOutput, formatEvents, formatHistory, formatJSON}
}

// The forms of the output of run.
const (
	formatOutput  = "output"
	formatEvents  = "events"
	formatHistory = "history"
	formatPolls   = "polls" // of waiters
	formatJSON    = "json"  // the status, the output or the error, and the facts that the run noticed
)

// Check refuses flags that exclude each other, and sets the format by --events.
func (f *OutputFlags) Check() error {
	if f.events && f.format == formatOutput {
		f.format = formatEvents
	}
	if f.events && f.format != formatEvents {
		return fmt.Errorf("--events is short for --format %s, and --format is %s", formatEvents, f.format)
	}
	if f.facts && f.quiet {
		return errors.New("--notices and --quiet exclude each other")
	}
	return f.cover.check()
}

// runner carries a session to its end without a screen.
type runner struct {
	*command.Streams
	session *debug.Session
	format  string
	quiet   bool             // the facts that the run noticed are not printed
	facts   bool             // they are printed, of a run that has failed too
	events  *recorder.Writer // of formatEvents
	nested  *nestedEvents
	polls   *waiter.Polls // of formatPolls
	written int           // events so far
	answers *answerReader
	trace   *sessions.Tracing
	calls   *live.Calls // nil: nothing is called
}

// budget is the number of steps of the engine between two checks for a signal.
const budget = 4096

// CheckUnattended refuses flags that need a screen, or standard input for two things.
func CheckUnattended(f *sessions.Flags, definitions ...string) error {
	if f.Spec.Clock.Mode == debug.ClockByHand {
		return errors.New("--clock manual needs the screen: use asldb debug")
	}
	if f.Spec.Missing == fixtures.Ask && (f.Spec.Input.Text == files.Stdin ||
		slices.Contains(definitions, files.Stdin)) {
		return errors.New("--on-missing ask reads results from standard input, so the definition and --input cannot be there too")
	}
	return nil
}

func (r *runner) run(ctx context.Context) error {
	if err := r.session.Begin(debug.Command{Kind: debug.Continue}); err != nil {
		return err
	}
	for {
		stop := r.session.Advance(budget)
		r.trace.Warn(r.Streams)
		if err := r.writeEvents(); err != nil {
			return err
		}
		if ctx.Err() != nil && stop.Reason != debug.StoppedAtEnd {
			return r.finish(r.interrupted(ctx))
		}
		switch stop.Reason {
		case debug.StillRunning:
		case debug.StoppedAtEnd:
			return r.finish(r.result())
		case debug.StoppedForTime:
			if err := r.sleep(ctx, stop.Wake); err != nil {
				return r.finish(err)
			}
		case debug.StoppedForCall:
			if err := r.awaitCalls(ctx); err != nil {
				return r.finish(err)
			}
		case debug.StoppedForAnswer:
			if err := r.answer(ctx, r.session, nil); err != nil {
				return r.finish(err)
			}
		case debug.StoppedByInterrupt: // not by a signal: the evaluation gave up
			return r.finish(fmt.Errorf("the run stops%s: %w", explain.Where(r.session), stop.Err))
		default:
			if stop.Err == nil {
				stop.Err = fmt.Errorf("the run stopped for a reason that was not expected: %d", stop.Reason)
			}
			return r.finish(stop.Err)
		}
	}
}

// awaitCalls waits until a call has an outcome.
func (r *runner) awaitCalls(ctx context.Context) error {
	if r.events != nil { // a reader of the events sees the one that the run waits for
		if err := r.events.Flush(); err != nil {
			return err
		}
	}
	if err := r.calls.Wait(ctx); err != nil {
		return r.interrupted(ctx)
	}
	delivered, err := r.calls.Deliver(r.session)
	if err != nil || delivered > 0 {
		return err
	}
	return r.goOn(ctx)
}

// goOn lets an execution that a task has started continue where it has stopped: it asks for the result that the
// execution waits for, or returns its error.
func (r *runner) goOn(ctx context.Context) error {
	child := r.calls.Standing()
	if child == nil {
		return nil
	}
	chain := []*live.Child{child}
	for child.Session.Stop().Reason == debug.StoppedForCall {
		if child = child.Calls.Standing(); child == nil {
			break
		}
		chain = append(chain, child)
	}
	within := chain[len(chain)-1]
	var err error
	switch stop := within.Session.Stop(); {
	case stop.Err != nil:
		err = stop.Err
	case stop.Reason == debug.StoppedForAnswer:
		err = r.answer(ctx, within.Session, chain)
	case stop.Reason != debug.StillRunning && stop.Reason != debug.StoppedForCall:
		err = fmt.Errorf("the run stopped for a reason that was not expected: %d", stop.Reason)
	}
	var ended *command.ExitError
	if err != nil && errors.As(err, &ended) { // it was interrupted
		return err
	}
	for _, outer := range slices.Backward(chain) {
		if err != nil {
			err = outer.Fault(err)
		}
	}
	if err == nil {
		r.calls.Release()
	}
	return err
}

// writeEvents prints the events that have come up since the last time.
func (r *runner) writeEvents() error {
	if r.polls != nil {
		return r.writePolls()
	}
	if r.events == nil {
		return nil
	}
	for log := r.session.Log(); r.written < log.Len(); r.written++ {
		if err := r.nested.write(log.At(r.written)); err != nil {
			return fmt.Errorf("cannot write the events: %w", err)
		}
	}
	return nil
}

// writePolls prints the polls that have ended since the last time.
func (r *runner) writePolls() error {
	for log := r.session.Log(); r.written < log.Len(); r.written++ {
		if poll := r.polls.Add(log.At(r.written)); poll != nil {
			if _, err := fmt.Fprintln(r.Out, wording.Line(poll.String())); err != nil {
				return fmt.Errorf("cannot write the polls: %w", err)
			}
		}
	}
	return nil
}

// finish writes the rest of the events, or the history, and returns err.
func (r *runner) finish(err error) error {
	if r.format == formatHistory {
		document := history.Document(history.OfInput(r.session.Options().InputText, r.session.Log().All()))
		if _, failed := r.Out.Write(wording.JSON(append([]byte(value.Pretty(document)), '\n'))); failed != nil {
			return fmt.Errorf("cannot write the history: %w", failed)
		}
	}
	if r.events == nil {
		return err
	}
	if flushed := r.events.Flush(); flushed != nil {
		return fmt.Errorf("cannot write the events: %w", flushed)
	}
	return err
}

// result prints the output, and before it the facts that the run has noticed, or returns the error of an execution that
// has not succeeded.
func (r *runner) result() error {
	if !r.quiet && (r.facts || r.session.Status() == engine.Succeeded) {
		paint := report.Painter(report.None)
		if colours := command.Painter(r.Err, false); colours != nil {
			paint = colours
		}
		if noticed := explain.Noticed(explain.RunOf(r.session, nil)); len(noticed) > 0 {
			fmt.Fprintln(r.Err, why.Painted(noticed, paint))
		}
	}
	if r.format == formatJSON {
		if err := report.JSONLine(r.Out, ended(r.session)); err != nil {
			return command.WrapWrite(err)
		}
	}
	if r.session.Status() != engine.Succeeded {
		return command.Exit(command.StatusFailed, why.Failure(r.session, r.calls.SessionOf))
	}
	if r.format != formatOutput {
		return nil
	}
	return command.PrintValue(r.Streams, r.session.Output())
}

// ended says how a run ended and what it noticed, for a document.
func ended(s *debug.Session) any {
	result := struct {
		Status  string      `json:"status"`
		Error   *string     `json:"error,omitempty"` // as Cause, of a run that has failed
		Cause   *string     `json:"cause,omitempty"`
		Output  value.Value `json:"output,omitempty"`
		Noticed any         `json:"noticed"`
	}{Status: s.Status().String(), Noticed: explain.NoticedJSON(explain.RunOf(s, nil))}
	if failure := s.Failure(); failure != nil {
		result.Error, result.Cause = &failure.Name, &failure.Cause
	} else {
		result.Output = s.Output()
	}
	return result
}

// interrupted returns the error of a run that the user stopped, with its place: the first state without another inside
// it.
func (r *runner) interrupted(ctx context.Context) error {
	return command.EndedOf(ctx, explain.Where(r.session))
}

// sleep lets the wall clock run until the virtual time wake, and moves the virtual clock there.
func (r *runner) sleep(ctx context.Context, wake time.Time) error {
	ahead := wake.Sub(r.session.Now())
	pause := float64(ahead) / r.session.Clock().Factor
	timer := time.NewTimer(time.Duration(min(pause, math.MaxInt64/2)))
	defer timer.Stop()
	if r.events != nil { // a reader of the events sees why there are no more
		if err := r.events.Flush(); err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return r.interrupted(ctx)
	case <-timer.C:
		return r.session.Interventions().AdvanceTime(ahead)
	}
}

// writeUnused writes the results of fixtures that a run did not use. source may be nil.
func writeUnused(s *command.Streams, source *fixtures.Source) {
	if source == nil {
		return
	}
	for _, unused := range source.Unused() {
		fmt.Fprintln(s.Err, wording.Line("unused: "+unused.String()))
	}
}
