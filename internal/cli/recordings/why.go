package recordings

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/why"
)

const whyLong = `Explains why a recorded execution failed: from its end back to the error in which that began, through Fail
states, catchers, Choice rules, retries, branches, iterations and the executions that tasks started. Errors
that the execution survived are named apart.

The recording is a history of Step Functions (see "asldb history --help" for its forms), or a trace of asldb.
With - it is read from standard input. A history does not have the definition: with --definition the
explanation has the answers of retriers and catchers, places in the file, values and their origins. If the
definition is not the one that ran, the recorded events are explained, and a note says so.

Of a folder of recordings, such as one of "asldb fetch", all executions that failed are put together by their
root cause, with the explanation of one each. The definition is the one beside them, where it was fetched.

Events of a history are named by their ids in Step Functions.`

const whyStatuses = `Exit status:
  0    the failure was explained
  2    the command line or a file is wrong
  5    there is no failure: the executions succeeded, or had not ended`

const whyExample = `  aws stepfunctions get-execution-history --execution-arn ARN | asldb why -
  asldb why history.json --definition order.asl.json
  asldb why page1.json page2.json --format md
  asldb why express.log --execution 4f1a
  asldb why recorded/
  asldb why order.trace --redact '$..card'
  asldb why history.json --format json | jq '.chain[-1].state'`

// NewWhy returns the command "why".
func NewWhy(s *command.Streams) *cobra.Command {
	given, reports := &launch.Given{}, &command.Reports{}
	cmd := &cobra.Command{
		Use:     "why HISTORY|TRACE|FOLDER...",
		Short:   "Explain why a recorded execution failed",
		Long:    whyLong + "\n\n" + whyStatuses,
		Example: whyExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("which history or trace? usage: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			redactions, err := launch.Redactions(given.Trace.Redact)
			if err != nil {
				return err
			}
			h := &given.Spec.History
			q := why.Question{Definition: given.Spec.Definition, Redactions: redactions, Execution: h.Execution, Attempt: h.Attempt, Fork: given.Spec.Replay.Fork}
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				return explainAll(cmd.Context(), s, args, q, reports)
			}
			q.Files = args
			return explainRecording(s, q, reports)
		},
	}
	rows := command.RowsOf(cmd, given).Row("definition", ": the execution's").Add(launch.Named)
	reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData))
	rows.Row("redact", " in the explanation; repeatable").Add(launch.Executions).Row("fork")
	return cmd
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
