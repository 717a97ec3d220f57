package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/fixtures"
)

// fixturesFlags say where the results of tasks come from.
type fixturesFlags struct {
	fixtures string
	// fixturesCase is the name of a case of the file; empty for what it says in common.
	fixturesCase string
	allowLive    bool
}

func (f *fixturesFlags) addFixturesTo(cmd *cobra.Command) {
	cmd.Flags().VarP(newFilled(&f.fixtures, ""), "fixtures", "f", "a `FILE` with the results of tasks (YAML or JSON)")
	cmd.Flags().Var(newFilled(&f.fixturesCase, ""), "case", "the `NAME` of a case in the fixtures")
	cmd.Flags().BoolVar(&f.allowLive, "allow-live", false, "let the fixtures get results from outside: run commands (exec), call endpoints (http)\nand functions (lambda); a file that says allowLive: true needs no flag")
}

// openFixtures reads the fixtures that the flags name; nil where they name none.
func (f *fixturesFlags) openFixtures(s *streams) (*fixtures.File, error) {
	switch {
	case f.fixtures == "" && f.fixturesCase != "":
		return nil, errors.New("--case is the name of a case in a fixtures file: give that with --fixtures")
	case f.fixtures == "":
		return nil, nil
	case f.fixtures == stdinArgument:
		return nil, errors.New("--fixtures is the name of a file")
	}
	name, data, err := readFile(s, f.fixtures)
	if err != nil {
		return nil, fmt.Errorf("--fixtures: %w", err)
	}
	file, err := fixtures.Load(name, data)
	if err != nil {
		return nil, fmt.Errorf("the fixtures are wrong:\n%w", err)
	}
	if f.fixturesCase == "" {
		return file, nil
	}
	chosen, err := file.Case(f.fixturesCase)
	if err != nil {
		return nil, fmt.Errorf("--case: %w", err)
	}
	return chosen, nil
}

// beginSource tells fixtures what the run begins with, for results that are computed.
func beginSource(source debug.Source, options *debug.Options) {
	if bound, ok := source.(*fixtures.Source); ok {
		bound.Begin(options.Start, options.Seed)
	}
}

// tellUnused writes what of the fixtures a run did not use.
func tellUnused(s *streams, source debug.Source) {
	for _, unused := range fixtures.UnusedOf(source) {
		fmt.Fprintln(s.err, visible("unused: "+unused.String()))
	}
}

const fixturesLong = `Makes and checks fixtures files: the results of tasks, for a run.`

func newFixtures(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Make and check fixtures files",
		Long:  fixturesLong,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newFixturesFromHistory(s), newFixturesSchema(s))
	return cmd
}

const schemaLong = `Prints the JSON Schema (draft 2020-12) of fixtures files, with which editors complete and check them.

Save it, and name it in the first line of a YAML file for the YAML language server:

  # yaml-language-server: $schema=fixtures.schema.json`

func newFixturesSchema(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of fixtures files",
		Long:    schemaLong,
		Example: "  asldb fixtures schema > fixtures.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.out.Write(fixtures.Schema())
			return wrapWrite(err)
		},
	}
}
