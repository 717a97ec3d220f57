package suites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/explore"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// exploreFlags are the flags of the explore command.
type exploreFlags struct {
	launch.Given
	runs     int
	time     time.Duration
	pairs    bool
	data     bool
	parallel int
	reports  command.Reports
	save     string
	mutate   bool
	saved    int // cases

	baseline string
	write    bool
}

// NewExplore returns the command "explore".
func NewExplore(s *command.Streams) *cobra.Command {
	f := &exploreFlags{}
	cmd := &cobra.Command{
		Use:               "explore DEFINITION|SUITE|SUITE:CASE",
		Short:             "Find out what becomes of every fault",
		Args:              command.ExactlyOneDefinition,
		ValidArgsFunction: command.CompleteDefinition,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.explore(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	rows.Row("input", "\n(default: the input in the fixtures, else one made up)").
		Row("fixtures").
		Row("case", " (default: all)").
		Row("no-fixtures").
		Add(launch.Named)
	flags.IntVar(&f.runs, "runs", explore.DefaultRuns, "do `N` runs, or fewer; 0 for no limit")
	flags.DurationVar(&f.time, "time", 0,
		"stop after `TIME`, such as 30s: then the result may differ each time (default: no limit)")
	flags.BoolVar(&f.pairs, "pairs", false, "also run two faults together, of two tasks")
	flags.BoolVar(&f.data, "data", false, "also leave members of functions' own results out")
	rows.Row("seed")
	flags.IntVar(&f.parallel, "parallel", 0, "work on `N` at a time: runs (default: one for each core)")
	f.reports.AddTo(cmd, formsOfTest(formStryker))
	flags.Var(command.NewFilled(&f.save, ""), "save",
		"save to `FILE`: the cases of the findings, as a suite; it must not exist")
	flags.Var(command.NewFilled(&f.baseline, ""), "baseline",
		"leave out the known problems that this `FILE` lists; new findings of any class fail")
	flags.BoolVar(&f.write, "write-baseline", false, "write the problems into the baseline, as known")
	rows.Row("dialect").Row("no-limits")
	f.addMutate(cmd)
	return cmd
}

func (f *exploreFlags) check(name string) error {
	if err := checkForms(&f.reports, f.mutate); err != nil {
		return err
	}
	switch {
	case f.write && f.baseline == "":
		return errors.New("which baseline? give --baseline FILE with --write-baseline")
	case f.mutate && f.baseline != "":
		return errors.New("a baseline has findings, and --mutate has none")
	case f.runs < 0:
		return fmt.Errorf("--runs is a number from 0, not %d", f.runs)
	case f.time < 0:
		return fmt.Errorf("--time is a duration from 0, not %v", f.time)
	case f.parallel < 0:
		return fmt.Errorf("--parallel is a number from 0, not %d", f.parallel)
	case f.save != "" && !suite.IsSuite(f.save):
		return fmt.Errorf("--save writes a suite, whose name ends in .test.yaml, not %q", wording.Line(f.save))
	}
	if file, _ := suite.Split(name); suite.IsSuite(file) && (f.Spec.Fixtures.Name != "" || f.Spec.Input.Text != "") {
		return errors.New("a suite has its own fixtures and inputs, and excludes --fixtures and --input")
	}
	if f.save != "" {
		if info, err := os.Stat(f.save); err == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%s is there already: --save writes a new file", wording.Line(f.save))
		}
	}
	return nil
}

func (f *exploreFlags) explore(cmd *cobra.Command, s *command.Streams, name string) error {
	if err := f.check(name); err != nil {
		return err
	}
	if f.mutate {
		return f.exploreMutants(cmd, s, name)
	}
	o, err := f.options(cmd.Context(), s, name)
	if err != nil {
		return err
	}
	o.Seed = f.Spec.Seed
	sinks, err := f.reports.Open(s)
	if err != nil {
		return err
	}
	defer sinks.Drop()
	o.Runs, o.Time, o.Pairs, o.Data, o.Parallel = f.runs, f.time, f.pairs, f.data, f.parallel
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	clear := f.progress(s, o)
	r, err := explore.Explore(ended, *o)
	clear()
	switch {
	case err != nil && ended.Err() != nil:
		return command.EndedOf(ended, "")
	case err != nil:
		return err
	}
	if f.baseline != "" {
		if err := f.leaveKnown(s, r, o.Machine); err != nil {
			return err
		}
	}
	if f.save != "" {
		if err := f.saveSuite(ended, s, r); err != nil {
			return err
		}
	}
	if err := sinks.Write(explore.Answer(r, f.save, f.saved)); err != nil {
		return err
	}
	if ended.Err() != nil {
		return command.EndedOf(ended, "")
	}
	for _, found := range r.Findings {
		if found.Class.Bad() || f.baseline != "" {
			return command.Exit(command.StatusFailed, nil)
		}
	}
	return nil
}

// leaveKnown leaves the findings of the baseline out, which is written before where that is wanted.
func (f *exploreFlags) leaveKnown(s *command.Streams, r *explore.Result, of *suiterun.Machine) error {
	all := r.Every()
	machine := project.Machine{
		Given:    of.Definition.File,
		Name:     of.Definition.Resource,
		Whole:    of.Definition.Resource == "",
		Explored: true,
	}
	for _, found := range all {
		class, pointer, message := found.Identity()
		machine.Problems = append(machine.Problems, source.Diagnostic{Rule: project.ExploreRule + class,
			Severity: source.Warning, Pointer: pointer, Message: message})
	}
	machines := []project.Machine{machine}
	b, err := project.OpenBaseline(f.baseline, f.write)
	switch {
	case err != nil:
		return err
	case f.write && (r.Stopped == explore.StoppedByTime || r.Stopped == explore.StoppedByContext):
		return fmt.Errorf("the baseline is not written: %s before all runs were done", r.Stopped)
	case f.write:
		var said string
		if b, said, err = project.WriteBaseline(f.baseline, func(*project.Baseline) []project.Machine { return machines }); err != nil {
			return err
		}
		fmt.Fprintln(s.Err, said)
	case r.Stopped == explore.NotStopped:
		if lines := b.FixedNote(machines); len(lines) > 0 {
			fmt.Fprintln(s.Err, strings.Join(lines, "\n"))
		}
	}
	kept := map[*explore.Finding]bool{}
	for i, known := range b.Known(machine) {
		kept[all[i]] = !known
	}
	if left := r.Keep(kept); left > 0 && !f.write {
		fmt.Fprintln(s.Err, b.AreKnown(left))
	}
	return nil
}

// progress shows on a terminal how many runs there are, and how many are done. The result removes the line.
func (f *exploreFlags) progress(s *command.Streams, o *explore.Options) (clear func()) {
	line, plan := command.NewStatusLine(s.Err), ""
	if line == nil {
		return func() {}
	}
	o.Announce = func(p explore.Plan) {
		plan = fmt.Sprintf("%s, %s, %s", wording.Count(p.Tasks, "task"), wording.Count(p.Errors, "error"),
			wording.Count(p.Runs, "run"))
		line.Show(plan)
	}
	o.Progress = func(done, _ int) { line.Update(fmt.Sprintf("%s: %d done", plan, done)) }
	return line.Clear
}

// saveSuite writes the cases of the findings.
func (f *exploreFlags) saveSuite(ctx context.Context, s *command.Streams, r *explore.Result) error {
	saved, err := r.Suite(ctx, f.save)
	if err != nil {
		return fmt.Errorf("the suite cannot be made: %w", err)
	}
	for _, name := range saved.Dropped {
		fmt.Fprintf(s.Err, "warning: no case for %q: a suite would run it differently\n", wording.Line(name))
	}
	if saved.Untried > 0 {
		fmt.Fprintf(s.Err, "warning: %s not tried again: %s\n", wording.Count(saved.Untried, "saved case"), r.Stopped)
	}
	if saved.NoFinding {
		fmt.Fprintln(s.Err, wording.Line("no finding has a case: "+f.save+" has the run without faults"))
	}
	f.saved = saved.Cases
	return files.Create(f.save, 0o666, wording.JSON(saved.Text))
}

// options reads the files of the command.
func (f *exploreFlags) options(ctx context.Context, s *command.Streams, name string) (*explore.Options, error) {
	dialect := f.Spec.Dialect
	limits := engine.ServiceLimits()
	if f.NoLimits {
		limits = engine.Limits{History: limits.History}
	}
	if file, _ := suite.Split(name); suite.IsSuite(file) {
		return f.ofSuite(
			s,
			name,
			suiterun.Settings{Dialect: dialect, Limits: limits, Files: s.Files(), Projects: f.Spec.Definition.Projects},
		)
	}
	f.Spec.Definition.File, f.Spec.Dialect, f.Spec.Stdin, f.Spec.Warn = name, dialect, s.In, s.Warn
	if err := command.Choose(ctx, s, &f.Spec.Definition, f.Spec.Read); err != nil {
		return nil, command.DefinitionError(s, err)
	}
	m := &suiterun.Machine{Definition: f.Spec.Definition, Dialect: dialect, Limits: limits}
	if err := m.Definition.Compile(dialect); err != nil {
		return nil, err
	}
	given, err := f.baselines()
	return &explore.Options{Machine: m, Given: given}, err
}

// baselines returns the runs without faults: the fixtures and each of their cases, or the chosen one.
func (f *exploreFlags) baselines() ([]explore.Given, error) {
	input, file := f.Spec.Input.Value, f.Spec.Fixtures.File
	if file == nil {
		return []explore.Given{{Input: input}}, nil
	}
	if f.Spec.Fixtures.Case != "" {
		return []explore.Given{{Name: f.Spec.Fixtures.Case, File: file, Input: input}}, nil
	}
	var given []explore.Given
	cases := file.Cases()
	if file.Input != nil || input != nil || len(cases) == 0 {
		given = append(
			given,
			explore.Given{File: file, Input: input, Written: command.IsFixtures(f.Spec.Fixtures.Name)},
		)
	}
	for _, name := range cases {
		one, err := file.Case(name)
		if err != nil {
			return nil, err
		}
		given = append(given, explore.Given{Name: name, File: one, Input: input})
	}
	return given, nil
}

// ofSuite takes the cases of a suite as runs without faults.
func (f *exploreFlags) ofSuite(s *command.Streams, name string, settings suiterun.Settings) (*explore.Options, error) {
	found, err := suiterun.Find([]string{name})
	if err != nil {
		return nil, command.OneLine(err)
	}
	suites, err := suiterun.ReadSuites(found)
	if err != nil {
		return nil, err
	}
	machines, err := command.OpenMachines(s, suites, "", settings)
	if err != nil {
		return nil, err
	}
	o := &explore.Options{Machine: machines[suites[0]]}
	if err := checkInvariants(s, suites[0], o); err != nil {
		return nil, err
	}
	chosen := suiterun.Chosen(found)
	for _, c := range suites[0].Cases {
		if !chosen(c) || c.Recording != nil {
			continue
		}
		file, err := c.Results()
		if err != nil {
			return nil, err
		}
		o.Given = append(o.Given, explore.Given{Name: c.Name, File: file})
	}
	if len(o.Given) == 0 {
		return nil, fmt.Errorf("%s has no case with its own results: cases of recorded runs are left out",
			wording.Line(name))
	}
	return o, nil
}

// checkInvariants checks the rules of a suite for every run.
func checkInvariants(s *command.Streams, of *suite.Suite, o *explore.Options) error {
	if len(of.Invariants) == 0 {
		return nil
	}
	_, data, err := s.Files().Read(of.Name)
	if err != nil {
		return err
	}
	root, problem := source.Read(&source.File{Name: of.Name, Data: data}, nil)
	if problem != nil {
		return errors.New(problem.Format())
	}
	if node := root.Get("invariants"); node != nil {
		o.Invariants = node.Value
	}
	o.Every = slices.ContainsFunc(
		of.Invariants,
		func(i suite.Invariant) bool { return i.Assert != nil },
	) // data, which runs of one way do not share
	o.Check = func(e *explore.Ended) []explore.Violation {
		var broken []explore.Violation
		for _, f := range suiterun.Invariants(of, &suiterun.Finished{Session: e.Session()}) {
			v := explore.Violation{
				Invariant: strings.TrimPrefix(f.Expectation, "invariant: "),
				Text:      "it does not hold",
				Event:     f.Event,
			}
			if len(f.Differences) > 0 && f.Differences[0].Reason != "" {
				v.Text = f.Differences[0].Reason
			}
			if f.Event >= 0 && f.Event < e.Log.Len() && e.Log.At(f.Event).Visit != nil {
				v.State = e.Log.At(f.Event).Visit.State
			}
			broken = append(broken, v)
		}
		return broken
	}
	return nil
}
