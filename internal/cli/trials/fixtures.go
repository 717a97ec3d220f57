package trials

import (
	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/internal/cli/command"
)

const fixturesLong = `Creates, records, converts and checks fixtures files. A fixtures file has the results of tasks.`

// NewFixtures returns the command "fixtures" with those of its subcommands that run and read no recording.
func NewFixtures(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Create, record, convert and check fixtures files",
		Long:  fixturesLong,
		Args:  command.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFixturesInit(s), newFixturesCheck(s), newFixturesConvert(s), newFixturesSchema(s))
	return cmd
}

const schemaLong = `Prints the JSON Schema (draft 2020-12) of fixtures files, for completion and checks in editors.

Save it, and name it in the first line of a YAML file for the YAML language server:

  # yaml-language-server: $schema=fixtures.schema.json`

func newFixturesSchema(s *command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of fixtures files",
		Long:    schemaLong,
		Example: "  asldb fixtures schema > fixtures.schema.json",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.Out.Write(fixtures.Schema())
			return command.WrapWrite(err)
		},
	}
}
