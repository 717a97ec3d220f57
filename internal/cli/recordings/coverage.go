package recordings

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/coverage"
	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/report"
	"asldb/tui/view/pages"
)

// NewCoverage returns the command "coverage" with its report; merge is another's.
func NewCoverage(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Report and merge coverage profiles",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; there are merge and report", "coverage "+args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newCoverageReport(s))
	return cmd
}

// coverageFlags are the flags of coverage report.
type coverageFlags struct {
	reports command.Reports
	minimum string
	max     int
}

// defaultItems is the number of items of one definition that are listed.
const defaultItems = 100

func newCoverageReport(s *command.Streams) *cobra.Command {
	f := &coverageFlags{}
	cmd := &cobra.Command{
		Use:   "report PROFILE...",
		Short: "Print the coverage of definitions",
		RunE:  func(_ *cobra.Command, args []string) error { return f.run(s, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfFindings|report.OfData, "lcov", "cobertura"))
	flags.Var(command.NewFilled(&f.minimum, ""), "min",
		"exit with status 4 if the coverage is below `PERCENT`, also by kind: states=100,errors=50")
	flags.IntVar(&f.max, "max", defaultItems, "show at most `N`: items per definition; 0 for all")
	return cmd
}

func (f *coverageFlags) run(s *command.Streams, names []string) error {
	var bars []coverage.Bar
	if f.minimum != "" {
		var err error
		if bars, err = coverage.ParseBars(f.minimum); err != nil {
			return fmt.Errorf("--min: %w", err)
		}
	}
	if f.max < 0 {
		return fmt.Errorf("--max is a number from 0, not %d", f.max)
	}
	p, err := command.Profiles(names)
	if err != nil {
		return err
	}
	p.Ask(bars)
	o := coverage.CoverageOptions{Minimum: coverage.Least(bars), Bars: bars, Max: f.max}
	o.Graph = func(d *coverage.Definition) (report.Drawing, error) { return drawn(s, d) }
	if err := f.reports.Answered(s, coverage.Answer(p, o, "asldb "+command.Version())); err != nil {
		return err
	}
	if !p.Reaches(bars) {
		return command.Exit(command.StatusCoverage, nil)
	}
	return nil
}

// drawn draws a definition with the marks of its coverage.
func drawn(s *command.Streams, d *coverage.Definition) (drawing report.Drawing, err error) {
	text, err := (&definitions.Definition{File: d.File, Resource: d.Resource}).Open(s.Files())
	if err != nil {
		return drawing, err
	}
	machine, err := text.Parse()
	if err != nil {
		return drawing, err
	}
	if machine.Source.Digest() != d.Digest {
		return drawing, errors.New("it has changed since the runs")
	}
	return pages.Covered(machine, d), nil
}
