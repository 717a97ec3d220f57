// Package recordings has the commands that read recorded runs: replay, trace and history, and the fixtures made of them.
package recordings

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// NewHistory returns the command "history" with its subcommands.
func NewHistory(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Read recorded executions of Step Functions",
		Args:  command.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHistoryImport(s), newHistoryExport(s), newHistoryStats(s))
	return cmd
}

func newHistoryExport(s *command.Streams) *cobra.Command {
	given := &launch.Given{}
	output := ""
	cmd := &cobra.Command{
		Use:   "export TRACE",
		Short: "Print a trace as a Step Functions history",
		Args:  traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, run, err := openFork(s, &given.Spec.Replay, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			recording, warning := run.Recording()
			if warning != nil {
				fmt.Fprintf(s.Err, "%s: warning: %s\n", wording.Line(args[0]), wording.Line(warning.Error()))
			}
			text := trace.Header().InputText
			document := history.Document(history.OfInput(text, func(yield func(*engine.Event) bool) {
				for i := range recording.Events {
					if !yield(&recording.Events[i]) {
						return
					}
				}
			}))
			return command.WriteNew(s, output, wording.JSON(append([]byte(value.Pretty(document)), '\n')))
		},
	}
	command.RowsOf(cmd, given).Row("fork")
	command.AddOutputTo(cmd, &output, command.NewOutput)
	return cmd
}
