// Package checks has the commands that check definitions without running them: validate with its corrections, and
// rules.
package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/flow"
	"asldb/engine/lint"
	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/report"
	"asldb/internal/suite"
	"asldb/internal/work"
)

// formatAWS is the form of the service's reply.
const formatAWS = "aws"

// defaultProblems is the greatest number of problems of one machine that are shown.
const defaultProblems = 100

// explainList is the value of --explain that lists the rules.
const explainList = "list"

// validateFlags are the flags of the validate command.
type validateFlags struct {
	launch.Given // its input and fixtures are facts about the executions, for the check of the data

	explain     string
	reports     command.Reports
	strict, own bool
	fix, diff   bool
	stdin       []byte // of the rounds of --fix and --diff
	folders     bool   // a name that was given has several machines
	skipped     []string
	max         int
	baseline    baselineFlags
	against     againstFlags
}

// NewValidate returns the command "validate".
func NewValidate(s *command.Streams) *cobra.Command {
	f := &validateFlags{}
	cmd := &cobra.Command{
		Use:     "validate DEFINITION|FOLDER...",
		Aliases: []string{"lint"},
		Short:   "Check definitions without running them",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				return f.explainRule(s, args)
			}
			if err := f.against.alone(cmd); err != nil {
				return err
			}
			return f.run(cmd.Context(), s, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json", "yaml", "yml", "template", "tf"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	flags := cmd.Flags()
	rows := command.RowsOf(cmd, &f.Given)
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData|report.OfFindings, formatAWS))
	flags.BoolVar(&f.strict, "strict", false, "exit with status 1 for warnings, too, and show hints")
	flags.BoolVar(&f.own, "own", false, "with --format aws, also print asldb's own warnings")
	flags.BoolVar(&f.fix, "fix", false, "correct the files where that is certain: misspelt names, missing .$, deeper paths, catchers without ResultPath")
	flags.BoolVar(&f.diff, "diff", false, "print the corrections of --fix as a unified diff, and write nothing")
	rows.Row("input", "\n(to check the data of executions with it)").Row("fixtures",
		"\n(to check the data of executions with them)").Row("case", "")
	flags.IntVar(&f.max, "max", defaultProblems, "show at most `N`: problems per machine, errors first; 0 for all")
	rows.Row("type", " (default: as the template says, else standard)").Row("dialect",
		":\nerrors of a run with it are errors")
	flags.StringVar(&f.explain, "explain", explainList, "explain a `RULE`, or list all rules")
	flags.Lookup("explain").NoOptDefVal = explainList
	flags.Lookup("explain").DefValue = ""
	f.baseline.addTo(cmd)
	f.against.addTo(cmd)
	rows.Add(launch.Named)
	command.CompleteWords(cmd, "explain", rules.Names()...)
	return cmd
}

// run checks the files and writes the report.
func (f *validateFlags) run(ctx context.Context, s *command.Streams, names []string) error {
	switch {
	case len(names) == 0:
		return errors.New("which definition? asldb validate takes at least one")
	case f.Spec.Input.Text == files.Stdin && len(names) > 1:
		return errors.New("--input - is read once: give one definition")
	case f.Spec.Fixtures.Case != "" && f.Spec.Fixtures.Name == "":
		return errors.New("--case is the name of a case in a fixtures file: give that with --fixtures")
	case f.max < 0:
		return fmt.Errorf("--max is a number from 0, not %d", f.max)
	}
	if f.fix && f.diff {
		return errors.New("--fix writes the corrections and --diff only shows them: give one of them")
	}
	if f.reports.Has(formatAWS) && f.reports.Has(report.FormsOf(report.OfDoc|report.OfData|report.OfFindings)...) {
		return errors.New("--format aws has the problems as the service finds them, and goes with no other report")
	}
	if f.baseline.write && (f.diff || f.reports.Has(formatAWS)) {
		return errors.New("--write-baseline writes the problems of asldb: it is not for --diff and --format aws")
	}
	switch {
	case f.against.on && (f.diff || f.fix || f.baseline.write || f.reports.Has(formatAWS)):
		return errors.New("--against-aws is about two verdicts: leave out --fix, --diff, --write-baseline, --format aws")
	case f.against.on:
		return f.besideAWS(ctx, s, names)
	case f.diff:
		return f.showDiff(s, names)
	case f.fix:
		if err := f.writeFixes(s, names); err != nil {
			return err
		}
	}
	sinks, err := f.reports.Open(s)
	if err != nil {
		return err
	}
	defer sinks.Drop()
	machines, unread := f.check(s, names)
	if sinks.HaveOther(report.OfDoc | report.OfData) { // they have no place for it
		for _, one := range f.skipped {
			fmt.Fprintln(s.Err, "not checked: "+one)
		}
	}
	if !f.service() {
		if machines, err = f.steered(s, machines, unread); err != nil {
			return err
		}
	}
	if err := sinks.Write(project.Answer("asldb validate", machines, f.options(len(machines)))); err != nil {
		return err
	}
	switch {
	case unread != nil:
		return unread
	case f.fails(machines):
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// steered returns the machines with the problems that are reported: without the baseline's, and with hints where
// they are wanted.
func (f *validateFlags) steered(s *command.Streams, machines []project.Checked, unread error) ([]project.Checked,
	error) {
	if f.strict {
		for _, p := range f.Spec.Definition.Projects.All() {
			if unused := p.Unused(); len(unused) > 0 {
				machines = append(machines, project.Checked{Given: p.Source, Problems: unused})
			}
		}
	}
	machines, err := f.withoutKnown(s, machines, unread)
	return f.withoutHints(machines), err
}

// withoutHints leaves hints out where they are not wanted.
func (f *validateFlags) withoutHints(machines []project.Checked) []project.Checked {
	for i := range machines {
		machines[i].Problems = slices.DeleteFunc(machines[i].Problems,
			func(d source.Diagnostic) bool { return d.Severity == source.Hint && !f.strict })
	}
	return machines
}

// fails reports whether the problems give the command the status 1.
func (f *validateFlags) fails(machines []project.Checked) bool {
	for i := range machines {
		wrong, warned, _ := machines[i].Count()
		if wrong > 0 || f.strict && warned > 0 || f.service() && machines[i].Refused() {
			return true
		}
	}
	return false
}

// options are the options of the report about some machines.
func (f *validateFlags) options(machines int) project.Options {
	return project.Options{
		Max: f.max, Own: f.own, Strict: f.strict, Folder: command.SourceRoot(), Skipped: f.skipped, Brief: f.folders &&
			machines+len(f.skipped) > 0,
	}
}

// check returns the machines of all files and folders with their problems, hints included, in order. The error is about
// those that cannot be read.
func (f *validateFlags) check(s *command.Streams, names []string) (machines []project.Checked, unread error) {
	var all []definitions.Definition
	for _, name := range names {
		if suite.IsSuite(name) {
			machine, err := f.examineSuite(s, name)
			if err != nil {
				unread = errors.Join(unread, err)
				continue
			}
			machines = append(machines, *machine)
			continue
		}
		d := f.Spec.Definition
		d.File = name
		list, skipped, err := d.Search(s.Files())
		if err == nil && len(list) == 0 {
			err = &definitions.EmptyError{Folder: name, Resource: d.Resource, Skipped: skipped}
		}
		if err != nil {
			unread = errors.Join(unread, command.Flagged(err))
			continue
		}
		for _, one := range skipped {
			f.skipped = append(f.skipped, one.String())
		}
		f.folders = f.folders || len(list) > 1 || list[0].File != name
		all = append(all, list...)
	}
	found, problems := make([]*project.Checked, len(all)), make([]error, len(all))
	one := func(i int) { found[i], problems[i] = f.examine(s, all[i]) }
	if f.Spec.Fixtures.Name == "" && f.Spec.Input.Text == "" {
		work.Each(context.Background(), len(all), 0, one)
	} else {
		for i := range all { // their warnings come in order
			one(i)
		}
	}
	for i := range all {
		if problems[i] != nil {
			unread = errors.Join(unread, problems[i])
			continue
		}
		machines = append(machines, *found[i])
	}
	return machines, unread
}

// Problems returns the problems of a definition, as "asldb validate" has them.
func Problems(s *command.Streams, d definitions.Definition) (*project.Checked, error) {
	f := &validateFlags{}
	machine, err := f.examine(s, d)
	if err != nil {
		return nil, err
	}
	return &f.withoutHints([]project.Checked{*machine})[0], nil
}

// examine returns the problems of one definition. The error is about reading it.
func (f *validateFlags) examine(s *command.Streams, d definitions.Definition) (*project.Checked, error) {
	steering, err := d.Projects.For(d.File)
	if err != nil {
		return nil, err
	}
	text := d.Text
	if text == nil {
		text, err = d.Open(s.Files())
	}
	var wrong *definitions.InvalidError
	switch {
	case errors.As(err, &wrong):
		problems := wrong.Problems
		if !f.service() {
			problems = steering.Steer(project.Definition{Given: wrong.Source, Problems: problems}, true)
		}
		return &project.Checked{Given: wrong.Source, Name: d.Resource, Problems: problems}, nil
	case err != nil:
		return nil, command.Flagged(err)
	}
	known, err := f.known(s, text)
	if err != nil {
		return nil, err
	}
	problems := text.Problems(lint.Options{Try: true, Hints: f.strict || !f.service(), Flow: known, Dialect: f.Spec.Dialect})
	if !f.service() {
		problems = definitions.InDialect(problems, f.Spec.Dialect)
		problems = steering.Steer(project.Definition{Given: text.Given, Source: text.Source, Root: text.Root,
			Problems: problems}, true)
	}
	return &project.Checked{Given: text.Given, Name: text.Resource, Problems: problems, Source: text.Source,
		Root: text.Root, Express: text.Express}, nil
}

// service reports whether the report is the service's, which knows nothing of levels and ignores.
func (f *validateFlags) service() bool { return f.against.on || f.reports.Has(formatAWS) }

// known returns the facts about the executions of a definition that the flags give.
func (f *validateFlags) known(s *command.Streams, text *definitions.Text) (known flow.Options, err error) {
	if f.Spec.Fixtures.Name == "" && f.Spec.Input.Text == "" {
		return known, nil
	}
	if machine, parseErr := text.Parse(); parseErr == nil { // else there are errors to report, and no data are followed
		if known, err = f.Spec.Fixtures.Known(s.Files(), s.Warn, machine); err != nil {
			return known, command.Flagged(err)
		}
	}
	if f.Spec.Input.Text != "" {
		known.Input, err = command.ReadValue(s, "input", f.Spec.Input.Text)
	}
	return known, err
}

// explainRule writes the explanation of a rule, or the list of all.
func (f *validateFlags) explainRule(s *command.Streams, args []string) error {
	name := f.explain
	if name == explainList && len(args) == 1 { // --explain RULE, which flags with an optional value do not take
		name, args = args[0], nil
	}
	if len(args) > 0 {
		return errors.New("--explain takes one rule, and no definition")
	}
	if name == explainList {
		return listRules(s, nil, "")
	}
	return explainRule(s, name)
}

func printText(s *command.Streams, text string) error {
	if _, err := fmt.Fprint(s.Out, text); err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	return nil
}

// breakLines breaks a text into lines of at most width characters, between words.
func breakLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
