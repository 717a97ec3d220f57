package runs

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine/source"
	"asldb/engine/waiter"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/definitions"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/report"
	"asldb/internal/wording"
)

// waiterFlags say which waiter of a model is meant and how long it may wait.
type waiterFlags struct {
	name    string
	maxWait time.Duration
}

func (f *waiterFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.name, "waiter", "w", "", "the `NAME` of the waiter, if the model has several")
	flags.DurationVar(&f.maxWait, "max-wait", 0, "the maximum `TIME` to wait, such as 300s or 5m (required)")
	_ = cmd.RegisterFlagCompletionFunc("waiter", completeWaiter) // it fails only for a flag that does not exist
}

// NewWaiter returns the command "waiter" with its subcommands.
func NewWaiter(s *command.Streams) *cobra.Command {
	f, options := &waiterFlags{}, &sessions.Flags{}
	cmd := &cobra.Command{
		Use:               "waiter MODEL...",
		Short:             "Step through a Smithy waiter",
		Args:              someModels,
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := f.open(s, options, args); err != nil {
				return err
			}
			return sessions.OpenScreen(cmd, s, options)
		},
	}
	f.addTo(cmd)
	addRows(cmd, options)
	options.AddScreenTo(cmd)
	cmd.AddCommand(newWaiterList(s), newWaiterRun(s), newWaiterCheck(s), newWaiterSimulate(s))
	return cmd
}

// addRows adds the flags of a run of a waiter.
func addRows(cmd *cobra.Command, options *sessions.Flags) command.Rows {
	rows := options.Rows(cmd).Row("input", ",\nof the operation (default: the fixtures' input, else {})").Row("fixtures", "\n(the operation's responses)")
	return rows.Add(launch.Running)
}

// choose returns the waiter that is meant, with the warnings about it. The errors in it are written.
func (f *waiterFlags) choose(s *command.Streams, models []string) (*waiter.Model, *waiter.Waiter, []source.Diagnostic, error) {
	model := strings.Join(models, " ")
	m, problems, err := readModel(s, models)
	if err != nil {
		return nil, nil, nil, err
	}
	names, same := waiterNames(m), 0
	for _, w := range m.Waiters {
		if w.Name == f.name {
			same++
		}
	}
	w := m.Lookup(f.name)
	switch {
	case len(names) == 0:
		command.WriteProblems(s, problems)
		return nil, nil, nil, fmt.Errorf("%s has no waiters", wording.Line(model))
	case f.name == "" && len(names) == 1:
		w = m.Waiters[0]
	case f.name == "":
		return nil, nil, nil, fmt.Errorf("which waiter? --waiter takes %s", wording.Line(strings.Join(names, ", ")))
	case same > 1:
		return nil, nil, nil, fmt.Errorf("several waiters are called %s: --waiter takes %s", wording.Line(f.name), wording.Line(strings.Join(names, ", ")))
	case w == nil:
		hint := ""
		if near := wording.Nearest(f.name, slices.Values(names)); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, nil, nil, fmt.Errorf("%s has no waiter %q%s (it has %s)", wording.Line(model), f.name, hint, wording.Line(strings.Join(names, ", ")))
	}
	if !w.Usable(problems) {
		command.WriteProblems(s, w.Own(problems))
		return nil, nil, nil, fmt.Errorf("the waiter %s has errors", wording.Line(w.Name))
	}
	if f.maxWait <= 0 {
		return nil, nil, nil, errors.New("--max-wait is missing: a waiter needs a time limit, such as --max-wait 300s")
	}
	return m, w, w.Own(problems), nil
}

// waiterNames returns the names of a model's waiters; those that several have with their operations.
func waiterNames(m *waiter.Model) []string {
	count := make(map[string]int)
	for _, w := range m.Waiters {
		count[w.Name]++
	}
	names := make([]string, len(m.Waiters))
	for i, w := range m.Waiters {
		if names[i] = w.Name; count[w.Name] > 1 {
			names[i] = w.OperationName() + "." + w.Name
		}
	}
	return names
}

// open sets the definition of the waiter in the Spec of a session.
func (f *waiterFlags) open(s *command.Streams, options *sessions.Flags, models []string) (*waiter.Waiter, error) {
	if slices.Contains(models, files.Stdin) && options.Spec.Input.Text == files.Stdin {
		return nil, errors.New("the model and --input cannot both be standard input")
	}
	m, w, warnings, err := f.choose(s, models)
	if err != nil {
		return nil, err
	}
	definition, err := m.Program(w, f.maxWait)
	if err != nil {
		return nil, err
	}
	// Quotas are Step Functions' own; a waiter has none.
	options.NoLimits, options.Spec.Limits.History = true, 0
	options.Spec.Definition.Text = &definitions.Text{Source: w.File, Root: definition.Root, Made: definition, Notes: warnings}
	options.Spec.Wrap = waiter.Input
	if w.File.Name != files.StdinName {
		options.Spec.Definition.ID = w.File.Name + "#" + w.Name
	}
	return w, nil
}

func newWaiterList(s *command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:               "list MODEL...",
		Short:             "List the waiters of a model",
		Args:              someModels,
		ValidArgsFunction: completeModel,
		RunE: func(_ *cobra.Command, args []string) error {
			m, _, err := readModel(s, args)
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "WAITER\tOPERATION\tACCEPTORS\tDELAY\tTAGS\tDOCUMENTATION")
			for _, w := range m.Waiters {
				name := w.Name
				if w.Deprecated {
					name += " (deprecated)"
				}
				tags, words := strings.Join(w.Tags, ", "), strings.Join(strings.Fields(w.Documentation), " ")
				fmt.Fprintf(table, "%s\t%s\t%d\t%d s to %d s\t%s\t%s\n",
					wording.Line(name), wording.Line(w.OperationName()), len(w.Acceptors), w.MinDelay, w.MaxDelay,
					wording.Line(tags), wording.Line(words))
			}
			return table.Flush()
		},
	}
}

func newWaiterRun(s *command.Streams) *cobra.Command {
	f, options, output := &waiterFlags{}, &sessions.Flags{}, &OutputFlags{Waiter: true}
	cmd := &cobra.Command{
		Use:               "run MODEL...",
		Short:             "Run a waiter without a screen and print its last response",
		Args:              someModels,
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := CheckUnattended(options, args...); err != nil {
				return err
			}
			if err := output.Check(); err != nil {
				return err
			}
			w, err := f.open(s, options, args)
			if err != nil {
				return err
			}
			output.Polls = w.Polls(f.maxWait)
			if err := options.Fill(s); err != nil {
				return err
			}
			if err := options.Read(s); err != nil {
				return err
			}
			command.WriteProblems(s, options.Spec.Definition.Text.Notes)
			return RunSpec(cmd, s, options, output)
		},
	}
	f.addTo(cmd)
	addRows(cmd, options).Unattended()
	output.AddTo(cmd)
	return cmd
}

func newWaiterCheck(s *command.Streams) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:               "check MODEL...",
		Short:             "Check the waiters of a model against the specification's rules",
		Args:              someModels,
		ValidArgsFunction: completeModel,
		RunE: func(_ *cobra.Command, args []string) error {
			return f.run(s, args)
		},
	}
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with status 1 for warnings, too, and show notes")
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData|report.OfFindings))
	return cmd
}

// checkFlags are the flags of "waiter check".
type checkFlags struct {
	strict  bool
	reports command.Reports
}

// run prints the problems of a model.
func (f *checkFlags) run(s *command.Streams, names []string) error {
	m, problems, err := readModel(s, names)
	if err != nil {
		return err
	}
	problems = append(problems, m.Hints()...)
	source.Sort(problems)
	count := make(map[source.Severity]int)
	for _, p := range problems {
		count[p.Severity]++
	}
	if !f.strict {
		problems = slices.DeleteFunc(problems, func(d source.Diagnostic) bool { return d.Severity == source.Note })
	}
	options := project.Options{Strict: f.strict, Folder: command.SourceRoot(), Bare: true}
	if err := f.reports.Answered(s, project.Answer("asldb waiter check", modelFiles(m, problems), options)); err != nil {
		return err
	}
	var counts []string
	for _, severity := range []source.Severity{source.Error, source.Danger, source.Warning, source.Note} {
		if n := count[severity]; n > 0 || severity == source.Warning {
			counts = append(counts, wording.Count(n, severity.String()))
		}
	}
	if count[source.Note] > 0 && !f.strict {
		counts[len(counts)-1] += " (--strict shows them)"
	}
	if m.Suppressed > 0 {
		counts = append(counts, fmt.Sprintf("%d suppressed", m.Suppressed))
	}
	summary := wording.Count(len(m.Waiters), "waiter") + ", " + strings.Join(counts, ", ")
	if slices.ContainsFunc(problems, func(d source.Diagnostic) bool { return d.Severity.Fails() }) {
		models := wording.Line(strings.Join(names, ", "))
		return command.Exit(command.StatusFailed, fmt.Errorf("%s: %s", models, summary))
	}
	fmt.Fprintln(s.Err, summary)
	if f.strict && count[source.Warning] > 0 {
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// completeWaiter offers the waiters of the model that the command line names already.
func completeWaiter(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	if m, _, err := readModel(&command.Streams{In: strings.NewReader(""), Err: io.Discard}, args); err == nil {
		names = waiterNames(m)
	}
	return command.Seen(names), cobra.ShellCompDirectiveNoFileComp
}

// modelFiles returns the files of a model that have waiters or problems, with these.
func modelFiles(m *waiter.Model, problems []source.Diagnostic) []project.Checked {
	var files []project.Checked
	of := func(file *source.File) *project.Checked {
		i := slices.IndexFunc(files, func(known project.Checked) bool { return known.Given == file })
		if i < 0 {
			i = len(files)
			files = append(files, project.Checked{Given: file, Source: file})
		}
		return &files[i]
	}
	for _, w := range m.Waiters {
		of(w.File)
	}
	for _, p := range problems {
		file := of(p.File)
		file.Problems = append(file.Problems, p)
	}
	return files
}
