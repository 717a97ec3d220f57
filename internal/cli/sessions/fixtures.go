package sessions

import (
	"errors"

	"github.com/spf13/cobra"

	"asldb/engine/outcome"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
)

// fixturesFlags are the flags for the results of tasks.
type fixturesFlags struct {
	mockConfig string
	// allowLive and noLive allow and forbid the calls of the fixtures; without them the user is asked.
	allowLive, noLive bool
}

func (f *fixturesFlags) addFixturesTo(cmd *cobra.Command, fixtures *launch.Fixtures) {
	cmd.Flags().VarP(command.NewFilled(&fixtures.Name, ""), "fixtures", "f", "the results of tasks: a fixtures `FILE` (YAML or JSON), or mocks of Step Functions\nLocal, sfn-test or TestState")
	command.AddNoFixturesTo(cmd, fixtures)
	cmd.Flags().Var(command.NewFilled(&f.mockConfig, ""), "mock-config", "a mock configuration `FILE` of Step Functions Local (MockConfigFile.json); needs --case")
	cmd.Flags().Var(command.NewFilled(&fixtures.Case, ""), "case", "the `NAME` of a case in the fixtures, or of a test case (Machine#Case if several\nstate machines have it)")
	_ = cmd.RegisterFlagCompletionFunc("case", command.CompleteCase) // it fails only for a flag that does not exist
	cmd.Flags().BoolVar(&f.allowLive, "allow-live", false, "allow the live calls of the fixtures in this run:\n"+outcome.Actions()+";\n\"asldb allow\" allows them permanently")
	cmd.Flags().BoolVar(&f.noLive, "no-live", false, "make no live calls; their results are missing")
}

// fill completes the fixtures of a Spec.
func (f *fixturesFlags) fill(fixtures *launch.Fixtures) error {
	switch {
	case fixtures.Name != "" && f.mockConfig != "":
		return errors.New("--fixtures and --mock-config exclude each other: give one of them")
	case f.mockConfig != "":
		fixtures.Name, fixtures.MockConfig = f.mockConfig, true
	}
	return nil
}
