package recordings

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/executions"
	"asldb/internal/launch"
	"asldb/tui/view/pages"
)

// Debugged are the recorded executions that the command debug opens besides the files of --history: one that is fetched from AWS, or
// the executions of a list, one after the other.
type Debugged struct {
	connection executions.Connection
	machine    string
	statuses   []string
	since      string
	histories  []string
}

// AddTo adds the flags.
func (f *Debugged) AddTo(cmd *cobra.Command) {
	f.addListTo(cmd)
	addConnectionTo(cmd, &f.connection)
	command.Under(cmd, launch.InAWS, "state-machine", "status", "since", "profile", "endpoint-url")
	command.Under(cmd, launch.InRecorded, "histories")
}

func (f *Debugged) addListTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(command.NewFilled(&f.machine, ""), "state-machine", "the `ARN` of a state machine in AWS: list its executions, the newest first")
	flags.StringSliceVar(&f.statuses, "status", nil, "only executions with this `STATUS`, such as FAILED; repeatable (with --state-machine)")
	command.CompleteWords(cmd, "status", executions.Statuses()...)
	flags.Var(command.NewFilled(&f.since, ""), "since", "only executions that started in this `DURATION` (24h, 7d) or since this time\n(2026-01-01T00:00:00Z; with --state-machine)")
	flags.StringArrayVar(&f.histories, "histories", nil, "the recorded executions: a `DIR`, a file or a pattern, to choose from; repeatable")
}

// Lists reports whether the flags name a list.
func (f *Debugged) Lists() bool { return f.machine != "" || len(f.histories) > 0 }

// check refuses flags that exclude each other.
func (f *Debugged) check(cmd *cobra.Command) error {
	switch {
	case f.machine == "" && (len(f.statuses) > 0 || f.since != ""):
		return errors.New("--status and --since are for --state-machine")
	case !f.Lists():
		return nil
	case f.machine != "" && len(f.histories) > 0:
		return errors.New("--state-machine and --histories exclude each other: one lists executions in AWS, the other those in files")
	}
	for _, other := range []string{"history", "execution", "attempt", "redrive", "test"} {
		if cmd.Flags().Changed(other) {
			return fmt.Errorf("--%s names an execution, and --state-machine and --histories list them: give one of them", other)
		}
	}
	if f.machine == "" && (cmd.Flags().Changed("profile") || cmd.Flags().Changed("endpoint-url")) {
		return errors.New("--profile and --endpoint-url are for calls of AWS, and --histories makes none")
	}
	return nil
}

// Open opens the executions that the user chooses from the list, or sets the fetched execution in the Spec; then the session is still to
// be opened.
func (f *Debugged) Open(cmd *cobra.Command, s *command.Streams, options *sessions.Flags, definition string) (opened bool, err error) {
	if err := f.check(cmd); err != nil {
		return false, err
	}
	if f.Lists() {
		return true, f.pick(cmd, s, options, definition)
	}
	return false, f.fetch(cmd, s, options, definition != "")
}

// source returns the list.
func (f *Debugged) source(s *command.Streams) (executions.Source, error) {
	if f.machine == "" {
		files := executions.NewFiles(f.histories, s.Files())
		return files, files.Find()
	}
	query, err := parseQuery(s, f.machine, f.statuses, f.since, 0)
	if err != nil {
		return nil, err
	}
	return executions.NewService(f.connection, query), nil
}

// pick shows the list, and opens the executions that the user chooses in the debugger, until the user leaves one of the two.
func (f *Debugged) pick(cmd *cobra.Command, s *command.Streams, options *sessions.Flags, definition string) error {
	source, err := f.source(s)
	if err != nil {
		return err
	}
	look, err := sessions.ScreenOptions(cmd, s, options)
	if err != nil {
		return err
	}
	page := pages.NewPicker(source, time.Local)
	return sessions.ShowList(cmd.Context(), s, page, look, pages.ErrNoExecutions, func() error {
		return openRecorded(cmd, s, *options, page.Chosen(), definition)
	})
}

// forTraces refuses flags that asldb replay does not have.
func forTraces(cmd *cobra.Command, s *command.Streams) (err error) {
	own, list := NewReplay(s).Flags(), &cobra.Command{}
	(&Debugged{}).addListTo(list)
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && own.Lookup(flag.Name) == nil && list.Flags().Lookup(flag.Name) == nil {
			err = fmt.Errorf("--%s is for histories: a trace opens as asldb replay opens it, which has no such flag", flag.Name)
		}
	})
	return err
}

// openRecorded opens an execution of the list.
func openRecorded(cmd *cobra.Command, s *command.Streams, options sessions.Flags, x *executions.Recorded, definition string) error {
	options.Back = "the list of executions"
	if x.Trace != "" {
		if err := forTraces(cmd, s); err != nil {
			return err
		}
		options.Spec.Definition.File = definition
		return openTrace(cmd, s, options, x.Trace)
	}
	if x.Fetched != nil {
		if err := useExecution(s, &options.Spec, x.Fetched, definition != ""); err != nil {
			return err
		}
		return sessions.Debug(cmd, s, &options, definition)
	}
	definition = cmp.Or(definition, x.Definition)
	options.Spec.History.Files = x.Files
	if x.History.ARN != "" {
		options.Spec.History.Execution = x.History.ARN
	}
	return sessions.Debug(cmd, s, &options, definition)
}
