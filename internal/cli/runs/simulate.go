package runs

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine/waiter"
	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/internal/report"
)

// simulateFlags are the flags of the simulation.
type simulateFlags struct {
	waiterFlags
	sweepFlags

	runs   int
	change waiter.Change
	format string
	launch.Given
}

func newWaiterSimulate(s *command.Streams) *cobra.Command {
	f := &simulateFlags{}
	cmd := &cobra.Command{
		Use:               "simulate MODEL...",
		Short:             "Simulate the attempts of a waiter and its delay in noticing a change",
		Args:              someModels,
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.change.Never = !cmd.Flags().Changed("change-at")
			return f.run(s, args)
		},
	}
	f.addTo(cmd)
	flags, rows := cmd.Flags(), command.RowsOf(cmd, &f.Given)
	flags.IntVar(&f.runs, "runs", 10_000, "do `N` runs, up to a million")
	flags.Var(moments{&f.change.At, &f.change.Until}, "change-at", "the `TIME` after the start when the awaited change happens, or a range such as 60s-120s")
	flags.DurationVar(&f.change.Call, "call", 100*time.Millisecond, "the `TIME` of one call")
	rows.Row("seed", ": the delays (default: 1)")
	flags.Var(seconds{&f.minDelays}, "min-delay", "compare these minDelays: a `LIST` of seconds, such as 1-10,15,20")
	flags.Var(seconds{&f.maxDelays}, "max-delay", "compare these maxDelays; one below minDelay counts as minDelay (a constant delay)")
	flags.DurationVar(&f.within, "within", 10*time.Second, "to choose the best delays: the `TIME` by which the change may be noticed late")
	flags.Float64Var(&f.percentile, "percentile", 90, "the `PERCENT` of runs that must not be later")
	command.AddFormatTo(cmd, &f.format, "", command.FormatText, command.FormatJSON)
	rows.Row("ascii")
	return cmd
}

// maxRuns bounds a simulation: a million runs of a long waiter take seconds.
const maxRuns = 1_000_000

// maxCalls bounds the calls of all runs together.
const maxCalls = 1_000_000_000

func (f *simulateFlags) run(s *command.Streams, models []string) error {
	switch {
	case f.runs < 1 || f.runs > maxRuns:
		return fmt.Errorf("--runs is a number from 1 to %d, not %d", maxRuns, f.runs)
	case f.change.Call < 0:
		return errors.New("--call is a time from 0s on")
	}
	_, w, warnings, err := f.choose(s, models)
	if err != nil {
		return err
	}
	command.WriteProblems(s, warnings)
	if f.given() {
		return f.sweep(s, w)
	}
	if calls := w.MostCalls(f.maxWait); calls > maxCalls/int64(f.runs) {
		return fmt.Errorf("a run of %s may make %d calls, and %d runs more than %d: lower --runs or --max-wait", w.Name, calls, f.runs, maxCalls)
	}
	var summaries []waiter.Summary
	schedules := waiter.Schedules()
	for _, schedule := range schedules {
		summaries = append(summaries, waiter.Summarize(w.Simulate(schedule, f.maxWait, f.change, f.runs, f.Seed())))
	}
	if f.format == command.FormatJSON {
		return command.WrapWrite(report.JSON(s.Out, f.simulated(w, summaries)))
	}
	var out strings.Builder
	f.head(&out, w)
	fmt.Fprintf(&out, "%d runs, seed %d; %s\n\n", f.runs, f.Seed(), f.changes())
	f.table(&out, schedules, summaries, !f.change.Never)
	if !f.change.Never {
		for i, schedule := range schedules {
			f.plot(&out, schedule, summaries, i)
		}
	}
	return f.print(s, out.String())
}

// table writes the distributions as numbers.
func (f *simulateFlags) table(out *strings.Builder, schedules []waiter.Schedule, summaries []waiter.Summary, changes bool) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tmin\t10 %\tmedian\t90 %\t99 %\tmax\tseen by\t")
	row := func(name string, seen string, cells ...string) {
		fmt.Fprintf(table, "%s\t%s\t%s\t\n", name, strings.Join(cells, "\t"), seen)
	}
	for i, schedule := range schedules {
		s := summaries[i]
		var attempts, took, late []string
		for k := range s.Attempts {
			attempts = append(attempts, fmt.Sprint(s.Attempts[k]))
			took = append(took, shortTime(s.Took[k]))
			late = append(late, shortTime(s.Late[k]))
		}
		seen := ""
		if changes {
			seen = fmt.Sprintf("%.1f %%", 100*float64(s.Seen)/float64(s.Runs))
		}
		row(schedule.String()+": attempts", "", attempts...)
		row("time", seen, took...)
		if changes && s.Seen > 0 {
			row("late by", "", late...)
		}
	}
	_ = table.Flush() // into memory
}

// shortTime rounds a time for a table.
func shortTime(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

const (
	plotRows  = 10
	plotWidth = 50
)

// plot draws how late the change is seen: one row for each stretch of time, the same stretches for all schedules.
func (f *simulateFlags) plot(out *strings.Builder, schedule waiter.Schedule, summaries []waiter.Summary, which int) {
	s := summaries[which]
	fmt.Fprintf(out, "\n%s: late by\n", schedule)
	if s.Seen == 0 {
		fmt.Fprintln(out, "  the change was never seen")
		return
	}
	var longest time.Duration
	for _, other := range summaries {
		longest = max(longest, other.Late[len(other.Late)-1])
	}
	step := max((longest+plotRows-1)/plotRows, time.Millisecond)
	counts := make([]int, plotRows+1)
	most := 0
	for _, late := range s.Lates {
		at := min(int(late/step), plotRows)
		counts[at]++
		most = max(most, counts[at])
	}
	bar := "█"
	if f.Look.ASCII {
		bar = "#"
	}
	for i, n := range counts {
		if i == plotRows && n == 0 {
			break
		}
		length := (n*plotWidth + most - 1) / most
		fmt.Fprintf(out, "  %7s to %-7s %-*s %5.1f %%\n", shortTime(step*time.Duration(i)), shortTime(step*time.Duration(i+1)),
			plotWidth, strings.Repeat(bar, length), 100*float64(n)/float64(s.Seen))
	}
}
