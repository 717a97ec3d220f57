package recordings

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/figures"
	"asldb/internal/launch"
	"asldb/internal/report"
)

// historyStatsFlags are the flags of the command "history stats".
type historyStatsFlags struct {
	launch.Given
	reports  command.Reports
	prices   string
	memory   int64
	parallel int
	shard    report.Shard
}

func newHistoryStats(s *command.Streams) *cobra.Command {
	f := &historyStatsFlags{}
	cmd := &cobra.Command{
		Use:   "stats DIR|FILE|PATTERN...",
		Short: "Print figures over many recorded executions",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("which recorded executions? usage: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args) },
	}
	flags := cmd.Flags()
	command.RowsOf(cmd, &f.Given).Row("definition", ": the executions'").Add(launch.Named)
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData|report.OfRows))
	flags.Var(command.NewFilled(&f.prices, ""), "prices", "a `FILE` of prices for each region (YAML or JSON)")
	flags.Int64Var(&f.memory, "memory", 0, "the memory of an Express execution in `MB` (default: estimated from payloads)")
	flags.Lookup("memory").DefValue = "0" // the usage has the default in words
	flags.IntVar(&f.reports.Width, "width", 0, "the `COLUMNS` of the text, from 40 to 120 (default: the terminal's, or 80)")
	flags.Lookup("width").DefValue = "0"
	command.AddShardTo(cmd, &f.shard)
	flags.IntVar(&f.parallel, "parallel", 0, "work on `N` at a time: files (default: one for each core)")
	flags.Lookup("parallel").DefValue = "0"
	return cmd
}

func (f *historyStatsFlags) check() error {
	switch {
	case f.memory < 0:
		return fmt.Errorf("--memory is a number of MB from 1, not %d", f.memory)
	case f.reports.Width != 0 && f.reports.Width != figures.TextWidth(f.reports.Width):
		return fmt.Errorf("--width is from 40 to 120 columns, not %d", f.reports.Width)
	case f.parallel < 0:
		return fmt.Errorf("--parallel is a number from 0, not %d", f.parallel)
	}
	return nil
}

func (f *historyStatsFlags) run(ctx context.Context, s *command.Streams, names []string) error {
	if err := f.check(); err != nil {
		return err
	}
	o := figures.Options{
		Memory: f.memory, Files: s.Files(), Parallel: f.parallel, Shard: f.shard,
		Progress: command.NewStatusLine(s.Err).Counting("files"),
	}
	shown := figures.ReportOptions{Memory: f.memory}
	if f.reports.Width == 0 {
		f.reports.Width = figures.TextWidth(command.WidthOf(s.Out))
	}
	if f.Spec.Definition.File != "" {
		machine, err := command.OpenMachine(s, f.Spec.Definition, f.Spec.Definition.File)
		if err != nil {
			return err
		}
		o.Definition = machine
	}
	if f.prices != "" {
		_, data, err := s.Files().Read(f.prices)
		if err != nil {
			return err
		}
		if shown.Prices, err = figures.ParsePrices(f.prices, data); err != nil {
			return fmt.Errorf("--prices: %w", err)
		}
	}
	sinks, err := f.reports.Open(s)
	if err != nil {
		return err
	}
	defer sinks.Drop()
	ended := command.Listen(ctx)
	defer ended.Stop()
	found, err := figures.Gather(ended, names, o)
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case err != nil:
		return command.OneLine(err)
	}
	return sinks.Write(figures.Answer(found, shown))
}
