package recordings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/executions"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/internal/wording"
)

// whyFlags are the flags of the command "why".
type whyFlags struct {
	fetchFlags
	reports command.Reports
}

// NewWhy returns the command "why".
func NewWhy(s *command.Streams) *cobra.Command {
	f := &whyFlags{}
	cmd := &cobra.Command{
		Use:   "why HISTORY|TRACE|FOLDER...",
		Short: "Explain why a recorded execution failed",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && f.machine == "":
				return fmt.Errorf("which history or trace? usage: %s", cmd.UseLine())
			case len(args) > 0 && f.machine != "":
				return errors.New("--state-machine fetches executions, and recordings are read: give one of the two")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, s, args) },
	}
	rows := command.RowsOf(cmd, &f.Given).Row("definition", ": the execution's").Add(launch.Named)
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData))
	rows.Row("redact", " in the explanation; repeatable").Add(launch.Executions).Row("fork")
	f.addSearchTo(cmd, "explain its executions that failed")
	cmd.Flags().Var(command.NewFilled(&f.folder.Dir, "histories"), "into", "the `FOLDER` for executions that are fetched")
	command.Under(cmd, launch.InAWS, append(inAWS, "into")...)
	return cmd
}

// inAWS are the flags of a search in AWS.
var inAWS = []string{"state-machine", "since", "limit", "profile", "endpoint-url", "rate"}

func (f *whyFlags) explain(cmd *cobra.Command, s *command.Streams, args []string) error {
	redactions, err := launch.Redactions(f.Trace.Redact)
	if err != nil {
		return err
	}
	h := &f.Spec.History
	q := why.Question{
		Definition: f.Spec.Definition, Redactions: redactions, Execution: h.Execution, Attempt: h.Attempt,
		Fork: f.Spec.Replay.Fork,
	}
	if f.machine != "" {
		return f.explainFetched(cmd, s, q)
	}
	for _, name := range append(inAWS, "into") {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for executions that are fetched with --state-machine", name)
		}
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		return explainAll(cmd.Context(), s, args, q, &f.reports)
	}
	q.Files = args
	return explainRecording(s, q, &f.reports)
}

// explainFetched fetches the executions of a state machine that failed, and explains one of each root cause.
func (f *whyFlags) explainFetched(cmd *cobra.Command, s *command.Streams, q why.Question) error {
	if q.Execution != "" || q.Attempt != 0 || q.Fork != 0 {
		return errors.New("--execution, --attempt and --fork choose a recorded execution, and --state-machine searches: " +
			"give one of them")
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	p := newProgress(s)
	var names []string
	p.keep = func(file string) {
		if filepath.Dir(file) == filepath.Clean(f.folder.Dir) { // else a task or a Map Run has started it
			names = append(names, file)
		}
	}
	f.statuses = executions.Failures()
	err := f.run(ended, p, nil)
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case err == nil && p.total == 0:
		none := fmt.Errorf("there is no execution of %s that failed", wording.Line(f.machine))
		return command.Exit(command.StatusUnexplained, none)
	case err != nil || len(names) == 0:
		return p.end(err)
	}
	if err := explainAll(ended, s, names, q, &f.reports); err != nil {
		return err
	}
	return p.end(nil)
}

// explainAll explains the failures in folders, one of each root cause.
func explainAll(
	ctx context.Context, s *command.Streams, names []string, q why.Question, reports *command.Reports,
) error {
	q.Input, q.Warn = s.Files(), s.Warn
	causes, err := why.OfAll(ctx, names, q)
	if err != nil {
		return command.OneLine(err)
	}
	if err := reports.Answered(s, causes.Report()); err != nil {
		return err
	}
	if err := causes.None(); err != nil {
		return command.Exit(command.StatusUnexplained, err)
	}
	return nil
}

func explainRecording(s *command.Streams, q why.Question, reports *command.Reports) error {
	q.Input, q.Warn = s.Files(), s.Warn
	answer, err := why.Of(q)
	if answer == nil {
		return command.Flagged(command.DefinitionError(s, err))
	}
	if written := reports.Answered(s, answer.Report()); written != nil {
		return written
	}
	var unexplained *why.UnexplainedError
	if errors.As(err, &unexplained) {
		return command.Exit(command.StatusUnexplained, err)
	}
	return err
}
