package trials

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/wording"
)

func newFixturesCheck(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	d := &given.Spec.Definition
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check fixtures against a definition",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			named := launch.Fixtures{Name: command.FirstOf(args)}
			if err := named.Find(s.Files(), d, true); err != nil {
				return err
			}
			if named.Found != "" {
				fmt.Fprintln(s.Err, named.Found)
			}
			if named.Name == "" {
				return oneFixturesFile(cmd, args)
			}
			return checkFixtures(s, d, d.File, named.Name)
		},
	}
	command.RowsOf(cmd, given).Row("definition", ", to check against").Add(launch.Named)
	return cmd
}

func oneFixturesFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("which file? usage: %s", cmd.UseLine())
	}
	return nil
}

func checkFixtures(s *command.Streams, d *definitions.Definition, definition, name string) error {
	if suite.IsSuite(name) {
		return checkSuite(s, *d, definition, name)
	}
	read, findings, err := command.ReadFixtures(s, name)
	if err != nil {
		return err
	}
	var unread error // why the definition cannot be checked against
	if definition != "" && read.Examined != nil {
		var machine *asl.StateMachine
		if machine, unread = command.OpenMachine(s, *d, definition); unread == nil {
			findings = fixtures.Join(findings, fixtures.Check(read.Examined, machine))
			if read.Config != nil {
				findings = append(findings, fixtures.Diagnosed(read.Source.Name, read.Config.CheckDefinition(machine))...)
			}
		}
	}
	if read.Examined != nil {
		below := fixtures.Nested(read.Examined, definition, func(name string) (*asl.StateMachine, error) { return d.Nested(s.Files(), name) })
		findings = fixtures.Join(findings, below)
	}
	counts := map[fixtures.Level]int{}
	for i := range findings {
		counts[findings[i].Level]++
		if _, err := fmt.Fprintln(s.Out, wording.Line(findings[i].String())); err != nil {
			return command.WrapWrite(err)
		}
	}
	if unread != nil {
		return unread
	}
	if counts[fixtures.UseProblem] > 0 {
		return command.Exit(command.StatusFailed, nil)
	}
	return nil
}

// checkSuite writes the problems of a suite, those that show only with its definition included. definition replaces the
// suite's own where it is given.
func checkSuite(s *command.Streams, d definitions.Definition, definition, name string) error {
	d.File = definition
	wrong, err := command.SuiteProblems(s, d, name)
	if err != nil || wrong == nil {
		return err
	}
	if _, err := fmt.Fprintln(s.Out, wording.Text(wrong.Error())); err != nil {
		return command.WrapWrite(err)
	}
	return command.Exit(command.StatusFailed, nil)
}
