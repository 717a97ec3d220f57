package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/coverage"
	"asldb/internal/launch"
	"asldb/internal/store"
	"asldb/internal/suite"
	caserun "asldb/internal/suite/execute"
	"asldb/internal/suite/reports"
	"asldb/internal/suite/result"
	suiterun "asldb/internal/suite/runner"
	"asldb/internal/suite/starter"
	"asldb/internal/visible"
	"asldb/recorder"
)

const testLong = `Runs suites, files that put a definition under test: *.test.yaml, *.test.yml and *.test.json. Without an
argument it runs the suites of the working directory and the directories below it.

A suite is a fixtures file with a definition and expectations: on the status, the error, the output, the
states entered, the payloads of tasks, retries, catchers, durations, or any stage's data. docs/testing.md
describes the format. All files are read before the first case runs, and nothing outside is called.

Exit status:
  0    all cases passed
  1    a case failed, or its snapshot is new
  2    the command line or a file is wrong, or there is no case
  4    the coverage is below --min
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`

const testExample = `  asldb test
  asldb test order.test.yaml --run declined
  asldb test 'order.test.yaml:pays and ships'
  asldb test --failed
  asldb test --coverage --min 90
  asldb test --report junit=junit.xml --report github`

// testFlags are the flags of the test command.
type testFlags struct {
	definition launch.Definition

	run            string
	failed, bail   bool
	list           bool
	update         string
	casesOf        string
	shuffle        string
	parallel       int
	reports        []string
	json           bool
	onlyFailed     bool
	ascii, noColor bool
	noState        bool
	dialect        string
	noLimits       bool

	coverage   bool
	conditions bool
	out        string
	minimum    int
}

func newTest(s *streams) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:     "test [FILE|DIR|FILE:CASE]...",
		Short:   "Run suites of test cases",
		Long:    testLong,
		Example: testExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.test(cmd, s, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.run, "run", "", "run only the cases whose name matches the regular expression `REGEXP`")
	flags.StringVar(&f.update, "update", "", "accept the snapshots of all cases that pass otherwise, or of one `CASE` (--update=CASE)")
	flags.Lookup("update").NoOptDefVal = allCases
	flags.BoolVar(&f.list, "list", false, "list the cases with their places, and run none; with --json for editors")
	flags.Var(newFilled(&f.casesOf, ""), "cases-of", "also run the cases of a mock configuration, a mock file of sfn-test or fixtures: a `FILE`;\nthey have no expectations, and never count as passed (with --definition)")
	flags.BoolVar(&f.failed, "failed", false, "run only the cases that failed when they were last run")
	flags.BoolVar(&f.bail, "bail", false, "stop after the first case that fails")
	flags.StringVar(&f.shuffle, "shuffle", "", "run the cases in a random order; `SEED` repeats one")
	flags.Lookup("shuffle").NoOptDefVal = "new"
	flags.IntVar(&f.parallel, "parallel", 0, "run `N` cases at a time (default: one per core)")
	flags.StringArrayVar(&f.reports, "report", nil, "write a report: `FORM[=FILE]`, with text, junit, tap, json, github, html or markdown\n(default text; without FILE or with - on standard output); repeatable")
	flags.BoolVar(&f.json, "json", false, "short for --report json")
	flags.BoolVar(&f.onlyFailed, "quiet", false, "leave out the cases that passed")
	flags.BoolVar(&f.coverage, "coverage", false, "print the coverage of the definitions")
	flags.BoolVar(&f.conditions, "coverage-conditions", false, "also count each condition, true and false")
	flags.Var(newFilled(&f.out, ""), "coverage-out", "write the coverage profile to `FILE` (see asldb coverage)")
	flags.IntVar(&f.minimum, "min", 0, "exit with status 4 if the coverage is below `PERCENT`")
	flags.Var(newFilled(&f.definition.File, ""), "definition", "the definition `FILE` of suites that name none")
	flags.Var(newForm(&f.dialect, "aws", "aws|spec"), "dialect", "behave as Step Functions or as the specification where they differ")
	flags.BoolVar(&f.noLimits, "no-limits", false, "do not limit the size of payloads and variables (256 KiB in Step Functions)")
	flags.BoolVar(&f.ascii, "ascii", false, "print ASCII characters only")
	flags.BoolVar(&f.noColor, "no-color", false, "disable colours (or set NO_COLOR)")
	flags.BoolVar(&f.noState, "no-state", false, "do not remember the cases that failed")
	completeWords(cmd, "dialect", "aws", "spec")
	cmd.AddCommand(newTestInit(s))
	return cmd
}

const testInitLong = `Writes a first suite for a definition: fixtures as "asldb fixtures init" writes them, a case that succeeds,
and a case for each Choice rule, retrier and catcher of a task that a run can reach this way. Each case
expects the path and the status that its run had, so the suite passes. Replace the values by real ones.`

// newTestInit returns the command that writes a first suite.
func newTestInit(s *streams) *cobra.Command {
	definition, output := launch.Definition{}, ""
	cmd := &cobra.Command{
		Use:               "init DEFINITION",
		Short:             "Write a first suite for a definition",
		Long:              testInitLong,
		Example:           "  asldb test init order.asl.json -o order.test.yaml\n  asldb test order.test.yaml",
		Args:              exactlyOneDefinition,
		ValidArgsFunction: completeDefinition,
		RunE: func(_ *cobra.Command, args []string) error {
			definition.File = args[0]
			m, err := caserun.Open(definition, caserun.Settings{Limits: engine.ServiceLimits(), Files: launch.Files{Stdin: s.in}})
			if err != nil {
				return s.definitionError(err)
			}
			name := output
			if name == "" {
				name = "new.test.yaml"
			}
			made, err := starter.Make(name, args[0], m)
			if err != nil {
				return fmt.Errorf("the suite cannot be made: %w", err)
			}
			for _, line := range made.Unreached {
				fmt.Fprintln(s.err, visible.Line("not reached: "+line))
			}
			return writeNew(s, output, visible.JSON(made.Text))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
	addDefinitionFlags(cmd, &definition)
	return cmd
}

// check refuses flags that are wrong, and returns the options of the runner.
func (f *testFlags) check(s *streams) (suiterun.Options, error) {
	o := suiterun.Options{Parallel: f.parallel, Bail: f.bail}
	if f.run != "" {
		var err error
		if o.Names, err = regexp.Compile(f.run); err != nil {
			return o, oneLine(fmt.Errorf("--run: %w", err))
		}
	}
	switch f.shuffle {
	case "":
	case "new":
		o.Shuffle = s.now().UnixNano()&0xffffff + 1
	default:
		seed, err := strconv.ParseInt(f.shuffle, 10, 64)
		if err != nil || seed == 0 {
			return o, fmt.Errorf("--shuffle takes a seed, a whole number but 0, and this is %q", f.shuffle)
		}
		o.Shuffle = seed
	}
	switch {
	case f.parallel < 0:
		return o, fmt.Errorf("--parallel is a number from 0, and this is %d", f.parallel)
	case f.minimum < 0 || f.minimum > 100:
		return o, fmt.Errorf("--min is a percentage from 0 to 100, and this is %d", f.minimum)
	}
	return o, nil
}

// covers reports whether coverage is asked for.
func (f *testFlags) covers() bool { return f.coverage || f.conditions || f.out != "" || f.minimum > 0 }

func (f *testFlags) test(cmd *cobra.Command, s *streams, names []string) error {
	options, err := f.check(s)
	if err != nil {
		return err
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
	if f.list {
		return f.listCases(s, chosen)
	}
	return f.runCases(cmd.Context(), s, chosen, machines, remembered, options)
}

// noCase is the error of a run without cases.
func (f *testFlags) noCase(suites []*suite.Suite) error {
	total := 0
	for _, s := range suites {
		total += len(s.Cases)
	}
	if f.failed {
		return errors.New("no case has failed: leave out --failed to run all")
	}
	return fmt.Errorf("no case of %d matches --run %q", total, clip(f.run, maxQuoted))
}

// remembered returns the cases that failed when they were last run. That they cannot be read is an error only where they are asked for.
func (f *testFlags) remembered() (*suiterun.Failed, error) {
	if f.noState && !f.failed {
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
	return nil, oneLine(fmt.Errorf("--failed: %w", err))
}

// state returns the directory of the saved state, and the working directory.
func (f *testFlags) state() (state, folder string, err error) {
	folder, err = os.Getwd()
	return store.Dir(os.Getenv), folder, err
}

// open reads the definitions of the suites, each once, and checks the suites against them.
func (f *testFlags) open(s *streams, suites []*suite.Suite) (map[*suite.Suite]*caserun.Machine, error) {
	dialect, err := engine.ParseDialect(f.dialect)
	if err != nil {
		return nil, fmt.Errorf("--dialect: %w", err)
	}
	settings := caserun.Settings{Dialect: dialect, Files: launch.Files{Stdin: strings.NewReader("")}}
	if !f.noLimits {
		settings.Limits = engine.ServiceLimits()
	}
	machines := make(map[*suite.Suite]*caserun.Machine)
	opened := make(map[string]*caserun.Machine)
	var wrong error
	for _, one := range suites {
		d := caserun.DefinitionOf(one)
		if d.File == "" {
			d.File = f.definition.File
		}
		if d.File == "" {
			wrong = errors.Join(wrong, oneLine(fmt.Errorf("%s: no definition is named: add definition: FILE, or use --definition FILE", one.Name)))
			continue
		}
		key := fmt.Sprintf("%q", []any{d.File, d.Resource, d.Substitutions, d.Substitute})
		m := opened[key]
		if m == nil {
			if m, err = caserun.Open(d, settings); err != nil {
				wrong = errors.Join(wrong, s.definitionError(err))
				continue
			}
			opened[key] = m
		}
		if err := caserun.Check(one, m); err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		machines[one] = m
	}
	return machines, wrong
}

// runCases runs the cases and writes the reports.
func (f *testFlags) runCases(ctx context.Context, s *streams, chosen [][]*suite.Case, machines map[*suite.Suite]*caserun.Machine, failed *suiterun.Failed, options suiterun.Options) error {
	sinks, closing, err := f.sinks(s)
	if err != nil {
		return err
	}
	ended := endBySignal(ctx)
	defer ended.stop()
	covered := &covering{flags: f, collectors: make(map[*caserun.Machine]*coverage.Collector)}
	kept, err := readSnapshots(chosen, f.update)
	if err != nil {
		return err
	}
	do := func(ctx context.Context, c *suite.Case) *result.Case {
		m := machines[c.Suite]
		r, run := caserun.Run(c, m, caserun.Options{Context: ctx, Interrupt: ended.interrupts, Snapshots: kept.files[c.Suite], Update: kept.updates(c)})
		kept.take(c, r)
		covered.add(m, run)
		return r
	}
	summary, err := suiterun.Run(ended, chosen, do, reports.All(append(sinks, failed)...), options, covered.done)
	if err = errors.Join(err, closing()); err != nil {
		if ended.Err() != nil {
			return endedOf(ended, "")
		}
		return fmt.Errorf("cannot write the report: %w", err)
	}
	if err := kept.write(); err != nil {
		return err
	}
	if !f.noState {
		f.remember(s, failed)
	}
	if f.out != "" {
		if err := replaceFile(f.out, covered.profile().Write); err != nil {
			return err
		}
	}
	switch {
	case summary.Failed+summary.Wrong+summary.New > 0:
		return &exitError{StatusFailed, nil}
	case f.minimum > 0 && covered.profile().Share().Percent() < f.minimum:
		return &exitError{statusCoverage, nil}
	}
	return nil
}

// remember saves the names of the cases that failed. That it cannot is no reason to fail.
func (f *testFlags) remember(s *streams, failed *suiterun.Failed) {
	state, folder, err := f.state()
	if err == nil {
		err = failed.Save(state, folder)
	}
	if err != nil {
		fmt.Fprintf(s.err, "warning: --failed will not know this run: %v\n", oneLine(err))
	}
}

// covering counts the coverage of cases that run at the same time.
type covering struct {
	flags *testFlags

	mutex      sync.Mutex
	order      []*caserun.Machine
	collectors map[*caserun.Machine]*coverage.Collector
}

func (c *covering) add(m *caserun.Machine, run coverage.Run) {
	if run == nil || !c.flags.covers() {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	collector := c.collectors[m]
	if collector == nil {
		collector = coverage.NewCollector(m.Definition.Machine, coverage.Options{Conditions: c.flags.conditions})
		c.collectors[m] = collector
		c.order = append(c.order, m)
	}
	collector.Add(run)
}

// profile returns the coverage of all cases so far, the definitions in the order of their names.
func (c *covering) profile() *coverage.Profile {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p := &coverage.Profile{}
	for _, m := range c.order {
		machine := m.Definition.Machine
		d := c.collectors[m].Definition(machine.Source.Name, m.Definition.Resource, recorder.DigestOf(machine.Source.Data))
		if err := p.Add(&d); err != nil { // the same file with other substitutions
			p.Replace(&d)
		}
	}
	p.Sort()
	return p
}

// done returns the coverage for the reports; nil: it was not asked for.
func (c *covering) done() *result.Covered {
	if !c.flags.coverage && c.flags.minimum == 0 {
		return nil
	}
	return &result.Covered{Profile: c.profile(), Minimum: c.flags.minimum}
}

// sinks returns the reports that the flags ask for, and a function that closes their files.
func (f *testFlags) sinks(s *streams) ([]result.Sink, func() error, error) {
	forms := f.reports
	if f.json {
		forms = append(forms, "json")
	}
	if len(forms) == 0 {
		forms = []string{"text"}
	}
	var files []io.Closer
	closing := func() error {
		var err error
		for _, file := range files {
			err = errors.Join(err, file.Close())
		}
		return err
	}
	var sinks []result.Sink
	for _, text := range forms {
		form, name, _ := strings.Cut(text, "=")
		w, isFile := s.out, false
		if name != "" && name != launch.Stdin {
			file, err := os.Create(name)
			if err != nil {
				return nil, nil, errors.Join(oneLine(fmt.Errorf("--report: %w", err)), closing())
			}
			files = append(files, file)
			w, isFile = file, true
		}
		sink, err := f.sink(s, form, w, isFile)
		if err != nil {
			return nil, nil, errors.Join(err, closing())
		}
		sinks = append(sinks, sink)
	}
	return sinks, closing, nil
}

// testForms are the forms of reports.
const testForms = "text, junit, tap, json, github, html or markdown"

func (f *testFlags) sink(s *streams, form string, w io.Writer, isFile bool) (result.Sink, error) {
	switch form {
	case formatText:
		return reports.Text(w, f.textOptions(s, isFile)), nil
	case "junit":
		return reports.JUnit(w), nil
	case "tap":
		return reports.TAP(w), nil
	case formatJSON:
		return reports.JSON(w), nil
	case "github":
		return gitHubReport(w)
	case "html":
		return reports.HTML(w), nil
	case "markdown":
		return reports.Markdown(w), nil
	}
	return nil, fmt.Errorf("--report is %s, and this is %q", testForms, clip(form, maxQuoted))
}

// gitHubReport adds to the page of the job, where there is one.
func gitHubReport(w io.Writer) (result.Sink, error) {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return reports.GitHub(w, nil), nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return reports.GitHub(w, file), nil // it is closed with the process, at its end
}

// textOptions are those of the text report: in a terminal it has colours, and shows how far the run is.
func (f *testFlags) textOptions(s *streams, isFile bool) reports.TextOptions {
	o := reports.TextOptions{ASCII: f.ascii, Failed: f.onlyFailed}
	if isFile || !onTerminal(s.out) {
		return o
	}
	last := time.Time{}
	o.Progress = func(line string) {
		switch {
		case line == "":
			fmt.Fprint(s.out, "\r\x1b[K")
		case time.Since(last) > 100*time.Millisecond:
			last = time.Now()
			fmt.Fprint(s.out, "\r\x1b[K"+line)
		}
	}
	if !f.noColor && os.Getenv("NO_COLOR") == "" {
		o.Paint = paintTone
	}
	return o
}

// paintTone writes a text in one of the 16 colours, whose shades are those that the user has chosen for the terminal.
func paintTone(tone reports.Tone, text string) string {
	code := ""
	switch tone {
	case reports.Good:
		code = "32"
	case reports.Bad:
		code = "31"
	case reports.Caution:
		code = "33"
	case reports.Quiet:
		code = "2"
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// onTerminal reports whether a command writes to a terminal.
func onTerminal(w io.Writer) bool {
	out, ok := w.(*os.File)
	return ok && term.IsTerminal(out.Fd())
}
