package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/visible"
)

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
