package recordings

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/report"
	"asldb/internal/why"
	"asldb/recorder"
)

const whyLong = `Explains why a recorded execution failed: from its end back to the error in which that began, through Fail
states, catchers, Choice rules, retries, branches, iterations and the executions that tasks started. Errors
that the execution survived are named apart.

The recording is a history of Step Functions (see "asldb history --help" for its forms), or a trace of asldb.
With - it is read from standard input. A history does not have the definition: with --definition the
explanation has the answers of retriers and catchers, places in the file, values and their origins. If the
definition is not the one that ran, the recorded events are explained, and a note says so.

Events of a history are named by their ids in Step Functions.`

const whyStatuses = `Exit status:
  0    the failure was explained
  2    the command line or a file is wrong
  5    there is no failure: the execution succeeded, or had not ended`

const whyExample = `  aws stepfunctions get-execution-history --execution-arn ARN | asldb why -
  asldb why history.json --definition order.asl.json
  asldb why page1.json page2.json --format md
  asldb why express.log --execution 4f1a
  asldb why order.trace --redact '$..card'
  asldb why history.json --format json | jq '.chain[-1].state'`

// NewWhy returns the command "why".
func NewWhy(s *command.Streams) *cobra.Command {
	q, reports, redact := &why.Question{}, &command.Reports{}, []string(nil)
	cmd := &cobra.Command{
		Use:     "why HISTORY|TRACE...",
		Short:   "Explain why a recorded execution failed",
		Long:    whyLong + "\n\n" + whyStatuses,
		Example: whyExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("which history or trace? usage: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for _, path := range redact {
				redaction, err := recorder.ParseRedaction(path)
				if err != nil {
					return fmt.Errorf("--redact: %w", err)
				}
				q.Redactions = append(q.Redactions, redaction)
			}
			q.Files = args
			return explainRecording(s, *q, reports)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(command.NewFilled(&q.Definition.File, ""), "definition", "the definition `FILE` of the execution")
	command.AddDefinitionFlags(cmd, &q.Definition)
	reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData))
	flags.StringArrayVar(&redact, "redact", nil, "leave the values at `PATH`, such as $..password, out of the explanation\nwherever they occur; repeatable")
	flags.Var(command.NewFilled(&q.Execution, ""), "execution", "the `ARN` of the execution in a log that has several, or the end of it")
	flags.IntVar(&q.Attempt, "attempt", 0, "the `NUMBER` of the attempt of a redriven execution (default: the last)")
	flags.Lookup("attempt").DefValue = "0" // the usage has the default in words
	flags.IntVar(&q.Fork, "fork", 0, "the `NUMBER` of the fork, as listed by trace info (default: the last)")
	flags.Lookup("fork").DefValue = "0"
	return cmd
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
