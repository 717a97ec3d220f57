package suites

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/internal/cli/command"
	"asldb/internal/cli/reading"
	"asldb/internal/launch"
	caserun "asldb/internal/suite/execute"
	"asldb/internal/suite/starter"
	"asldb/internal/visible"
)

const testInitLong = `Writes a first suite for a definition: fixtures as "asldb fixtures init" writes them, a case that succeeds,
and a case for each Choice rule, retrier and catcher of a task that a run can reach this way. Each case
expects the path and the status that its run had, so the suite passes. Replace the values by real ones.`

// newTestInit returns the command that writes a first suite.
func newTestInit(s *command.Streams) *cobra.Command {
	definition, output := launch.Definition{}, ""
	cmd := &cobra.Command{
		Use:               "init DEFINITION",
		Short:             "Write a first suite for a definition",
		Long:              testInitLong,
		Example:           "  asldb test init order.asl.json -o order.test.yaml\n  asldb test order.test.yaml",
		Args:              command.ExactlyOneDefinition,
		ValidArgsFunction: command.CompleteDefinition,
		RunE: func(_ *cobra.Command, args []string) error {
			definition.File = args[0]
			m, err := caserun.Open(definition, caserun.Settings{Limits: engine.ServiceLimits(), Files: launch.Files{Stdin: s.In}})
			if err != nil {
				return reading.DefinitionError(s, err)
			}
			name := output
			if name == "" {
				name = "new.test.yaml"
			}
			made, err := starter.Make(name, args[0], m)
			if err != nil {
				return fmt.Errorf("the suite cannot be made: %w", err)
			}
			for _, line := range made.Unreached {
				fmt.Fprintln(s.Err, visible.Line("not reached: "+line))
			}
			return command.WriteNew(s, output, visible.JSON(made.Text))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(command.NewFilled(&output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
	reading.AddDefinitionFlags(cmd, &definition)
	return cmd
}
