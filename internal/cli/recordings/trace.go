package recordings

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/wording"
	"asldb/recorder"
)

// NewTrace returns the command "trace" with its subcommands.
func NewTrace(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Inspect the trace of a run",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; there are info, origin, query, repair and stats", "trace "+args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newTraceInfo(s), newTraceOrigin(s), newTraceQuery(s), newTraceRepair(s), newTraceStats(s))
	return cmd
}

// traceArgument is the one argument of commands about a trace.
func traceArgument(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("which trace? usage: %s", cmd.UseLine())
	case 1:
		return nil
	}
	return fmt.Errorf("one trace at a time: %d arguments were given (%s)", len(args), strings.Join(args, " "))
}

// openFork opens a trace, with its warnings on standard error, and finds the fork. The trace is to be closed.
func openFork(s *command.Streams, replay *launch.Replay, name string) (*recorder.Trace, *recorder.Run, error) {
	trace, err := launch.OpenTrace(name, s.Warn)
	if err != nil {
		return nil, nil, err
	}
	replay.Trace = trace
	run, err := replay.Recorded()
	if err != nil {
		_ = trace.Close() // it was only read
		return nil, nil, command.Flagged(err)
	}
	return trace, run, nil
}

// warnRead writes a warning about an event that cannot be read.
func warnRead(s *command.Streams, err error) {
	fmt.Fprintf(s.Err, "warning: %s\n", wording.Line(err.Error()))
}

// countedBelow is the size of a trace that is not compressed, in bytes, up to which its events are counted.
const countedBelow = 16 << 20

// glance returns the summary of a large trace; nil: it is counted.
func glance(name string) *TraceInfo {
	g, err := recorder.LookAt(name, countedBelow)
	if err != nil || g == nil {
		return nil // opening it says what is wrong
	}
	return GlanceOf(g)
}

func newTraceInfo(s *command.Streams) *cobra.Command {
	reports, count := &command.Reports{}, false
	cmd := &cobra.Command{
		Use:   "info TRACE",
		Short: "Print the definition, duration and event counts of a trace",
		Args:  traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			if info := glance(args[0]); info != nil && !count {
				return reports.Answered(s, info.Answer())
			}
			trace, err := launch.OpenTrace(args[0], s.Warn)
			if err != nil {
				return err
			}
			defer trace.Close()
			return reports.Answered(s, InfoOf(trace, func(err error) { warnRead(s, err) }).Answer())
		},
	}
	reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData))
	cmd.Flags().BoolVar(&count, "count", false, "count the events: by type, whatever the size of the trace")
	return cmd
}

func newTraceStats(s *command.Streams) *cobra.Command {
	reports := &command.Reports{}
	given := &launch.Given{}
	cmd := &cobra.Command{
		Use:   "stats TRACE",
		Short: "Print visits, errors, retries and durations by state",
		Args:  traceArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			trace, run, err := openFork(s, &given.Spec.Replay, args[0])
			if err != nil {
				return err
			}
			defer trace.Close()
			stats := StatsOf(run, func(err error) { warnRead(s, err) })
			return reports.Answered(s, StatsAnswer(stats))
		},
	}
	reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData|report.OfRows))
	command.RowsOf(cmd, given).Row("fork")
	return cmd
}
