package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"asldb/internal/visible"

	"github.com/spf13/cobra"
)

const rootLong = `asldb is a debugger for state machines in the Amazon States Language.

It steps through a definition in the terminal, one data-processing stage at a time, and shows the data
before and after each stage. Time is virtual, and the results of tasks come from a fixtures file or
from you: nothing is called unless you allow it.

"asldb DEFINITION" is short for "asldb debug DEFINITION".`

const rootExample = `  asldb demo                                      open the built-in example
  asldb order.asl.json                            step through a definition; asldb asks for the results of tasks
  asldb order.asl.json --fixtures order.yaml      the same, with results from a file
  asldb run order.asl.json --input '{"id": 1}'    print the output, without a screen
  asldb eval --path '$.a[0]' --input '{"a": [1]}' try a path`

const exitStatuses = `Exit status:
  0    the execution succeeded, or you quit the screen
  1    the execution failed or timed out, or an expression has no value
  2    the command line, the definition, the input or the fixtures are wrong
  3    with run --history: the run differs from the recording
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`

const runStatuses = `Exit status:
  0    the execution succeeded
  1    the execution failed or timed out
  2    the command line, the definition, the input or the fixtures are wrong
  3    with --history: the run differs from the recording
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`

const screenStatuses = `Exit status:
  0    you quit the screen
  2    the command line, the definition, the input or the fixtures are wrong
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`

const waiterRunStatuses = `Exit status:
  0    the waiter succeeded
  1    the waiter failed or timed out
  2    the command line, the model, the input or the fixtures are wrong
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`

// newRoot returns the command line. Every call makes a new one: commands keep the values of flags.
func newRoot(s *streams) *cobra.Command {
	options := &sessionFlags{}
	root := &cobra.Command{
		Use:           "asldb [DEFINITION]",
		Short:         "Debug state machines in the Amazon States Language",
		Long:          rootLong + "\n\n" + exitStatuses,
		Example:       rootExample,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          oneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && len(options.spec.History.Files) > 0:
				return debugDefinition(cmd, s, options, "")
			case len(args) == 0 && cmd.Flags().NFlag() > 0: // flags, but nothing that they are about
				return fmt.Errorf("which definition? usage: %s", cmd.UseLine())
			case len(args) == 0:
				return cmd.Help()
			}
			return debugDefinition(cmd, s, options, args[0])
		},
		ValidArgsFunction: completeDefinition,
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetVersionTemplate("asldb {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	options.addFilesTo(root)
	options.addTo(root, "ask", clocks)
	options.addScreenTo(root)
	root.AddCommand(newDebug(s), newRun(s), newValidate(s), newState(s), newEval(s), newGraph(s), newDemo(s))
	root.AddCommand(newKeys(s), newConfig(s), newRules(s), newProject(s))
	root.AddCommand(newHistory(s), newFixtures(s), newAllow(s), newTrace(s), newReplay(s), newWaiter(s), newCoverage(s), newTest(s))
	strictHelp(root)
	strictCompletion(root)
	return root
}

// strictHelp makes "asldb help NAME" an error where there is no such command.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" {
			continue
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if found, rest, err := root.Find(args); err != nil || found == root && len(args) > 0 || len(rest) > 0 {
				return noCommand(root, strings.Join(args, " "))
			}
			return nil
		}
	}
}

// strictCompletion makes "asldb completion NAME" an error where there is no such shell.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			var shells []string
			for _, shell := range cmd.Commands() {
				shells = append(shells, shell.Name())
			}
			if len(args) == 0 {
				return fmt.Errorf("completion for which shell? there are %s", strings.Join(shells, ", "))
			}
			return fmt.Errorf("there is no completion for %q; there is for %s", args[0], strings.Join(shells, ", "))
		}
	}
}

func noCommand(root *cobra.Command, name string) error {
	if suggestions := root.SuggestionsFor(name); len(suggestions) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %q?", name, suggestions[0])
	}
	return fmt.Errorf("there is no command %q; see %q", name, root.CommandPath()+" --help")
}

// oneDefinition allows at most one argument, and knows a mistyped command where there are more.
func oneDefinition(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	if suggestions := cmd.SuggestionsFor(args[0]); len(suggestions) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %q?", args[0], suggestions[0])
	}
	return fmt.Errorf("one definition at a time: %d arguments were given (%s)", len(args), visible.Line(strings.Join(args, " ")))
}

// exactlyOneDefinition is for commands that do nothing without one.
func exactlyOneDefinition(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which definition? usage: %s", cmd.UseLine())
	}
	return oneDefinition(cmd, args)
}

func completeDefinition(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// version is that of the module, as the Go tool stamped it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
