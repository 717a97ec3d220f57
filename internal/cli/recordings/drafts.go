package recordings

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder/rerun"
)

const fromTraceLong = `Writes the results of a recorded run's tasks as a fixtures file (YAML), with the run's input, start time and
seed. "asldb run DEFINITION --fixtures FILE" then repeats the run, without any live call.

With --definition the tasks are those of another definition than the trace's own.`

// NewFixturesFromTrace returns the command "fixtures from-trace".
func NewFixturesFromTrace(s *command.Streams) *cobra.Command {
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
	f.session.Rows(cmd).Row("definition", ", in place of the recorded one").Add(launch.Named).Row("fork")
	command.AddOutputTo(cmd, &output, command.NewOutput)
	return cmd
}

func fixturesFromTrace(s *command.Streams, f *replayFlags, name, output string) error {
	err := f.read(s, name)
	if err != nil {
		return err
	}
	trace := f.session.Spec.Replay.Trace
	if launch.IsSkeleton(trace) {
		_ = trace.Close() // it was only read
		return fmt.Errorf("%s was made of a history, without its definition: asldb fixtures from-history HISTORY has the results", name)
	}
	run, err := launch.New(f.session.Spec)
	if err != nil {
		_ = run.Close() // nothing was recorded
		return command.Flagged(err)
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
	comments := []string{"The results of the tasks of a recorded run (asldb fixtures from-trace " + wording.Line(filepath.Base(name)) + ")."}
	if trace.Redacted() {
		comments = append(comments, "The trace is redacted: some values are replaced.")
	}
	draft.Comments = append(comments, draft.Comments...)
	return command.WriteNew(s, output, draft.YAML())
}

const fromHistoryLong = `Writes the results of a recorded execution's tasks as a fixtures file (YAML), with the execution's input
and start time. "asldb run DEFINITION --fixtures FILE" then repeats the execution.

With --definition the execution is run again, and tasks end at the recorded times. Without it, each task
takes as long as it did in the recording.

`

// NewFixturesFromHistory returns the command "fixtures from-history".
func NewFixturesFromHistory(s *command.Streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:     "from-history HISTORY...",
		Short:   "Write fixtures from a recorded execution",
		Long:    fromHistoryLong + historyForms,
		Example: "  asldb fixtures from-history history.json --definition order.asl.json -o order.yaml\n  asldb run order.asl.json --fixtures order.yaml",
		Args:    someHistory,
		RunE: func(_ *cobra.Command, args []string) error {
			options.Spec.History.Files = args
			return fixturesFromHistory(s, options, output)
		},
	}
	options.addTo(cmd, s)
	command.AddOutputTo(cmd, &output, command.NewOutput)
	return cmd
}

func fixturesFromHistory(s *command.Streams, f *importFlags, output string) error {
	var draft *fixtures.Draft
	var recording *rerun.Recording
	if f.Spec.Definition.File == "" {
		opened, err := f.recording(s)
		if err != nil {
			return err
		}
		recording, draft = opened, opened.Draft()
	} else {
		check, b, err := f.runAgain(s)
		if b != nil {
			defer b.End(s)
		}
		if err != nil {
			return err
		}
		recording, draft = f.Spec.History.Recording, fixtures.DraftOf(check.Session)
		if !check.Agrees() || check.Waits != "" {
			fmt.Fprintln(s.Err, wording.Line("warning: "+check.String()+" "+check.Waits))
		}
	}
	comments := []string{"The results of tasks in a recorded execution (asldb fixtures from-history):"}
	comments = append(comments, recording.About()...)
	for _, note := range recording.Execution.Notes {
		comments = append(comments, "note: "+note.String())
	}
	draft.Comments = append(comments, draft.Comments...)
	return command.WriteNew(s, output, draft.YAML())
}
