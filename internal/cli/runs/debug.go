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

// Recorded offers recorded executions to the command debug, by its own flags.
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
		Use:   "debug [DEFINITION]",
		Short: "Step through a definition in the terminal",
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

// NewDemo returns the command "demo".
func NewDemo(s *command.Streams) *cobra.Command {
	options, fromStart, folder := &sessions.Flags{}, false, ""
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the debugger on a built-in example",
		Args:  command.NoArguments,
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
