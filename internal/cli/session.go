package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/jsonata"
	"asldb/engine/value"
	"asldb/fixtures"
	"asldb/fixtures/live"
	"asldb/recorder/rerun"
	"asldb/tui"
)

// files are the texts that a session is made from; the demo's are built in.
type files struct {
	definition *definitionText  // nil: only the recording is known
	path       string           // of the definition; empty where it is no file
	fixtures   *fixtures.File   // nil: none
	source     *fixtures.Source // of the fixtures, once they are bound; nil: none
	recording  *rerun.Recording // nil: none
	tracing    *traceFlags      // what trace is wanted; nil: none
	trace      *tracing         // of the session made from them; nil: none
	about      []string         // what is told of the recording
	notes      []string         // what the person is to know from the start
	diverged   bool             // the run does not do what was recorded
	forget     bool             // the session keeps no log: see debug.Options
	calls      *live.Calls      // what the fixtures call; nil: nothing is allowed to
	beside     *tui.Recorded    // what the run is held against on the screen; nil: nothing
	interrupt  interrupt.Check  // what interrupts evaluations; nil: nothing
	// wrap makes the machine's input of what the person gives as the input; nil where they are the same.
	wrap func(value.Value) value.Value
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

// newSession makes a session from files and flags. It writes the definition's warnings.
func newSession(cmd *cobra.Command, s *streams, f *sessionFlags, opened *files) (*debug.Session, error) {
	if opened.definition == nil {
		return opened.asRecorded(s, f)
	}
	dialect, err := engine.ParseDialect(f.dialect)
	if err != nil {
		return nil, fmt.Errorf("--dialect: %w", err)
	}
	missing, err := fixtures.ParseMissing(f.onMissing)
	if err != nil {
		return nil, fmt.Errorf("--on-missing: %w", err)
	}
	if f.maxHistory < 0 {
		return nil, fmt.Errorf("--max-history is a number from 0, and this is %d", f.maxHistory)
	}
	if f.maxEvaluation < 1 && cmd.Flags().Changed("max-evaluation") {
		return nil, fmt.Errorf("--max-evaluation is a number from 1, and this is %d", f.maxEvaluation)
	}
	options := debug.Options{Limits: f.limits(dialect), Interrupt: opened.interrupt}
	if options.Clock, err = parseClock(f.clock); err != nil {
		return nil, err
	}
	machine, err := compile(s, opened.definition, dialect)
	if err != nil {
		return nil, err
	}
	source, err := opened.bind(machine)
	if err != nil {
		return nil, err
	}
	if opened.fixtures != nil {
		options.Context = opened.fixtures.Context
	}
	options.Source = fixtures.OnMissing(source, missing)
	if options.Input, err = opened.inputOf(s, f); err != nil {
		return nil, err
	}
	if opened.wrap != nil {
		options.Input = opened.wrap(options.Input)
	}
	if size, limit := value.Size(options.Input), options.Limits.Payload; limit > 0 && size > limit {
		return nil, fmt.Errorf("the input has %d bytes, and Step Functions takes at most %d: --no-limits lifts that", size, limit)
	}
	options.Seed = chooseSeed(cmd, f, opened.fixtures)
	if options.Start, err = opened.startOf(s, f); err != nil {
		return nil, err
	}
	if bound := opened.source; bound != nil {
		bound.Begin(options.Start, options.Seed)
		bound.SetInterrupt(options.Interrupt)
		bound.Share(f.program(s, missing, dialect))
	}
	opened.tracing = &f.trace
	permit, err := opened.permission(s, f)
	if err != nil {
		return nil, err
	}
	session, err := opened.begin(s, machine, options, source)
	if err != nil {
		return nil, err
	}
	permit() // what begin runs to compare calls nothing
	return session, addBreaks(session, f.breaks)
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

// chooseInput is the flag's input, else the fixtures', else an empty object.
func chooseInput(s *streams, f *sessionFlags, file *fixtures.File) (value.Value, error) {
	switch {
	case f.input != "":
		return readValue(s, "input", f.input)
	case file != nil && file.Input != nil:
		return file.Input, nil
	}
	return value.ObjectOf(), nil
}

func chooseSeed(cmd *cobra.Command, f *sessionFlags, file *fixtures.File) int64 {
	if !cmd.Flags().Changed("seed") && file != nil && file.Seed != nil {
		return *file.Seed
	}
	return f.seed
}

// chooseStart is the flag's time, else the fixtures', else the present.
func chooseStart(s *streams, f *sessionFlags, file *fixtures.File) (time.Time, error) {
	switch {
	case f.startTime != "":
		at, err := time.Parse(time.RFC3339Nano, f.startTime)
		if err != nil {
			return at, fmt.Errorf("--start-time is a time like 2026-01-01T00:00:00Z (RFC 3339), and this is %q", f.startTime)
		}
		return at.UTC(), nil
	case file != nil && file.StartTime != nil:
		return file.StartTime.UTC(), nil
	}
	// Whole milliseconds: that is what the context object shows.
	return s.now().UTC().Truncate(time.Millisecond), nil
}

// parseClock reads --clock.
func parseClock(text string) (debug.Clock, error) {
	clock, err := debug.ParseClock(text)
	if err != nil {
		return clock, fmt.Errorf("--clock is skip, real, hand, or a factor above 0 such as x60, and this is %q", text)
	}
	return clock, nil
}
