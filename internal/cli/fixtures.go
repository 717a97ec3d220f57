package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/fixtures/livekind"
	"asldb/internal/launch"
	"asldb/internal/visible"
)

// fixturesFlags are the flags for the results of tasks.
type fixturesFlags struct {
	mockConfig string
	// allowLive and noLive allow and forbid the calls of the fixtures; without them the user is asked.
	allowLive, noLive bool
}

func (f *fixturesFlags) addFixturesTo(cmd *cobra.Command, fixtures *launch.Fixtures) {
	cmd.Flags().VarP(newFilled(&fixtures.Name, ""), "fixtures", "f", "the results of tasks: a fixtures `FILE` (YAML or JSON), or mocks of Step Functions\nLocal, sfn-test or TestState")
	cmd.Flags().Var(newFilled(&f.mockConfig, ""), "mock-config", "a mock configuration `FILE` of Step Functions Local (MockConfigFile.json); needs --case")
	cmd.Flags().Var(newFilled(&fixtures.Case, ""), "case", "the `NAME` of a case in the fixtures, or of a test case (Machine#Case if several\nstate machines have it)")
	cmd.Flags().BoolVar(&f.allowLive, "allow-live", false, "allow the live calls of the fixtures in this run:\n"+livekind.Actions()+";\n\"asldb allow\" allows them permanently")
	cmd.Flags().BoolVar(&f.noLive, "no-live", false, "make no live calls; their results are missing")
}

// fill completes the fixtures of a Spec.
func (f *fixturesFlags) fill(fixtures *launch.Fixtures) error {
	switch {
	case fixtures.Name != "" && f.mockConfig != "":
		return errors.New("--fixtures and --mock-config exclude each other: give one of them")
	case f.mockConfig != "":
		fixtures.Name, fixtures.MockConfig = f.mockConfig, true
	case fixtures.Name == "" && fixtures.Case != "":
		return errors.New("--case is the name of a case in a fixtures file: give that with --fixtures")
	}
	return nil
}

// writeUnused writes the results of fixtures that a run did not use. source may be nil.
func writeUnused(s *streams, source *fixtures.Source) {
	if source == nil {
		return
	}
	for _, unused := range source.Unused() {
		fmt.Fprintln(s.err, visible.Line("unused: "+unused.String()))
	}
}

const fixturesLong = `Creates, converts and checks fixtures files, which have the results of tasks.`

func newFixtures(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Create, convert and check fixtures files",
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

const fromTraceLong = `Writes the results of a recorded run's tasks as a fixtures file (YAML), with the run's input, start time and
seed. "asldb run DEFINITION --fixtures FILE" then repeats the run, without any live call.

With --definition the tasks are those of another definition than the trace's own.`

func newFixturesFromTrace(s *streams) *cobra.Command {
	f := &replayFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:     "from-trace TRACE",
		Short:   "Write fixtures from the trace of a run",
		Long:    fromTraceLong,
		Example: "  asldb fixtures from-trace order.trace -o order.yaml",
		Args:    traceArgument,
		RunE:    func(_ *cobra.Command, args []string) error { return fixturesFromTrace(s, f, args[0], output) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(newFilled(&f.session.spec.Definition.File, ""), "definition", "run the definition in `FILE` instead of the recorded one")
	addDefinitionFlags(cmd, &f.session.spec.Definition)
	addForkFlag(cmd, &f.session.spec.Replay)
	addOutputTo(cmd, &output)
	return cmd
}

func fixturesFromTrace(s *streams, f *replayFlags, name, output string) error {
	err := f.read(s, name)
	if err != nil {
		return err
	}
	trace := f.session.spec.Replay.Trace
	if launch.IsSkeleton(trace) {
		_ = trace.Close() // it was only read
		return fmt.Errorf("%s was made of a history, without its definition: asldb fixtures from-history HISTORY has the results", name)
	}
	run, err := launch.New(f.session.spec)
	if err != nil {
		_ = run.Close() // nothing was recorded
		return flagged(err)
	}
	defer run.Close()
	d := run.Replay.Divergence
	if v := run.Replay.Verification; v != nil {
		d = v.Divergence
	}
	if d != nil {
		return fmt.Errorf("executed again the run differs at event %d, so the results of its tasks would not reproduce it: asldb replay --verify tells more", d.Index+1)
	}
	draft := fixtures.DraftOf(run.Session)
	comments := []string{"The results of the tasks of a recorded run (asldb fixtures from-trace " + visible.Line(filepath.Base(name)) + ")."}
	if trace.Redacted() {
		comments = append(comments, "The trace is redacted: some values are replaced.")
	}
	draft.Comments = append(comments, draft.Comments...)
	return writeNew(s, output, draft.YAML())
}
