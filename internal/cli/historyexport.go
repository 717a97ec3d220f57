package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/value"
	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/recorder/history"
)

const exportLong = `Prints a recorded run as Step Functions' GetExecutionHistory returns it: the same types, details, ids and
links, with virtual timestamps. Child executions of a distributed Map have histories of their own and are
left out.`

func newHistoryExport(s *streams) *cobra.Command {
	replay := &launch.Replay{}
	output := ""
	cmd := &cobra.Command{
		Use:     "export TRACE",
		Short:   "Print a trace as a Step Functions history",
		Long:    exportLong,
		Example: "  asldb history export order.trace | jq '.events[] | .type'",
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, run, err := openFork(s, replay, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			recording, warning := run.Recording()
			if warning != nil {
				fmt.Fprintf(s.err, "%s: warning: %s\n", visible.Line(args[0]), visible.Line(warning.Error()))
			}
			document := history.Document(history.Of(func(yield func(*engine.Event) bool) {
				for i := range recording.Events {
					if !yield(&recording.Events[i]) {
						return
					}
				}
			}))
			return writeNew(s, output, visible.JSON(append([]byte(value.Pretty(document)), '\n')))
		},
	}
	addForkFlag(cmd, replay)
	cmd.Flags().VarP(newFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
	return cmd
}
