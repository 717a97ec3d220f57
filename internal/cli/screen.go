package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/fixtures"
	"asldb/internal/demo"
	"asldb/internal/launch"
)

const debugLong = `Opens a definition in the debugger: step through it stage by stage or state by state, see the data
before and after each stage, set breakpoints, answer tasks. Press ? for the keys.

A task for which the fixtures have no result asks you: type its output as JSON, or an error name
and a cause.

With --history it runs a recorded execution of Step Functions again: with the same input, start
and results of tasks, every stage can be looked at that the history does not show. It first says
whether the run agrees with the recording; c then goes to the failure. Change the definition to see
whether that would have saved it. Without the definition the history is shown as it was recorded.`

const debugExample = `  asldb debug order.asl.json
  asldb debug order.asl.json --input order.json --fixtures order.yaml
  asldb debug order.asl.json --break ChargeCard --break 'Fulfil/Branches[1]/*'
  asldb debug order.asl.json --history history.json
  asldb debug order.asl.json --clock x60          watch waits pass, a minute a second`

func newDebug(s *streams) *cobra.Command {
	options := &sessionFlags{}
	cmd := &cobra.Command{
		Use:     "debug [DEFINITION]",
		Short:   "Step through a definition in the terminal",
		Long:    debugLong + "\n\n" + exitStatuses,
		Example: debugExample,
		Args:    definitionOrHistory,
		RunE: func(cmd *cobra.Command, args []string) error {
			return debugDefinition(cmd, s, options, firstOf(args))
		},
		ValidArgsFunction: completeDefinition,
	}
	options.addFilesTo(cmd)
	options.addTo(cmd, "ask", clocks)
	options.addScreenTo(cmd)
	return cmd
}

const demoLong = `Opens the debugger on a built-in example, an order with a Choice, a Task that is tried again, a Catch,
a Wait, a Parallel and a Map. Its tasks have their results already. The order has run to where its
payment is put into the data, at the third try; with --from-start or --break nothing has run.

Try: i (next stage) a few times, s (next state), o (over the Parallel as one step), c (to the end),
r (from the beginning), and ? for all keys.`

func newDemo(s *streams) *cobra.Command {
	options, fromStart := &sessionFlags{}, false
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "Open the debugger on a built-in example",
		Long:    demoLong,
		Example: "  asldb demo\n  asldb demo --break ChargeCard",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := useDemo(&options.spec); err != nil {
				return fmt.Errorf("the built-in example: %w", err)
			}
			if !fromStart && len(options.spec.Breakpoints) == 0 {
				options.begin = runDemo
			}
			return openScreen(cmd, s, options)
		},
	}
	options.addTo(cmd, "ask", clocks)
	options.addScreenTo(cmd)
	cmd.Flags().BoolVar(&fromStart, "from-start", false, "stand before the first event")
	return cmd
}

// runDemo runs the example to where the payment is put into the order.
func runDemo(session *debug.Session) {
	if session.Clock().Mode != debug.ClockSkip {
		return
	}
	for range 100 {
		stop, err := session.Do(debug.Command{Kind: debug.StepStage})
		if err != nil || stop.Reason != debug.StoppedByStep {
			return
		}
		last := session.Log().At(session.Position() - 1)
		if last.Type == engine.StageCompleted && last.Stage == engine.StageResultPath && last.Visit.State.Name == "ChargeCard" {
			return
		}
	}
}

// useDemo sets the built-in example in a Spec.
func useDemo(spec *launch.Spec) (err error) {
	if spec.Fixtures.File, err = fixtures.Load(demo.FixturesName, demo.Fixtures); err != nil {
		return err
	}
	spec.Definition.Text, err = launch.TextOf(&source.File{Name: demo.DefinitionName, Data: demo.Definition})
	return err
}

func debugDefinition(cmd *cobra.Command, s *streams, options *sessionFlags, definition string) error {
	options.spec.Definition.File = definition
	return openScreen(cmd, s, options)
}
