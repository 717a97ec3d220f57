package trials

import (
	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/internal/cli/command"
)

// NewFixtures returns the command "fixtures" with those of its subcommands that run and read no recording.
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
