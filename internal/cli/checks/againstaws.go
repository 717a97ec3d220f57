package checks

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/project"
	"asldb/internal/wording"
)

// againstFlags are the flags about the verdict of Step Functions itself.
type againstFlags struct {
	on      bool
	record  string
	service command.Service
}

// besideAWS prints where Step Functions' own verdict differs from asldb's.
func (f *validateFlags) besideAWS(ctx context.Context, s *command.Streams, names []string) error {
	machines, unread := f.check(s, names)
	if unread != nil {
		return unread
	}
	if f.against.record != "" && len(machines) != 1 {
		return fmt.Errorf("--record-case writes the case of one definition, and there are %d", len(machines))
	}
	sent, it := machines[0].Label()+" is", "it"
	if len(machines) > 1 {
		sent, it = wording.Count(len(machines), "definition")+" are", "them"
	}
	allowed, err := f.against.service.Allowed(
		s,
		fmt.Sprintf("%s sent to ValidateStateMachineDefinition of Step Functions, "+
			"which reads %s and keeps nothing, with your AWS credentials.", sent, it),
	)
	switch {
	case err != nil:
		return err
	case !allowed:
		return errors.New(
			"--against-aws sends the definition to Step Functions, with your AWS credentials: --yes allows it",
		)
	}
	all, err := f.verdicts(ctx, machines)
	if err != nil {
		return err
	}
	if err := f.reports.Answered(s, project.BesideAnswer(all)); err != nil {
		return err
	}
	if f.against.record != "" {
		if err := command.WriteNew(s, f.against.record, all[0].Case()); err != nil {
			return err
		}
	}
	for i := range all {
		if !all[i].Agrees() {
			return command.Exit(command.StatusFailed, nil)
		}
	}
	return nil
}

// verdicts asks the service about the machines.
func (f *validateFlags) verdicts(ctx context.Context, machines []project.Checked) ([]project.Beside, error) {
	client, err := f.against.service.Connect(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]project.Beside, len(machines))
	for i := range machines {
		m := &machines[i]
		body, refusal, err := client.Validate(ctx, m.Text(), m.Express)
		switch {
		case err != nil:
			return nil, err
		case refusal != nil:
			return nil, fmt.Errorf("%s: Step Functions refuses the request: %s: %s", m.Label(), refusal.Name,
				refusal.Message)
		}
		if all[i], err = project.NewBeside(m, body, f.options(len(machines))); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// alone reports the first flag that is only for --against-aws, where that is not given.
func (f *againstFlags) alone(cmd *cobra.Command) error {
	for _, name := range []string{"yes", "region", "profile", "endpoint-url", "record-case"} {
		if !f.on && cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for --against-aws: give that, too", name)
		}
	}
	return nil
}

// addTo adds the flags to a command.
func (f *againstFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.on, "against-aws", false,
		"ask Step Functions (ValidateStateMachineDefinition), and print where its verdict differs")
	f.service.AddTo(flags)
	flags.Var(command.NewFilled(&f.record, ""), "record-case",
		"with --against-aws, also write both verdicts to the new `FILE`")
}
