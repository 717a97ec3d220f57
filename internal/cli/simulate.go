package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"asldb/engine/waiter"
	"asldb/internal/visible"
)

const simulateLong = `Runs a waiter's delays many times against a resource that changes at a given time, and shows the number of
attempts and the lateness of the last one: as numbers, and as a plot. Next to the delays of the specification are those of
the AWS SDK for Go (version 2) and of botocore, which differ from it: the former leaves minDelay unused at the end,
the latter always waits minDelay, for at most 40 attempts, and knows no time limit.

Without --change-at the change never happens, and the figures show how long each waits in vain.`

// simulateFlags are the flags of the simulation.
type simulateFlags struct {
	waiterFlags

	runs           int
	seed           int64
	changeAt, call time.Duration
	ascii          bool
}

func newWaiterSimulate(s *streams) *cobra.Command {
	f := &simulateFlags{}
	cmd := &cobra.Command{
		Use:               "simulate MODEL...",
		Short:             "Simulate the attempts of a waiter and its delay in noticing a change",
		Long:              simulateLong,
		Args:              someModels,
		ValidArgsFunction: completeDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(s, args, cmd.Flags().Changed("change-at"))
		},
	}
	f.addTo(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.runs, "runs", 10_000, "the `NUMBER` of runs, up to a million")
	flags.DurationVar(&f.changeAt, "change-at", 0, "the `TIME` after the start when the awaited change happens")
	flags.DurationVar(&f.call, "call", 100*time.Millisecond, "the `TIME` of one call")
	flags.Int64Var(&f.seed, "seed", defaultSeed, "the seed `NUMBER` of the delays")
	flags.BoolVar(&f.ascii, "ascii", false, "plot with ASCII characters only")
	return cmd
}

// maxRuns bounds a simulation: a million runs of a long waiter take seconds.
const maxRuns = 1_000_000

// maxCalls bounds the calls of all runs together.
const maxCalls = 1_000_000_000

func (f *simulateFlags) run(s *streams, models []string, changes bool) error {
	switch {
	case f.runs < 1 || f.runs > maxRuns:
		return fmt.Errorf("--runs is a number from 1 to %d, and this is %d", maxRuns, f.runs)
	case f.changeAt < 0 || f.call < 0:
		return errors.New("--change-at and --call are not before the start")
	}
	_, w, warnings, err := f.choose(s, models)
	if err != nil {
		return err
	}
	writeProblems(s, warnings)
	if calls := w.MostCalls(f.maxWait); calls > maxCalls/int64(f.runs) {
		return fmt.Errorf("a run of %s may make %d calls, and %d runs more than %d: lower --runs or --max-wait", w.Name, calls, f.runs, maxCalls)
	}
	change := waiter.Change{At: f.changeAt, Call: f.call, Never: !changes}
	var out strings.Builder
	fmt.Fprintf(&out, "%s of %s: delays of %d s to %d s, willing to wait %v, calls of %v each\n",
		visible.Line(w.Name), visible.Line(w.OperationName()), w.MinDelay, w.MaxDelay, f.maxWait, f.call)
	if changes {
		fmt.Fprintf(&out, "%d runs, seed %d; the change is at %v\n\n", f.runs, f.seed, f.changeAt)
	} else {
		fmt.Fprintf(&out, "%d runs, seed %d; the change never happens\n\n", f.runs, f.seed)
	}
	var summaries []waiter.Summary
	schedules := waiter.Schedules()
	for _, schedule := range schedules {
		summaries = append(summaries, waiter.Summarize(w.Simulate(schedule, f.maxWait, change, f.runs, f.seed)))
	}
	f.table(&out, schedules, summaries, changes)
	if changes {
		for i, schedule := range schedules {
			f.plot(&out, schedule, summaries, i)
		}
	}
	if _, err := fmt.Fprint(s.out, out.String()); err != nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return nil
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
	if f.ascii {
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
