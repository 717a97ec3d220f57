package trials

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/fixtures/mocks"
	"asldb/fixtures/starter"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

func newFixturesConvert(s *command.Streams) *cobra.Command {
	var to, output, machine string
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "Convert fixtures to a mock configuration, or mocks to fixtures",
		Args:  oneFixturesFile,
		RunE:  func(_ *cobra.Command, args []string) error { return convertFixtures(s, args[0], to, output, machine) },
	}
	rows := command.RowsOf(cmd, &launch.Given{})
	cmd.Flags().Var(command.NewForm(&to, "fixtures", "fixtures|mock-config"), "to", "the form to write")
	cmd.Flags().Var(command.NewFilled(&machine, ""), "machine", "the `NAME` of the state machine in a mock configuration\n(default: the file's name)")
	command.AddOutputTo(cmd, &output, command.NewOutput)
	rows.Row("read-outside")
	return cmd
}

func convertFixtures(s *command.Streams, name, to, output, machine string) error {
	read, findings, err := command.ReadFixtures(s, name)
	if err != nil {
		return err
	}
	for i := range findings {
		fmt.Fprintln(s.Err, wording.Line(findings[i].String()))
	}
	switch {
	case read.File == nil:
		return errors.New("the fixtures are wrong")
	case to == "fixtures" && read.Tree == nil:
		return fmt.Errorf("%s has this form already", name)
	case to == "fixtures":
		text := append([]byte("# Converted from "+wording.Line(filepath.Base(name))+", "+read.Format.String()+".\n"), fixtures.TreeYAML(read.Tree)...)
		return command.WriteNew(s, output, text)
	}
	if machine == "" {
		machine, _, _ = strings.Cut(filepath.Base(name), ".")
	}
	cases, err := casesOf(read.File)
	if err != nil {
		return err
	}
	data, notes := mocks.Write(machine, cases)
	for _, note := range notes {
		fmt.Fprintln(s.Err, wording.Line(note))
	}
	return command.WriteNew(s, output, data)
}

// casesOf returns the cases of a file as test cases; a file without cases is one.
func casesOf(file *fixtures.File) ([]mocks.Case, error) {
	names := file.Cases()
	if len(names) == 0 {
		lists, err := file.Lists()
		return []mocks.Case{{Name: "Fixtures", Lists: lists}}, err
	}
	cases := make([]mocks.Case, len(names))
	for i, name := range names {
		chosen, err := file.Case(name)
		if err != nil {
			return nil, err
		}
		lists, err := chosen.Lists()
		if err != nil {
			return nil, err
		}
		cases[i] = mocks.Case{Name: name, Lists: lists}
	}
	return cases, nil
}

// NewFixtures returns the command "fixtures" with the subcommands that run and read no recording.
func NewFixtures(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Create, record, convert and check fixtures files",
		Args:  command.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFixturesInit(s), newFixturesCheck(s), newFixturesConvert(s), newFixturesSchema(s))
	return cmd
}

func newFixturesSchema(s *command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of fixtures files",
		Args:  command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.Out.Write(fixtures.Schema())
			return command.WrapWrite(err)
		},
	}
}

func newFixturesInit(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	output := ""
	cmd := &cobra.Command{
		Use:   "init DEFINITION",
		Short: "Write a first fixtures file for a definition",
		Args:  command.ExactlyOneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := command.OpenText(s, given.Spec.Definition, args[0])
			if err != nil {
				return err
			}
			machine, err := text.Parse()
			if err != nil {
				return command.DefinitionError(s, err)
			}
			draft := starter.Draft(cmd.Context(), machine)
			draft.Comments = append([]string{"Fixtures for " + wording.Line(filepath.Base(text.Source.Name)) + "."}, draft.Comments...)
			return command.WriteNew(s, output, draft.YAML())
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	rows := command.RowsOf(cmd, given)
	command.AddOutputTo(cmd, &output, command.NewOutput)
	rows.Add(launch.Named)
	return cmd
}
