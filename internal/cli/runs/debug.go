package runs

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/engine/source"
	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/wording"
)

const debugLong = `Opens a definition in the debugger. Step by stage or by state, see the data before and after each stage,
set breakpoints, supply the results of tasks, go back, and edit data. Press ? for the keys.

A definition with errors opens at the first of them: press n and N to go from one to the next, and e for your editor. When
the file is saved without errors, the session begins.

If the fixtures have no result for a task, asldb asks for it: JSON, or an error name and a cause.

--history runs a recorded execution of Step Functions again, with its input, start time and results of
tasks, and shows the stages that the history leaves out. The first line says whether the run matches the
recording; press c to continue to the failure. Edit the definition to check a fix. Without a definition,
the history is shown as recorded. If the execution was redriven, asldb asks which attempt to run again;
without a definition, all attempts are shown as what-ifs.

--execution ARN without --history fetches the execution from AWS, with the definition that ran, and opens it
(see "asldb fetch --help"); a URL of the console works, too. The history is not written to the disk. A DEFINITION
replaces the one that ran.

--state-machine ARN lists the executions of a state machine in AWS, and --histories DIR those in files: histories, such
as asldb fetch has written, and traces, which open as asldb replay opens them. Type to filter the list, press Enter to
open an execution and Esc to come back to the list. Of an execution in AWS the history is read only when its row is on
show or it is opened; of a trace the list reads the first and the last lines. Other files are left out and counted.

--redrive FILE continues a recorded execution that failed, as asldb run --redrive does; DEFINITION may be a
changed one. On the screen, :redrive does this at the end of a failed run.

--test opens a case of a suite at the first event at which the run is not as expected, with the wanted
value beside the found one. Press n and N for the next and the previous difference. After a change of the
suite F4 compares the run with it again; the end of a what-if is compared, too.

--explore opens with what becomes of every fault of the tasks, as asldb explore finds it. Enter opens the run of
a finding or of a cell of the table at its fault; Esc goes back. In a session F6 does the same.`

const debugExample = `  asldb debug order.asl.json
  asldb debug order.asl.json --input order.json --fixtures order.yaml
  asldb debug order.asl.json --break ChargeCard --break 'Fulfil/Branches[1]/*'
  asldb debug order.asl.json --history history.json
  asldb debug --execution arn:aws:states:eu-west-1:123456789012:execution:Order:4f1a
  asldb debug --state-machine ARN --status FAILED --since 24h
  asldb debug fixed.asl.json --histories failed/
  asldb debug fixed.asl.json --redrive order.trace
  asldb debug --test 'order.test.yaml:declined card'
  asldb debug order.asl.json --fixtures order.yaml --explore
  asldb debug order.asl.json --clock x60          waits take a 60th of their time`

// Recorded offers recorded executions to the command debug, by flags of its own.
type Recorded interface {
	AddTo(cmd *cobra.Command)
	// Lists reports whether the flags name a list to choose from, so that no definition need be named.
	Lists() bool
	// Open opens the executions, or completes the Spec by one; then the session is still to be opened.
	Open(cmd *cobra.Command, s *command.Streams, options *sessions.Flags, definition string) (opened bool, err error)
}

// NewDebug returns the command "debug".
func NewDebug(s *command.Streams, recorded Recorded) *cobra.Command {
	options := &sessions.Flags{}
	cmd := &cobra.Command{
		Use:     "debug [DEFINITION]",
		Short:   "Step through a definition in the terminal",
		Long:    debugLong + "\n\n" + sessions.ScreenStatuses,
		Example: debugExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && recorded.Lists() {
				return nil
			}
			return sessions.DefinitionOrCase(sessions.DefinitionOrHistory)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if opened, err := recorded.Open(cmd, s, options, command.FirstOf(args)); opened || err != nil {
				return err
			}
			return sessions.Debug(cmd, s, options, command.FirstOf(args))
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	options.Rows(cmd).Add(launch.Outcomes | launch.Named | launch.Running | launch.Redriving).Row("test")
	recorded.AddTo(cmd)
	options.AddScreenTo(cmd)
	return cmd
}

const demoLong = `Opens the debugger on a built-in example: an order with a Choice, a Task with retries, a Catch, a Wait,
a Parallel and a Map. The results of its tasks are included. It opens at the stage that adds the payment
to the data, after two retries; with --from-start or --break it opens before the first event.

--save writes the files of the example, which the documentation uses: the definition with the results of its tasks,
two later versions of it, suites, and recorded executions.

Try i (next stage) a few times, s (next state), o (step over the Parallel), c (continue to the end),
r (restart), and ? for all keys.`

// NewDemo returns the command "demo".
func NewDemo(s *command.Streams) *cobra.Command {
	options, fromStart, folder := &sessions.Flags{}, false, ""
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "Open the debugger on a built-in example",
		Long:    demoLong,
		Example: "  asldb demo\n  asldb demo --break ChargeCard\n  asldb demo --save example",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if folder != "" {
				return saveDemo(s, folder)
			}
			if err := UseDemo(&options.Spec); err != nil {
				return fmt.Errorf("the built-in example: %w", err)
			}
			if !fromStart && len(options.Spec.Breakpoints) == 0 {
				options.Begin = runDemo
			}
			return sessions.OpenScreen(cmd, s, options)
		},
	}
	options.Rows(cmd).Add(launch.Running)
	options.AddScreenTo(cmd)
	cmd.Flags().BoolVar(&fromStart, "from-start", false, "open before the first event")
	cmd.Flags().Var(command.NewFilled(&folder, ""), "save", "save to `FOLDER`: the files of the example; it must not exist, and nothing is opened")
	return cmd
}

// saveDemo writes the files of the example to a new folder, and names the commands to begin with.
func saveDemo(s *command.Streams, folder string) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	if err := os.CopyFS(folder, definitions.Files()); err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}
	return s.Print(wording.Text(fmt.Sprintf(`Begin with:
  cd %s
  asldb order.asl.json --fixtures order.fixtures.yaml
`, folder)))
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

// UseDemo sets the built-in example in a Spec.
func UseDemo(spec *launch.Spec) (err error) {
	if spec.Fixtures.File, err = fixtures.Load(definitions.FixturesName, definitions.Fixtures); err != nil {
		return err
	}
	spec.Definition.Text, err = definitions.TextOf(&source.File{Name: definitions.DefinitionName, Data: definitions.DemoDefinition})
	return err
}
