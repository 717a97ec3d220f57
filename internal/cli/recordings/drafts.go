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

// NewFixturesFromTrace returns the command "fixtures from-trace".
func NewFixturesFromTrace(s *command.Streams) *cobra.Command {
	f := &replayFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:   "from-trace TRACE",
		Short: "Write fixtures from the trace of a run",
		Args:  traceArgument,
		RunE:  func(_ *cobra.Command, args []string) error { return fixturesFromTrace(s, f, args[0], output) },
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

// NewFixturesFromHistory returns the command "fixtures from-history".
func NewFixturesFromHistory(s *command.Streams) *cobra.Command {
	options := &importFlags{}
	output := ""
	cmd := &cobra.Command{
		Use:   "from-history HISTORY...",
		Short: "Write fixtures from a recorded execution",
		Args:  someHistory,
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
