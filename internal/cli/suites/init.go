package suites

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/explore"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// fromExplore is the value of --from for cases of faults.
const fromExplore = "explore"

// initFlags are the flags of test init.
type initFlags struct {
	launch.Given
	output, from string
	snapshot     bool
}

// newTestInit returns the command that writes a first suite.
func newTestInit(s *command.Streams) *cobra.Command {
	f := &initFlags{}
	cmd := &cobra.Command{
		Use:               "init DEFINITION",
		Short:             "Write a first suite for a definition",
		Args:              command.ExactlyOneDefinition,
		ValidArgsFunction: command.CompleteDefinition,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args[0]) },
	}
	flags := cmd.Flags()
	flags.VarP(command.NewFilled(&f.output, ""), "output", "o",
		"the `FILE` to write; it must not exist (default: NAME.test.yaml beside the definition; -: standard output)")
	flags.Var(command.NewFilled(&f.from, ""), "from",
		"take the cases of the faults of \"explore\", of recorded executions,\n"+
			"of fixtures, a mock configuration or a mock file of sfn-test: a `FILE`")
	flags.BoolVar(&f.snapshot, "snapshot", false, "compare each case with a snapshot, in place of its path")
	command.RowsOf(cmd, &f.Given).Add(launch.Named)
	return cmd
}

func (f *initFlags) run(ctx context.Context, s *command.Streams, file string) error {
	definition := f.Spec.Definition
	definition.File = file
	m, err := suiterun.OpenCase(definition, suiterun.Settings{
		Limits: engine.ServiceLimits(), Files: files.Files{Stdin: s.In}, Projects: &project.Finder{},
	})
	if err != nil {
		return command.DefinitionError(s, err)
	}
	name := f.name(file, m)
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && f.output != files.Stdin {
		return fmt.Errorf("%s is there already, and is not written over: -o names another file", wording.Line(name))
	}
	suite, err := f.make(ctx, s, name, file, m)
	if err != nil {
		return fmt.Errorf("the suite cannot be made: %w", err)
	}
	lacking := "not reached"
	if f.from != "" && f.from != fromExplore {
		lacking = "no expectation"
	}
	for _, line := range suite.Unreached {
		fmt.Fprintln(s.Err, wording.Line(lacking+": "+line))
	}
	if f.output == files.Stdin {
		return command.WriteNew(s, f.output, wording.JSON(suite.Text))
	}
	if err := command.WriteNew(s, name, wording.JSON(suite.Text)); err != nil {
		return err
	}
	return s.Print(f.closing(name, suite))
}

// name returns the name of the suite: beside the definition, with the machine's where its file has several.
func (f *initFlags) name(file string, m *suiterun.Machine) string {
	switch {
	case f.output == files.Stdin:
		return "new.test.yaml"
	case f.output != "":
		return f.output
	case m.Definition.Resource != "":
		return launch.Beside(file, "."+m.Definition.Resource+".test.yaml")
	}
	return launch.Beside(file, ".test.yaml")
}

// closing says what was written, and the next command.
func (f *initFlags) closing(name string, suite *suiterun.Suite) string {
	text := wording.Line(name) + ": " + wording.Count(suite.Cases, "case")
	if len(suite.Coverage.Items) > 0 {
		share := suite.Coverage.Share()
		text += fmt.Sprintf(", coverage %d %% (%d of %d)", share.Percent(), share.Covered, share.Total)
	}
	next := "asldb test " + wording.ShellFile(name)
	if f.snapshot {
		next += " --update"
	}
	return text + "\nnext: " + next + "\n"
}

// make writes the suite.
func (f *initFlags) make(
	ctx context.Context, s *command.Streams, name, file string, m *suiterun.Machine,
) (*suiterun.Suite, error) {
	if f.from == "" || f.from == fromExplore {
		return explore.FirstSuite(ctx, name, m, explore.FirstOptions{Snapshots: f.snapshot, Faults: f.from != ""})
	}
	if f.snapshot {
		return nil, errors.New("--snapshot is for the cases of the definition itself, and of --from explore")
	}
	list, err := recordedIn(ctx, s, f.from)
	switch {
	case err != nil:
		return nil, err
	case list != nil:
		return suiterun.FromRecorded(name, file, m, list)
	}
	read, findings, err := command.ReadFixtures(s, f.from)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	for i := range findings {
		fmt.Fprintln(s.Err, wording.Line(findings[i].String()))
	}
	if read.File == nil {
		return nil, errors.New("--from: the file is wrong")
	}
	return suiterun.From(name, file, m, read)
}

// recordedIn returns the recorded executions in a folder, a file or a pattern; none of a file of another kind.
func recordedIn(ctx context.Context, s *command.Streams, name string) (list []suiterun.RecordedExecution, err error) {
	source := executions.NewFiles([]string{name}, s.Files())
	info, missing := os.Stat(name)
	for more := true; more; {
		var rows []executions.Row
		if rows, more, err = source.Next(ctx); err != nil {
			if missing == nil && !info.IsDir() { // it may be a file of another kind
				return nil, nil
			}
			return nil, fmt.Errorf("--from: %w", err)
		}
		for i := range rows {
			x, err := source.Read(ctx, &rows[i], nil)
			if err != nil {
				return nil, fmt.Errorf("--from: %w", err)
			}
			one := suiterun.RecordedExecution{Files: x.Files, Trace: x.Trace}
			if x.History != nil && rows[i].ID != x.Files[0] {
				one.ARN = x.History.ARN
			}
			list = append(list, one)
		}
	}
	return list, nil
}
