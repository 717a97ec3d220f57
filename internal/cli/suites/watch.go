package suites

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// excluded are the flags that --watch excludes: they are about one run of all cases.
var excluded = []string{
	"list",
	"update",
	"cases-of",
	"format",
	"output",
	"report",
	"json",
	"coverage",
	"coverage-conditions",
	"coverage-out",
	"min",
}

// watchSuites runs the suites, and again whenever files change, until the user quits.
func (f *testFlags) watchSuites(
	cmd *cobra.Command,
	s *command.Streams,
	names []string,
	options suiterun.Options,
) error {
	for _, name := range excluded {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--watch excludes --%s", name)
		}
	}
	redact, err := f.redactions()
	if err != nil {
		return err
	}
	if _, err := f.settings(); err != nil {
		return err
	}
	remembered, err := f.remembered()
	if err != nil {
		return err
	}
	setup := Setup{
		Streams: s, Names: names, Options: options, Definition: f.Spec.Definition.File, Settings: f.settings, Failed: remembered, Redact: redact,
		Report: f.textOptions(s, false),
		NoCase: f.noCase, Debug: func(c *suite.Outcome) { f.another(f.debugArguments(c)) },
		Prepare: func(chosen [][]*suite.Case, machines map[*suite.Suite]*suiterun.Machine) (Run, error) {
			run, err := f.runOf(chosen, machines, "", redact)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, sink suite.Sink, options suiterun.Options) error {
				_, err := run.do(ctx, chosen, sink, options)
				return err
			}, nil
		},
	}
	if !f.NoState {
		setup.Remember = func(w io.Writer, failed *suiterun.Failed) { f.remember(&command.Streams{Err: w}, failed) }
	}
	return Suites(cmd.Context(), setup)
}

// debugArguments returns the command line that debugs a case as it ran.
func (f *testFlags) debugArguments(c *suite.Outcome) []string {
	args := []string{"debug", "--test", c.Suite.File + ":" + c.Name, "--dialect", f.Spec.Dialect.String()}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--ascii", f.reports.ASCII()}, {"--no-color", f.reports.NoColor()}, {"--no-limits", f.NoLimits}, {"--no-state", f.NoState}} {
		if flag.set {
			args = append(args, flag.name)
		}
	}
	if c.Suite.Definition == "" && f.Spec.Definition.File != "" {
		args = append(args, f.Spec.Definition.File)
	}
	return args
}
