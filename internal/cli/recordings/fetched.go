package recordings

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/definitions"
	"asldb/internal/executions"
	"asldb/internal/launch"
	"asldb/internal/wording"
	"asldb/recorder/history"
)

// fetch fetches the execution that --execution names where there is no file with it. defined: the user has named a
// definition, which replaces the one that ran.
func (f *Debugged) fetch(cmd *cobra.Command, s *command.Streams, options *sessions.Flags, defined bool) error {
	h := &options.Spec.History
	given := cmd.Flags().Changed
	if !given("execution") || given("history") || given("redrive") || given("test") {
		if given("profile") || given("endpoint-url") {
			return errors.New("--profile and --endpoint-url are for --execution without --history")
		}
		return nil
	}
	arn, err := parseExecution(h.Execution)
	if err != nil {
		return fmt.Errorf("--execution without --history: %w", err)
	}
	if !command.OnTerminal(s.Out) {
		return errors.New("the debugger needs a terminal to draw on; without one use asldb fetch")
	}
	ended := command.Listen(cmd.Context())
	defer ended.Stop()
	x, err := fetched(ended, s, f.connection, arn)
	switch {
	case ended.Err() != nil:
		return command.EndedOf(ended, "")
	case err != nil:
		return err
	}
	return useExecution(s, &options.Spec, x, defined)
}

func fetched(ctx context.Context, s *command.Streams, connection executions.Connection, arn executions.ARN) (*executions.Execution, error) {
	client, err := executions.Connect(ctx, connection, arn)
	if err != nil {
		return nil, err
	}
	return shown(s, func(progress func(int)) (*executions.Execution, error) { return client.Execution(ctx, arn, progress) })
}

// useExecution sets a fetched execution in a Spec, with the definition that ran unless another is given.
func useExecution(s *command.Streams, spec *launch.Spec, x *executions.Execution, defined bool) error {
	executions, err := history.Read(history.File{Name: x.ARN.Text, Data: x.Document()})
	if err != nil {
		return err
	}
	spec.History.Execution = x.ARN.Text
	if err := spec.History.Use(executions[0]); err != nil {
		return command.Flagged(err)
	}
	switch {
	case defined:
		return nil
	case x.Definition == nil:
		fmt.Fprintf(s.Err, "there is no definition, and the history is shown as recorded: %s\n", wording.Text(x.Withheld.Error()))
		return nil
	}
	spec.Definition.ID = x.Definition.StateMachine
	spec.Definition.Text, err = definitions.TextOf(&source.File{Name: x.Definition.Name + ".asl.json", Data: []byte(x.Definition.Text)})
	return command.DefinitionError(s, err)
}
