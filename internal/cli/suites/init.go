package suites

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/fixtures/mocks"
	"asldb/internal/cli/command"
	"asldb/internal/files"
	"asldb/internal/launch"
	"asldb/internal/project"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

const testInitLong = `Writes a first suite for a definition: fixtures as "asldb fixtures init" writes them, a case that succeeds,
and a case for each Choice rule, retrier and catcher of a task that a run can reach this way. Each case
expects the path and the status that its run had, so the suite passes. Replace the values by real ones.

With --from the cases are those of a file: fixtures, a mock configuration (MockConfigFile.json), or a mock
file of sfn-test. Each becomes a case with the path, the status and the error that its run has. One whose
run lacks a result is skipped, with the reason.`

// newTestInit returns the command that writes a first suite.
func newTestInit(s *command.Streams) *cobra.Command {
	given, output, from := &launch.Given{}, "", ""
	cmd := &cobra.Command{
		Use:               "init DEFINITION",
		Short:             "Write a first suite for a definition",
		Long:              testInitLong,
		Example:           "  asldb test init order.asl.json -o order.test.yaml\n  asldb test order.test.yaml\n  asldb test init order.asl.json --from MockConfigFile.json -o order.test.yaml",
		Args:              command.ExactlyOneDefinition,
		ValidArgsFunction: command.CompleteDefinition,
		RunE: func(_ *cobra.Command, args []string) error {
			definition := given.Spec.Definition
			definition.File = args[0]
			m, err := suiterun.OpenCase(definition, suiterun.Settings{Limits: engine.ServiceLimits(), Files: files.Files{Stdin: s.In}, Projects: &project.Finder{}})
			if err != nil {
				return command.DefinitionError(s, err)
			}
			name := cmp.Or(output, "new.test.yaml")
			what, write := "not reached", func() (*suiterun.Suite, error) { return suiterun.Make(name, args[0], m) }
			if from != "" {
				read, err := casesFrom(s, from)
				if err != nil {
					return err
				}
				what, write = "no expectation", func() (*suiterun.Suite, error) { return suiterun.From(name, args[0], m, read) }
			}
			made, err := write()
			if err != nil {
				return fmt.Errorf("the suite cannot be made: %w", err)
			}
			for _, line := range made.Unreached {
				fmt.Fprintln(s.Err, wording.Line(what+": "+line))
			}
			return command.WriteNew(s, output, wording.JSON(made.Text))
		},
	}
	flags := cmd.Flags()
	command.AddOutputTo(cmd, &output, command.NewOutput)
	flags.Var(command.NewFilled(&from, ""), "from", "take the cases of fixtures, a mock configuration or a mock file of sfn-test: a `FILE`")
	command.RowsOf(cmd, given).Add(launch.Named)
	return cmd
}

// casesFrom reads the file of --from.
func casesFrom(s *command.Streams, name string) (*mocks.Read, error) {
	read, findings, err := command.ReadFixtures(s, name)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	for i := range findings {
		fmt.Fprintln(s.Err, wording.Line(findings[i].String()))
	}
	if read.File == nil {
		return nil, errors.New("--from: the file is wrong")
	}
	return read, nil
}
