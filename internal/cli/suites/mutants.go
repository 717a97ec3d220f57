package suites

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"asldb/engine/coverage"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/mutate"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// mutantFlags are the flags of --mutate.
type mutantFlags struct {
	on     bool
	sample int
}

// add adds the flags to the command.
func (f *testFlags) addMutants(rows command.Rows, cmd *cobra.Command) {
	flags, m := cmd.Flags(), &f.mutants
	flags.BoolVar(
		&m.on,
		"mutate",
		false,
		"change the definitions in small ways, one at a time, and list the changes that no case notices;\n--min is about the score",
	)
	flags.IntVar(&m.sample, "mutants", 0, "with --mutate, run only `N` changes of each definition, chosen by --seed")
	rows.Row("seed", ": which changes --mutants chooses (default: 1)")
	for _, other := range []string{"update", "list", "watch", "cases-of", "failed", "bail", "shuffle", "coverage", "coverage-conditions", "coverage-out", "repeat", "durations"} {
		cmd.MarkFlagsMutuallyExclusive("mutate", other)
	}
}

// check refuses flags that are wrong.
func (m *mutantFlags) check() error {
	switch {
	case m.sample < 0:
		return fmt.Errorf("--mutants is a number from 0, not %d", m.sample)
	case m.sample > 0 && !m.on:
		return errors.New("--mutants is for --mutate")
	}
	return nil
}

// subject is a definition with the cases about it.
type subject struct {
	machine *suiterun.Machine
	cases   []*suite.Case
}

// subjects returns the definitions of the chosen cases, in the order of the suites.
func subjects(chosen [][]*suite.Case, machines map[*suite.Suite]*suiterun.Machine) (list []*subject) {
	of := map[*suiterun.Machine]*subject{}
	for _, cases := range chosen {
		m := machines[cases[0].Suite]
		if of[m] == nil {
			of[m] = &subject{machine: m}
			list = append(list, of[m])
		}
		of[m].cases = append(of[m].cases, cases...)
	}
	return list
}

// runMutants runs the chosen cases against the mutants of their definitions, and writes the reports.
func (f *testFlags) runMutants(
	ctx context.Context,
	s *command.Streams,
	chosen [][]*suite.Case,
	machines map[*suite.Suite]*suiterun.Machine,
) error {
	settings, err := f.settings()
	if err != nil {
		return err
	}
	var redact *suiterun.Redactions
	if len(f.Trace.Redact) > 0 {
		if redact, err = f.redactions(); err != nil {
			return err
		}
	}
	sinks, err := f.reports.Open(s)
	if err != nil {
		return err
	}
	defer sinks.Drop()
	ended := command.Listen(ctx)
	defer ended.Stop()
	of := subjects(chosen, machines)
	options := mutate.Options{
		Sample: f.mutants.sample, Seed: f.Seed(), Parallel: f.parallel, Settings: settings, Redact: redact,
		Progress: command.NewStatusLine(s.Out).Counting("mutants"),
	}
	if f.update != "" {
		options.Only, err = strconv.Atoi(f.update)
		switch {
		case f.update == allCases:
			return errors.New("with --mutate, --accept needs the number of one mutant, as --accept=3")
		case err != nil || options.Only < 1:
			return fmt.Errorf("with --mutate, --accept is the number of one mutant, as --accept=3, not %q", f.update)
		case f.mutants.sample > 0:
			return errors.New("--accept names one mutant of all, and --mutants chooses some: one of them")
		case redact != nil:
			return errors.New("--accept writes values into the suite, and --redact keeps them out: one of them")
		case len(of) > 1:
			return errors.New("--accept is for a mutant of one definition: name one suite")
		}
	}
	report, err := f.mutantReport(ended, s, of, options)
	if err != nil {
		return f.mutantError(ended, err)
	}
	if result := report.Results[0]; options.Only > result.All {
		return fmt.Errorf("--accept: there is no mutant %d; the definition has %s",
			options.Only, wording.Count(result.All, "mutant"))
	}
	if err := sinks.Write(mutate.Answer(report, false)); err != nil {
		return err
	}
	if options.Only > 0 {
		return acceptMutant(ended, s, report, of[0].machine, options)
	}
	if summary := report.Summary(); summary.Score() < coverage.Least(f.bars) {
		return command.Exit(command.StatusCoverage, nil)
	}
	return nil
}

// mutantReport runs the cases about definitions against their mutants.
func (f *testFlags) mutantReport(
	ctx context.Context,
	s *command.Streams,
	of []*subject,
	o mutate.Options,
) (*mutate.Report, error) {
	report := &mutate.Report{Minimum: coverage.Least(f.bars)}
	began := s.Now()
	for _, subject := range of {
		result, err := mutate.Run(ctx, subject.machine, subject.cases, o)
		if err != nil {
			return nil, err
		}
		report.Results = append(report.Results, result)
	}
	report.Wall = s.Now().Sub(began)
	return report, nil
}

// acceptMutant writes the missing expectation of the one mutant of a report into its suite, and shows the change first.
func acceptMutant(
	ctx context.Context, s *command.Streams, r *mutate.Report, m *suiterun.Machine, options mutate.Options,
) error {
	o := &r.Results[0].Outcomes[0]
	var text []byte
	if o.Case != nil {
		var err error
		if _, text, err = s.Files().Read(o.Case.Suite.Name); err != nil {
			return err
		}
	}
	after, err := mutate.Accept(ctx, m, o, text, options)
	if err != nil {
		return command.OneLine(fmt.Errorf("--accept: %w", err))
	}
	if err := s.Print(string(wording.JSON(files.Unified(o.Case.Suite.Name, text, after)))); err != nil {
		return err
	}
	return files.Replace(o.Case.Suite.Name, 0o666, after)
}

// mutantError returns the error of a run: cases that fail without a change are failed cases.
func (f *testFlags) mutantError(ended *command.Ending, err error) error {
	var failing *mutate.FailingError
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case errors.As(err, &failing):
		return command.Exit(command.StatusFailed, err)
	}
	return err
}

// addMutate adds --mutate to the command explore.
func (f *exploreFlags) addMutate(cmd *cobra.Command) {
	cmd.Flags().
		BoolVar(&f.mutate, "mutate", false, "change the definitions in small ways, one at a time, in place of faults: see asldb test --mutate")
	for _, other := range []string{"input", "fixtures", "case", "runs", "time", "pairs", "data", "save"} {
		cmd.MarkFlagsMutuallyExclusive("mutate", other)
	}
}

// exploreMutants does what "asldb test --mutate" does.
func (f *exploreFlags) exploreMutants(cmd *cobra.Command, s *command.Streams, name string) error {
	if file, _ := suite.Split(name); !suite.IsSuite(file) {
		return fmt.Errorf("--mutate needs a suite, a file *.test.yaml, not %q", wording.Line(name))
	}
	t := &testFlags{Given: f.Given, reports: f.reports, parallel: f.parallel, mutants: mutantFlags{on: true}}
	t.NoState = true
	return t.test(cmd, s, []string{name})
}
