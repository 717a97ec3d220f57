package trials

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/fixtures/starter"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

const initLong = `Writes a first fixtures file for a definition: an input with the members that the states read, and for
each task its Resource, the errors that its state handles, and a result in the shape that the integration
returns, with the members that later states read.

The values are placeholders of the right type. They lead through the Choice states to a successful end if
there is one: asldb runs the definition in memory to find it.`

func newFixturesInit(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	output := ""
	cmd := &cobra.Command{
		Use:     "init DEFINITION",
		Short:   "Write a first fixtures file for a definition",
		Long:    initLong,
		Example: "  asldb fixtures init order.asl.json -o order.yaml\n  asldb order.asl.json --fixtures order.yaml",
		Args:    command.ExactlyOneDefinition,
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
