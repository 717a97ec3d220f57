// Package suites has the command test, which runs suites and writes their reports and snapshots.
package suites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/report"
	"asldb/internal/store"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
	"asldb/tui/program"
)

// testFlags are the flags of the test command.
type testFlags struct {
	launch.Given

	run           string
	tags          []string
	failed, bail  bool
	durations     int
	repeat        int
	list          bool
	update        string
	casesOf       string
	shuffle       string
	shard         report.Shard
	parallel      int
	reports       command.Reports
	onlyFailed    bool
	notices       bool
	watch, schema bool
	review        bool
	show          func(*command.Ending, program.Page) error // in a review
	// another runs another command line of the program.
	another func(args []string)

	coverage   bool
	conditions bool
	out        string
	minimum    string
	bars       []coverage.Bar

	mutants mutantFlags
}

// NewTest returns the command "test" with its subcommand. another runs another command line of the program.
func NewTest(s *command.Streams, another func(args []string)) *cobra.Command {
	f := &testFlags{another: another}
	cmd := &cobra.Command{
		Use:               "test [FILE|DIR|FILE:CASE]...",
		Short:             "Run suites of test cases",
		RunE:              func(cmd *cobra.Command, args []string) error { return f.test(cmd, s, args) },
		ValidArgsFunction: command.CompleteSuiteCase,
	}
	f.addCases(cmd)
	f.addRun(cmd)
	f.addReview(cmd)
	cmd.AddCommand(newTestInit(s))
	return cmd
}

// addCases adds the flags that choose cases, and of what is accepted.
func (f *testFlags) addCases(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "run only the cases whose name matches the regular expression `REGEXP`")
	flags.StringArrayVar(&f.tags, "tag", nil,
		"run only the cases with the `TAG`, or with !TAG those without it; repeatable")
	flags.StringVar(
		&f.update,
		"accept",
		"",
		"accept the snapshots of all cases that pass otherwise, or what one `CASE` found:\n"+
			"its snapshot, and the values of its expectations (--accept=CASE);\n"+
			"with --mutate, write the expectation that a mutant shows to be missing (--accept=N)",
	)
	flags.StringVar(&f.update, "update", "", "short for --accept: of all cases, or of one `CASE`")
	for _, name := range []string{"accept", "update"} {
		flags.Lookup(name).NoOptDefVal = allCases
	}
	cmd.MarkFlagsMutuallyExclusive("accept", "update")
	flags.BoolVar(&f.list, "list", false, "only list: the cases with their places; with --json for editors")
	flags.Var(
		command.NewFilled(&f.casesOf, ""),
		"cases-of",
		"also run the cases of a mock configuration, a mock file of sfn-test or fixtures: a `FILE`;\nthey have no expectations, and never count as passed (with --definition)",
	)
	flags.BoolVar(&f.failed, "failed", false, "run only the cases that failed when they were last run")
}

// addRun adds the flags of a run of cases, and of its reports.
func (f *testFlags) addRun(cmd *cobra.Command) {
	flags, rows := cmd.Flags(), command.RowsOf(cmd, &f.Given)
	flags.BoolVar(&f.bail, "bail", false, "stop after the first case that fails")
	flags.BoolVar(&f.watch, "watch", false,
		"run again when files change; keys run all or the failed cases, review snapshots and debug")
	flags.StringVar(&f.shuffle, "shuffle", "", "run the cases in a random order; `SEED` repeats one")
	flags.Lookup("shuffle").NoOptDefVal = "new"
	command.AddShardTo(cmd, &f.shard)
	flags.IntVar(&f.parallel, "parallel", 0, "work on `N` at a time: cases (default: one for each core)")
	flags.IntVar(&f.repeat, "repeat", 0, "run each case `N` times, each time with the next seed of random values")
	flags.IntVar(&f.durations, "durations", 0, "list the `N` cases that took longest")
	f.reports.AddTo(cmd, formsOfTest(formTAP, formStryker))
	flags.BoolVar(&f.onlyFailed, "quiet", false, "say less: leave out the cases that passed")
	flags.BoolVar(&f.notices, "notices", false, "also name the facts that a run noticed, of each case; they fail none")
	rows.Row("redact", " in snapshots, reports and what --accept=CASE writes; repeatable")
	flags.BoolVar(&f.coverage, "coverage", false, "print the coverage of the definitions")
	flags.BoolVar(&f.conditions, "coverage-conditions", false, "also count each condition, true and false")
	flags.Var(command.NewFilled(&f.out, ""), "coverage-out",
		"write the coverage to the profile `FILE` (see asldb coverage)")
	flags.Var(command.NewFilled(&f.minimum, ""), "min",
		"exit with status 4 if the coverage is below `PERCENT`, also by kind: states=100,errors=50")
	f.addMutants(rows, cmd)
	rows.Row("definition", ", for suites that name none").
		Row("dialect").
		Row("no-limits").
		Row("no-state", ": the cases that failed").
		Row("read-outside")
	flags.BoolVar(&f.schema, "schema", false, "print the JSON Schema of suites, for editors")
}

// check refuses flags that are wrong, and returns the options of the runner.
func (f *testFlags) check(cmd *cobra.Command, s *command.Streams) (suiterun.Options, error) {
	o := suiterun.Options{Parallel: f.parallel, Bail: f.bail, Tags: f.tags}
	if f.run != "" {
		var err error
		if o.Names, err = regexp.Compile(f.run); err != nil {
			reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
			return o, command.OneLine(fmt.Errorf("--run takes a regular expression, not %q: %s", f.run, reason))
		}
	}
	switch f.shuffle {
	case "":
	case "new":
		o.Shuffle = s.Now().UnixNano()&0xffffff + 1
	default:
		seed, err := strconv.ParseInt(f.shuffle, 10, 64)
		if err != nil || seed == 0 {
			return o, fmt.Errorf("--shuffle takes a seed, a whole number but 0, not %q", f.shuffle)
		}
		o.Shuffle = seed
	}
	for _, each := range []struct {
		name string
		n    int
	}{{"parallel", f.parallel}, {"repeat", f.repeat}, {"durations", f.durations}} {
		if each.n < 0 {
			return o, fmt.Errorf("--%s is a number from 0, not %d", each.name, each.n)
		}
	}
	for _, tag := range f.tags {
		if strings.TrimPrefix(tag, "!") == "" {
			return o, fmt.Errorf("--tag is a tag, or ! with a tag, not %q", tag)
		}
	}
	if f.minimum != "" {
		var err error
		if f.bars, err = coverage.ParseBars(f.minimum); err != nil {
			return o, fmt.Errorf("--min: %w", err)
		}
		if f.mutants.on && (len(f.bars) > 1 || f.bars[0].Group != "") {
			return o, errors.New("with --mutate, --min is one percentage, about the score")
		}
	}
	if f.shard.N > 0 {
		for _, other := range []string{"accept", "update", "bail", "mutate", "review", "watch"} {
			if cmd.Flags().Changed(other) {
				return o, fmt.Errorf("--%s is about all cases, and --shard runs a share of them", other)
			}
		}
	}
	return o, errors.Join(f.mutants.check(), checkForms(&f.reports, f.mutants.on), f.checkReview(cmd, s))
}

// covers reports whether coverage is asked for.
func (f *testFlags) covers() bool {
	return f.coverage || f.conditions || f.out != "" || f.minimum != ""
}

func (f *testFlags) test(cmd *cobra.Command, s *command.Streams, names []string) error {
	if f.schema {
		if len(names) > 0 || cmd.Flags().NFlag() > 1 {
			return errors.New("--schema prints the JSON Schema of suites: it takes nothing else")
		}
		return s.Print(value.Pretty(suite.Schema()) + "\n")
	}
	options, err := f.check(cmd, s)
	if err != nil {
		return err
	}
	if f.watch {
		return f.watchSuites(cmd, s, names, options)
	}
	found, suites, err := f.readSuites(s, names)
	if err != nil {
		return err
	}
	machines, err := f.open(s, suites)
	if err != nil {
		return err
	}
	only := suiterun.Chosen(found)
	options.Only = only
	remembered, err := f.remembered()
	if err != nil {
		return err
	}
	if f.failed {
		options.Only = func(c *suite.Case) bool { return only(c) && remembered.Has(c) }
	}
	chosen := suiterun.Choose(suites, options)
	if len(chosen) == 0 {
		return f.noCase(suites)
	}
	chosen, options.Head = suiterun.Share(chosen, machines, f.shard)
	if f.list {
		return f.listCases(s, chosen)
	}
	if f.mutants.on {
		return f.runMutants(cmd.Context(), s, chosen, machines)
	}
	return f.runCases(cmd.Context(), s, chosen, machines, remembered, options)
}

// remembered returns the cases that failed when they were last run. That they cannot be read is an error only where they are asked for.
func (f *testFlags) remembered() (*suiterun.Failed, error) {
	if f.NoState && !f.failed {
		return &suiterun.Failed{}, nil
	}
	state, folder, err := f.state()
	if err == nil {
		var failed *suiterun.Failed
		if failed, err = suiterun.LoadFailed(state, folder); err == nil {
			return failed, nil
		}
	}
	if !f.failed {
		return &suiterun.Failed{}, nil
	}
	return nil, command.OneLine(fmt.Errorf("--failed: %w", err))
}

// state returns the directory of the saved state, and the working directory.
func (f *testFlags) state() (state, folder string, err error) {
	folder, err = os.Getwd()
	return store.Dir(os.Getenv), folder, err
}

// settings returns the settings of all cases.
func (f *testFlags) settings() (suiterun.Settings, error) {
	settings := suiterun.Settings{
		Dialect:  f.Spec.Dialect,
		Files:    files.Files{Stdin: strings.NewReader("")},
		Projects: &project.Finder{},
	}
	if !f.NoLimits {
		settings.Limits = engine.ServiceLimits()
	}
	return settings, nil
}

// open reads the definitions of the suites, and checks the suites against them.
func (f *testFlags) open(s *command.Streams, suites []*suite.Suite) (map[*suite.Suite]*suiterun.Machine, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	return command.OpenMachines(s, suites, f.Spec.Definition.File, settings)
}

// runCases runs the cases and writes the reports.
func (f *testFlags) runCases(
	ctx context.Context,
	s *command.Streams,
	chosen [][]*suite.Case,
	machines map[*suite.Suite]*suiterun.Machine,
	failed *suiterun.Failed,
	options suiterun.Options,
) error {
	redact, err := f.redactions()
	if err != nil {
		return err
	}
	run, err := f.runOf(chosen, machines, f.update, redact)
	if err != nil {
		return err
	}
	reports, err := f.openReports(s, machines)
	if err != nil {
		return err
	}
	defer reports.Drop()
	var profile *files.Pending
	if f.out != "" {
		if profile, err = files.Begin(f.out, 0o666); err != nil {
			return fmt.Errorf("--coverage-out: %w", err)
		}
		defer profile.Drop()
	}
	ended := command.Listen(ctx)
	defer ended.Stop()
	outcomes := &outcomesOf{}
	summary, err := run.do(ended, chosen, suiterun.All(reports, failed, outcomes), options)
	unwritten := reports.Commit()
	switch {
	case ended.Err() != nil && errors.Join(err, unwritten) != nil:
		return command.EndedOf(ended, "")
	case unwritten != nil:
		return unwritten
	case err != nil:
		return fmt.Errorf("cannot write the report: %w", err)
	}
	if err := run.kept.write(); err != nil {
		return err
	}
	accepted, err := f.accept(ended, s, chosen, machines, run)
	if err != nil {
		return err
	}
	settled, err := f.reviewed(ended, s, outcomes.cases, chosen, run)
	if err != nil {
		return err
	}
	if !f.NoState {
		f.remember(s, failed)
	}
	if err := f.afterwards(s, run, profile); err != nil {
		return err
	}
	switch {
	case summary.Failed+summary.Wrong+summary.New > accepted+settled:
		return command.Exit(command.StatusFailed, nil)
	case f.shard.N == 0 && !suite.Reached(run.covered.measured()):
		return command.Exit(command.StatusCoverage, nil)
	}
	return nil
}

// afterwards writes the coverage of a run and raises the bars where that is asked for, and tells what had no effect.
func (f *testFlags) afterwards(s *command.Streams, run *caseRun, profile *files.Pending) error {
	for _, path := range run.redact.Unfound() {
		fmt.Fprintf(s.Err, "warning: --redact %s led to nothing\n", wording.Line(path))
	}
	if profile != nil {
		if err := run.covered.profile().Write(profile); err != nil {
			return err
		}
		if err := profile.Commit(); err != nil {
			return err
		}
	}
	if f.coverage && f.update == allCases {
		if err := f.raise(s, run.covered); err != nil {
			return err
		}
	}
	for _, line := range run.covered.stale() {
		fmt.Fprintln(s.Err, wording.Line("warning: "+line))
	}
	return nil
}

// redactions returns the paths of --redact.
func (f *testFlags) redactions() (*suiterun.Redactions, error) {
	list, err := launch.Redactions(f.Trace.Redact)
	return suiterun.NewRedactions(list), err
}

// caseRun is one run of chosen cases.
type caseRun struct {
	machines map[*suite.Suite]*suiterun.Machine
	kept     *snapshots
	redact   *suiterun.Redactions
	covered  *covering
	notices  bool
	repeat   int
}

// runOf reads the snapshots of chosen cases and returns their run; update names the cases whose snapshots are accepted.
func (f *testFlags) runOf(
	chosen [][]*suite.Case,
	machines map[*suite.Suite]*suiterun.Machine,
	update string,
	redact *suiterun.Redactions,
) (*caseRun, error) {
	kept, err := readSnapshots(chosen, update)
	if err != nil {
		return nil, err
	}
	covered, err := newCovering(f, machines)
	if err != nil {
		return nil, err
	}
	return &caseRun{
		machines: machines,
		kept:     kept,
		redact:   redact,
		covered:  covered,
		notices:  f.notices,
		repeat:   f.repeat,
	}, nil
}

// do runs the cases until ctx ends, and sends their outcomes.
func (r *caseRun) do(
	ctx context.Context,
	chosen [][]*suite.Case,
	sink suite.Sink,
	options suiterun.Options,
) (suite.Summary, error) {
	interrupted := func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	one := func(ctx context.Context, c *suite.Case) *suite.Outcome {
		m := r.machines[c.Suite]
		outcome := suiterun.Repeated(c, m, suiterun.CaseOptions{
			Notices: r.notices, Context: ctx, Interrupt: interrupted, Snapshots: r.kept.files[c.Suite], Update: r.kept.updates(c), Redact: r.redact,
		}, max(r.repeat, 1), func(run coverage.Run) { r.covered.add(m, run) })
		r.kept.take(c, outcome)
		return outcome
	}
	return suiterun.RunAll(ctx, chosen, one, sink, options, r.covered.done)
}

// remember saves the names of the cases that failed. That it cannot isn't a reason to fail.
func (f *testFlags) remember(s *command.Streams, failed *suiterun.Failed) {
	state, folder, err := f.state()
	if err == nil {
		err = failed.Save(state, folder)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "warning: --failed will not know this run: %v\n", command.OneLine(err))
	}
}
