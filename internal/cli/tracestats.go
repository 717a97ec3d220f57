package cli

import (
	"github.com/spf13/cobra"

	"asldb/internal/launch"
	"asldb/internal/report"
)

const statsLong = `Prints statistics of each state in a recorded run: visits, errors, retries, catches and virtual durations.
Branches and iterations are added up; a visit that did not end has no duration.`

func newTraceStats(s *streams) *cobra.Command {
	asJSON := false
	replay := &launch.Replay{}
	cmd := &cobra.Command{
		Use:     "stats TRACE",
		Short:   "Print visits, errors, retries and durations by state",
		Long:    statsLong,
		Example: "  asldb trace stats order.trace\n  asldb trace stats order.trace --json | jq '.[] | select(.failures > 0)'",
		Args:    traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, run, err := openFork(s, replay, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			stats := report.StatsOf(run, s.warnRead)
			if asJSON {
				return printValue(s, report.StatsValue(stats))
			}
			return s.print(report.StatsTable(stats))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with times in seconds")
	addForkFlag(cmd, replay)
	return cmd
}
