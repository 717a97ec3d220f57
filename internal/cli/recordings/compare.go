package recordings

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
	"asldb/internal/report"
	"asldb/internal/versions"
)

// compareFlags are the flags of the command "compare".
type compareFlags struct {
	look      sessions.Flags // and the flags for both definitions
	histories []string
	ignore    []string
	reports   command.Reports
	parallel  int
	strict    bool
	failOn    []string
	fails     versions.FailOn
	renamed   []string
	screen    bool
	shard     report.Shard
}

// NewCompare returns the command "compare".
func NewCompare(s *command.Streams) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW --histories DIR",
		Short: "Compare two versions of a definition over recorded executions",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("compare takes two definitions, not %d; usage: %s", len(args), cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.checkScreen(cmd, s); err != nil {
				return err
			}
			return f.run(cmd, s, args[0], args[1])
		},
		ValidArgsFunction: command.CompleteTwoDefinitions,
	}
	flags := cmd.Flags()
	rows := f.look.Rows(cmd)
	flags.StringArrayVar(&f.histories, "histories", nil, "the recorded executions: a `DIR`, a file or a pattern; repeatable")
	rows.Row("fixtures", "\n(for tasks without a recorded result)")
	flags.StringArrayVar(&f.ignore, "ignore", nil, "do not compare the data at `PATH`, such as $..id, or in one state, as Charge:$.id; repeatable")
	rows.Row("redact", " in the report; repeatable")
	flags.StringSliceVar(&f.failOn, "fail-on", []string{"outcome"},
		"exit with status 3 for `WHAT`, or worse: outcome, path or payload;\nand for unjudged[=N%], where more than N% cannot be judged to their end; repeatable")
	flags.BoolVar(&f.strict, "strict", false, "short for --fail-on payload,unjudged")
	_ = flags.MarkHidden("strict") // an earlier spelling: elsewhere --strict is about warnings
	flags.StringArrayVar(&f.renamed, "renamed", nil, "a state that has another name in NEW, as `OLD=NEW`; repeatable")
	command.AddShardTo(cmd, &f.shard)
	flags.IntVar(&f.parallel, "parallel", 0, "work on `N` at a time: executions (default: one for each core)")
	flags.Lookup("parallel").DefValue = "0" // the usage has the default in words
	rows.Row("dialect")
	command.CompleteWords(cmd, "fail-on", "outcome", "path", "payload", "unjudged", "unjudged=5%")
	rows.Add(launch.Named)
	flags.BoolVar(&f.screen, "screen", false, "show the differences on the screen; Enter opens both runs of a recording side by side")
	rows.Add(launch.Looks)
	f.reports.AddTo(cmd, report.FormsOf(report.OfDoc|report.OfData|report.OfFindings))
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, s *command.Streams, oldName, newName string) error {
	options, err := f.options(s)
	if err != nil {
		return err
	}
	dialect := f.look.Spec.Dialect
	old, err := f.version(s, oldName, dialect, nil)
	if err != nil {
		return err
	}
	fresh, err := f.version(s, newName, dialect, func(root *source.Node) error {
		return versions.Rename(old.Machine.Definition(), root, options.Renamed)
	})
	if err != nil {
		return err
	}
	if options.Fixtures != nil {
		if _, err := options.Fixtures.Source(fresh.Machine.Definition()); err != nil {
			return fmt.Errorf("the fixtures do not fit %s:\n%w", newName, err)
		}
	}
	sinks := &command.Sinks{}
	if !f.screen {
		if sinks, err = f.reports.Open(s); err != nil {
			return err
		}
		defer sinks.Drop()
	}
	result, err := f.compare(cmd.Context(), old, fresh, options)
	switch {
	case err != nil:
		return err
	case f.screen:
		return f.show(cmd, s, result, old, fresh, options)
	}
	if err := sinks.Write(versions.Answer(result, f.fails)); err != nil {
		return err
	}
	if len(result.Failing(f.fails)) > 0 {
		return command.Exit(command.StatusDiffers, nil)
	}
	return nil
}

func (f *compareFlags) compare(ctx context.Context, old, fresh versions.Definition, options versions.Options) (*versions.Result, error) {
	ended := command.Listen(ctx)
	defer ended.Stop()
	result, err := versions.Compare(ended, old, fresh, f.histories, options)
	switch {
	case ended.Err() != nil:
		return nil, command.EndedOf(ended, "")
	case err != nil:
		return nil, command.OneLine(err)
	}
	return result, nil
}

// options reads the files and paths of the flags.
func (f *compareFlags) options(s *command.Streams) (o versions.Options, err error) {
	switch {
	case len(f.histories) == 0:
		return o, errors.New("which recorded executions? --histories names a folder, a file or a pattern")
	case f.parallel < 0:
		return o, fmt.Errorf("--parallel is a number from 0, not %d", f.parallel)
	}
	o = versions.Options{
		Files: s.Files(), Parallel: f.parallel, Shard: f.shard,
		Progress: command.NewStatusLine(s.Err).Counting("recordings"),
	}
	if o.Redactions, err = launch.Redactions(f.look.Trace.Redact); err != nil {
		return o, err
	}
	if f.fails, err = versions.ParseFailOn(f.failOn); err != nil {
		return o, fmt.Errorf("--fail-on: %w", command.OneLine(err))
	}
	if f.strict {
		f.fails = versions.Strict()
	}
	for _, text := range f.renamed {
		old, fresh, found := strings.Cut(text, "=")
		if !found || old == "" || fresh == "" {
			return o, fmt.Errorf("--renamed is OLD=NEW, two names of a state, not %q", text)
		}
		o.Renamed = append(o.Renamed, versions.Renaming{Old: old, New: fresh})
	}
	for _, text := range f.ignore {
		ignored, err := versions.ParseIgnored(text)
		if err != nil {
			return o, fmt.Errorf("--ignore: %w", err)
		}
		o.Ignore = append(o.Ignore, ignored)
	}
	if f.look.Spec.Fixtures.Name != "" {
		if o.Fixtures, err = f.look.Spec.Fixtures.Read(s.Files(), s.Warn); err != nil {
			return o, command.Flagged(err)
		}
	}
	return o, nil
}

// version reads one of the definitions. rename may change its tree; it may be nil.
func (f *compareFlags) version(
	s *command.Streams, name string, dialect engine.Dialect, rename func(*source.Node) error,
) (versions.Definition, error) {
	text, err := command.OpenText(s, f.look.Spec.Definition, name)
	if err != nil {
		return versions.Definition{}, err
	}
	if rename != nil {
		if err := rename(text.Root); err != nil {
			return versions.Definition{}, fmt.Errorf("--renamed %w", command.OneLine(err))
		}
	}
	machine, err := text.Parse()
	if err != nil {
		return versions.Definition{}, command.DefinitionError(s, err)
	}
	compiled, err := engine.Compile(machine, dialect)
	if err != nil {
		return versions.Definition{}, fmt.Errorf("%s: %w", name, err)
	}
	return versions.Definition{Name: name, Machine: compiled}, nil
}
