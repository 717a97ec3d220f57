package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/fixtures/livekind"
	"asldb/fixtures/mocks"
	"asldb/internal/visible"
)

// fixturesFlags say where the results of tasks come from.
type fixturesFlags struct {
	fixtures string
	// mockConfig is a mock configuration, in place of fixtures.
	mockConfig string
	// fixturesCase is the name of a case of the file; empty for what it says in common.
	fixturesCase string
	// allowLive and noLive say what the fixtures may call; without them the person is asked.
	allowLive, noLive bool
}

func (f *fixturesFlags) addFixturesTo(cmd *cobra.Command) {
	cmd.Flags().VarP(newFilled(&f.fixtures, ""), "fixtures", "f", "a `FILE` with the results of tasks: fixtures (YAML or JSON), or the mocks of\nStep Functions Local, of sfn-test or of TestState")
	cmd.Flags().Var(newFilled(&f.mockConfig, ""), "mock-config", "a `FILE` for AWS Step Functions Local (MockConfigFile.json); needs --case")
	cmd.Flags().Var(newFilled(&f.fixturesCase, ""), "case", "the `NAME` of a case in the fixtures, or of a test case (Machine#Case\nwhere several state machines have one)")
	cmd.Flags().BoolVar(&f.allowLive, "allow-live", false, "let the fixtures get results from outside in this run:\n"+livekind.Actions()+";\n\"asldb allow\" does it for good")
	cmd.Flags().BoolVar(&f.noLive, "no-live", false, "call nothing outside, whatever the fixtures say: such results are missing")
}

// openFixtures reads the fixtures that the flags name; nil where they name none. What is left out of them goes to standard error.
func (f *fixturesFlags) openFixtures(s *streams) (*fixtures.File, error) {
	flag, name := "--fixtures", f.fixtures
	switch {
	case name != "" && f.mockConfig != "":
		return nil, errors.New("--fixtures and --mock-config exclude each other: give one of them")
	case f.mockConfig != "":
		flag, name = "--mock-config", f.mockConfig
	case name == "" && f.fixturesCase != "":
		return nil, errors.New("--case is the name of a case in a fixtures file: give that with --fixtures")
	case name == "":
		return nil, nil
	}
	if name == stdinArgument {
		return nil, fmt.Errorf("%s is the name of a file", flag)
	}
	name, data, err := readFile(s, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	read, err := mocks.Load(name, data)
	if f.mockConfig != "" && read.Format != mocks.MockConfig {
		return nil, fmt.Errorf("--mock-config: %s is no mock configuration: that has StateMachines and MockedResponses", name)
	}
	if err != nil {
		return nil, fmt.Errorf("the fixtures are wrong:\n%w", err)
	}
	for _, d := range read.Warnings {
		if read.Format == mocks.MockConfig { // which "fixtures check" tells: nothing is left out of these
			break
		}
		fmt.Fprintf(s.err, "%s:%d:%d: warning: %s\n", visible.Line(name), d.Span.Start.Line, d.Span.Start.Col, visible.Line(d.Message))
	}
	return f.chosen(read)
}

// chosen is the case that the flags name.
func (f *fixturesFlags) chosen(read *mocks.Read) (*fixtures.File, error) {
	wanted := f.fixturesCase
	if wanted == "" {
		if read.Config != nil {
			return nil, fmt.Errorf("%s has test cases, of which --case names one: %s", read.File.Name, strings.Join(read.File.Cases(), ", "))
		}
		return read.File, nil
	}
	if read.Config != nil {
		wanted = read.Config.Resolve(wanted)
	}
	chosen, err := read.File.Case(wanted)
	if err != nil {
		return nil, fmt.Errorf("--case: %w", err)
	}
	return chosen, nil
}

// tellUnused writes what a run did not use of its fixtures, which may be nil.
func tellUnused(s *streams, source *fixtures.Source) {
	if source == nil {
		return
	}
	for _, unused := range source.Unused() {
		fmt.Fprintln(s.err, visible.Line("unused: "+unused.String()))
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
	cmd.AddCommand(newFixturesInit(s), newFixturesCheck(s), newFixturesConvert(s), newFixturesFromHistory(s), newFixturesFromTrace(s), newFixturesSchema(s))
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
