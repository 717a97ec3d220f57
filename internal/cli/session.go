package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/recorder"
	"asldb/recorder/rerun"
)

// files are the texts that a session is made from; the demo's are built in.
type files struct {
	definition *definitionText  // nil: only the recording is known
	path       string           // of the definition; empty where it is no file
	fixtures   *fixtures.File   // nil: none
	recording  *rerun.Recording // nil: none
	forget     bool             // the session keeps no log: see launch.Spec
	interrupt  interrupt.Check  // what interrupts evaluations; nil: nothing
	// wrap makes the machine's input of the given input; nil where they are the same.
	wrap func(value.Value) value.Value

	run   *launch.Run // made from them; nil before
	trace *tracing    // of the run; nil: none
	notes []string    // about the run, for its beginning
}

// openFiles reads the definition and the fixtures.
func openFiles(s *streams, f *sessionFlags, definition string) (*files, error) {
	if definition == stdinArgument && f.input == stdinArgument {
		return nil, errors.New("the definition and --input cannot both be standard input")
	}
	opened, err := f.openRun(s, definition)
	if err != nil {
		return nil, err
	}
	return opened, opened.readFixtures(s, f)
}

// readFixtures reads the file of --fixtures, where there is one.
func (o *files) readFixtures(s *streams, f *sessionFlags) (err error) {
	o.fixtures, err = f.openFixtures(s)
	return err
}

// newSession makes a session from files and flags. It writes the definition's warnings, and what a history is.
func newSession(cmd *cobra.Command, s *streams, f *sessionFlags, opened *files) (*debug.Session, error) {
	spec, err := opened.spec(cmd, s, f)
	if err != nil {
		return nil, err
	}
	if err := opened.launch(s, spec); err != nil {
		return nil, err
	}
	if bound := opened.run.Source; bound != nil {
		if refused := bound.NotAllowed(); len(refused) > 0 && !f.noLive && spec.Missing != fixtures.Fail {
			opened.notes = append(opened.notes, fmt.Sprintf("%s not called, since that is not allowed (--allow-live allows it): %s at %s:%d first",
				areNot(len(refused)), refused[0].What, refused[0].File, refused[0].Line))
		}
	}
	return opened.run.Session, nil
}

// launch makes the run of a spec and writes what its history is. Errors name the flags.
func (o *files) launch(s *streams, spec launch.Spec) error {
	var err error
	o.run, err = launch.New(spec)
	if o.run.Trace != nil {
		o.trace = &tracing{writer: o.run.Trace}
	}
	for i, line := range o.run.About {
		o.run.About[i] = visible.Line(line)
		fmt.Fprintln(s.err, o.run.About[i])
	}
	return partError(err)
}

// partError names the flag of the part of a spec that is wrong.
func partError(err error) error {
	var wrong *launch.PartError
	if !errors.As(err, &wrong) {
		return err
	}
	var size *launch.SizeError
	switch {
	case errors.As(err, &size):
		return fmt.Errorf("%w: --no-limits lifts that", size)
	case wrong.Part == launch.PartInput:
		return fmt.Errorf("%w: give it with --input", wrong.Err)
	case wrong.Part == launch.PartBreakpoint:
		return fmt.Errorf("--break: %w", wrong.Err)
	case errors.Is(err, recorder.ErrTraceExists):
		return fmt.Errorf("--trace: %w: --trace-replace replaces it", wrong.Err)
	}
	return fmt.Errorf("--trace: %w", wrong.Err)
}

// spec is what the flags and the files say about the run. It writes the definition's errors.
func (o *files) spec(cmd *cobra.Command, s *streams, f *sessionFlags) (launch.Spec, error) {
	spec := launch.Spec{
		History: o.recording, Fixtures: o.fixtures, Wrap: o.wrap, Now: s.now, Interrupt: o.interrupt, Forget: o.forget, Breakpoints: f.breaks,
		Permit:         func(bound *fixtures.Source) (fixtures.Permission, error) { return o.permitted(s, f, bound) },
		ReadDefinition: func(name string) (*asl.StateMachine, error) { return f.readNested(s, name) },
	}
	if o.definition == nil {
		if f.fixtures != "" || f.input != "" {
			return spec, errors.New("without a definition a history is shown as it was recorded: --fixtures and --input are for running it again")
		}
		return spec, nil
	}
	var err error
	if spec.Dialect, err = engine.ParseDialect(f.dialect); err != nil {
		return spec, fmt.Errorf("--dialect: %w", err)
	}
	if spec.Missing, err = fixtures.ParseMissing(f.onMissing); err != nil {
		return spec, fmt.Errorf("--on-missing: %w", err)
	}
	if f.maxHistory < 0 {
		return spec, fmt.Errorf("--max-history is a number from 0, and this is %d", f.maxHistory)
	}
	if f.maxEvaluation < 1 && cmd.Flags().Changed("max-evaluation") {
		return spec, fmt.Errorf("--max-evaluation is a number from 1, and this is %d", f.maxEvaluation)
	}
	spec.Limits = f.limits(spec.Dialect)
	if spec.Clock, err = parseClock(f.clock); err != nil {
		return spec, err
	}
	if cmd.Flags().Changed("seed") || o.fixtures == nil || o.fixtures.Seed == nil {
		spec.Seed = &f.seed
	}
	if err := o.readSpec(s, f, &spec); err != nil {
		return spec, err
	}
	spec.Trace, err = f.trace.spec()
	return spec, err
}

// readSpec reads the definition, the input and the start time into a spec.
func (o *files) readSpec(s *streams, f *sessionFlags, spec *launch.Spec) (err error) {
	if spec.Definition, err = o.definition.parse(s); err != nil {
		return err
	}
	spec.Name = o.definition.source.Name
	if f.input != "" {
		if spec.Input, err = readValue(s, "input", f.input); err != nil {
			return err
		}
	}
	spec.Start, err = parseStart(f.startTime)
	return err
}

// parseStart reads --start-time; where it is not given the time is zero.
func parseStart(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, fmt.Errorf("--start-time is a time like 2026-01-01T00:00:00Z (RFC 3339), and this is %q", text)
	}
	return at.UTC(), nil
}

// close ends the run: its calls, and its trace, of which it tells what has not been told.
func (o *files) close(s *streams) {
	if o.run == nil {
		return
	}
	_ = o.run.Close() // an error of the trace is told below
	o.trace.close(s)
}

// limits are Step Functions' quotas in its own dialect, and none in that of the specification.
func (f *sessionFlags) limits(dialect engine.Dialect) engine.Limits {
	limits := engine.ServiceLimits()
	if f.noLimits || dialect == engine.Spec {
		limits = engine.Limits{}
	}
	limits.History = f.maxHistory
	if f.maxEvaluation != jsonata.DefaultSteps { // that of a trace which does not say it
		limits.Evaluation = f.maxEvaluation
	}
	return limits
}

// compile parses and compiles a definition and writes its diagnostics.
func compile(s *streams, text *definitionText, dialect engine.Dialect) (*engine.Machine, error) {
	definition, err := text.parse(s)
	if err != nil {
		return nil, err
	}
	machine, err := engine.Compile(definition, dialect)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text.source.Name, err)
	}
	return machine, nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// parseClock reads --clock.
func parseClock(text string) (debug.Clock, error) {
	clock, err := debug.ParseClock(text)
	if err != nil {
		return clock, fmt.Errorf("--clock is skip, real, hand, or a factor above 0 such as x60, and this is %q", text)
	}
	return clock, nil
}
