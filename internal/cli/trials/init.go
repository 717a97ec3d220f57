package trials

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/fixtures/starter"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

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
