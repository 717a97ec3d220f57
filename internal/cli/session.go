package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/jsonata"
	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/visible"
)

// begun is a run with the notes and warnings about it.
type begun struct {
	*launch.Run
	trace *tracing // nil: none
	notes []string // for its beginning
}

// fill completes the Spec by the flags whose values have to be checked.
func (f *sessionFlags) fill(cmd *cobra.Command, s *streams) (err error) {
	spec := &f.spec
	spec.Stdin, spec.Now, spec.Warn = s.in, s.now, s.warn
	if err := f.defaultFixtures(s); err != nil {
		return err
	}
	if err := f.fixturesFlags.fill(&spec.Fixtures); err != nil {
		return err
	}
	if spec.History.Files != nil && spec.Definition.File == "" && (spec.Fixtures.Name != "" || spec.Input.Text != "") {
		return errors.New("without a definition a history is shown as it was recorded: --fixtures and --input are for running it again")
	}
	if spec.Dialect, err = engine.ParseDialect(f.dialect); err != nil {
		return fmt.Errorf("--dialect: %w", err)
	}
	if spec.Missing, err = fixtures.ParseMissing(f.onMissing); err != nil {
		return fmt.Errorf("--on-missing: %w", err)
	}
	if f.maxHistory < 0 {
		return fmt.Errorf("--max-history is a number from 0, and this is %d", f.maxHistory)
	}
	if f.maxEvaluation < 1 && cmd.Flags().Changed("max-evaluation") {
		return fmt.Errorf("--max-evaluation is a number from 1, and this is %d", f.maxEvaluation)
	}
	spec.Limits = f.limits(spec.Dialect)
	if spec.Clock, err = parseClock(f.clock); err != nil {
		return err
	}
	if cmd.Flags().Changed("seed") {
		spec.Seed = &f.seed
	}
	if spec.Start, err = parseTime("start-time", f.startTime); err != nil {
		return err
	}
	if spec.Redrive.Time, err = parseTime("redrive-time", f.redriveTime); err != nil {
		return err
	}
	if spec.Redrive.File != "" && spec.History.Files != nil {
		return errors.New("--redrive and --history exclude each other: --redrive takes a history, too")
	}
	if spec.Redrive.File == "" && (spec.Redrive.Input.Text != "" || f.redriveTime != "") {
		return errors.New("--redrive-input and --redrive-time are for --redrive")
	}
	if f.hasScreen && !f.noState {
		spec.State = store.Dir(os.Getenv)
	}
	if spec.Trace, err = f.trace.spec(); err != nil {
		return err
	}
	return f.fillCase(cmd, s)
}

// defaultFixtures takes the fixtures of the project file where the flags name none, and says so.
func (f *sessionFlags) defaultFixtures(s *streams) error {
	d := &f.spec.Definition
	if d.File == "" || f.spec.Fixtures.Name != "" || f.mockConfig != "" {
		return nil
	}
	found, err := d.Projects.For(d.File)
	if err != nil {
		return err
	}
	if name := found.For(d.File).Fixtures; name != "" {
		f.spec.Fixtures.Name = name
		fmt.Fprintln(s.err, visible.Line("fixtures: "+name+" (from "+found.Source.Name+")"))
	}
	return nil
}

// read reads the files of the Spec and writes the problems of the definition.
func (f *sessionFlags) read(s *streams) error { return s.definitionError(f.spec.Read()) }

// launch makes the run of the Spec, and writes the facts about its history. The run is to be closed, also with an error.
func (f *sessionFlags) launch(s *streams) (*begun, error) {
	b := &begun{}
	f.spec.Permit = func(file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
		return b.permitted(s, f, file, bound)
	}
	if err := b.launch(s, f.spec); err != nil {
		return b, err
	}
	if b.Source == nil || f.noLive || f.spec.Missing == fixtures.Fail {
		return b, nil
	}
	if refused := b.Source.NotAllowed(); len(refused) > 0 {
		b.notes = append(b.notes, fmt.Sprintf("%s not called, since that is not allowed (--allow-live allows it): %s at %s:%d first",
			areNot(len(refused)), refused[0].Call, refused[0].File, refused[0].Line))
	}
	return b, nil
}

// launch makes the run of a Spec, and writes the facts about its history.
func (b *begun) launch(s *streams, spec launch.Spec) (err error) {
	b.Run, err = launch.New(spec)
	if b.Trace != nil {
		b.trace = &tracing{writer: b.Trace}
	}
	for i, line := range b.About {
		b.About[i] = visible.Line(line)
		fmt.Fprintln(s.err, b.About[i])
	}
	if h := &b.Spec.History; err == nil && h.Recording != nil && h.Attempt == 0 {
		if attempts := len(h.Recording.Attempts()); attempts > 1 {
			fmt.Fprintf(s.err, "attempt %d of %d is shown: --attempt N opens another\n", attempts, attempts)
		}
	}
	b.notes = append(b.Notes, b.notes...)
	return s.definitionError(err)
}

// close ends the run: its calls, and its trace, whose faults it writes.
func (b *begun) close(s *streams) {
	_ = b.Close() // an error of the trace is written below
	b.trace.close(s)
}

// parseTime reads the time of a flag; where it is not given the time is zero.
func parseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, fmt.Errorf("--%s is a time like 2026-01-01T00:00:00Z (RFC 3339), and this is %q", flag, text)
	}
	return at.UTC(), nil
}

// limits are Step Functions' quotas in its own dialect, and none in that of the specification.
func (f *sessionFlags) limits(dialect engine.Dialect) engine.Limits {
	limits := engine.ServiceLimits()
	if f.noLimits || dialect == engine.Spec {
		limits = engine.Limits{}
	}
	limits.History = f.maxHistory
	if f.maxEvaluation != jsonata.DefaultSteps { // that of a trace without one
		limits.Evaluation = f.maxEvaluation
	}
	return limits
}

// counted returns a number of things, in the plural where it is not 1.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// parseClock reads --clock.
func parseClock(text string) (debug.Clock, error) {
	clock, err := debug.ParseClock(text)
	if err != nil {
		return clock, fmt.Errorf("--clock is skip, real, manual, or a factor above 0 such as x60, and this is %q", text)
	}
	return clock, nil
}
