package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/cli/attaching"
	"asldb/internal/cli/checks"
	"asldb/internal/cli/command"
	"asldb/internal/cli/home"
	"asldb/internal/cli/merging"
	"asldb/internal/cli/recordings"
	"asldb/internal/cli/runs"
	"asldb/internal/cli/servers"
	"asldb/internal/cli/serving"
	"asldb/internal/cli/sessions"
	"asldb/internal/cli/settings"
	"asldb/internal/cli/suites"
	"asldb/internal/cli/trials"
	"asldb/internal/wording"
)

// constructor makes a command below the root.
type constructor struct {
	name string
	new  func(*command.Streams) *cobra.Command
}

// constructors lists the commands below the root.
func constructors() []constructor {
	return []constructor{
		{"debug", func(s *command.Streams) *cobra.Command { return runs.NewDebug(s, &recordings.Debugged{}) }},
		{"run", runs.NewRun},
		{"validate", checks.NewValidate},
		{"state", trials.NewState},
		{"record-case", trials.NewRecordCase},
		{"eval", trials.NewEval},
		{"graph", checks.NewGraph},
		{"demo", runs.NewDemo},
		{"why", recordings.NewWhy},
		{"keys", settings.NewKeys},
		{"config", settings.NewConfig},
		{"rules", checks.NewRules},
		{"services", checks.NewServices},
		{"project", settings.NewProject},
		{"history", recordings.NewHistory},
		{"fixtures", newFixtures},
		{"allow", trials.NewAllow},
		{"trace", recordings.NewTrace},
		{"replay", recordings.NewReplay},
		{"waiter", runs.NewWaiter},
		{"coverage", newCoverage},
		{"merge", merging.NewMerge},
		{"test", func(s *command.Streams) *cobra.Command {
			return suites.NewTest(s, func(args []string) { execute(args, s) })
		}},
		{"explore", suites.NewExplore},
		{"dap", servers.NewDAP},
		{"lsp", servers.NewLSP},
		{"mcp", func(s *command.Streams) *cobra.Command { return servers.NewMCP(s, executeWithin) }},
		{"serve", serving.NewServe},
		{"attach", attaching.NewAttach},
		{"fetch", recordings.NewFetch},
		{"compare", recordings.NewCompare},
		{"init", func(s *command.Streams) *cobra.Command { return settings.NewInit(s, executeWithin) }},
	}
}

// newRoot returns the command line: with the command that args begin with alone, or else with all of them, since help,
// completion and mistyped names need all, and making them takes longer than many a run. Every call makes a new one:
// commands keep the values of flags.
func newRoot(s *command.Streams, args ...string) *cobra.Command {
	options := &sessions.Flags{}
	root := &cobra.Command{
		Use:           "asldb [DEFINITION]",
		Short:         "Debug state machines in the Amazon States Language",
		Version:       command.ThisBuild().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          command.OneDefinition,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && (len(options.Spec.History.Files) > 0 || options.Spec.History.Execution != ""):
				return sessions.Debug(cmd, s, options, "")
			case len(args) == 0 && cmd.Flags().NFlag() > 0: // flags, but nothing that they are about
				return fmt.Errorf("which definition? usage: %s", cmd.UseLine())
			case len(args) == 0 && home.Fits(s):
				return home.Show(cmd.Context(), s, executeWithin)
			case len(args) == 0:
				return cmd.Help()
			}
			if err := mistyped(cmd, args[0]); err != nil {
				return err
			}
			return sessions.Debug(cmd, s, options, args[0])
		},
		ValidArgsFunction: command.CompleteDefinition,
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetVersionTemplate("asldb {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	options.AddRunTo(root)
	options.AddScreenTo(root)
	all := constructors()
	one := slices.IndexFunc(all, func(c constructor) bool { return len(args) > 0 && args[0] == c.name })
	if one >= 0 {
		all = all[one : one+1]
	}
	for _, c := range all {
		root.AddCommand(c.new(s))
	}
	addHelp(root)
	strictHelp(root)
	strictCompletion(root)
	addPages(root)
	refuseEmpty(root)
	addGroups(root)
	return root
}

// newFixtures returns the command "fixtures", below which several packages have commands.
func newFixtures(s *command.Streams) *cobra.Command {
	cmd := trials.NewFixtures(s)
	cmd.AddCommand(recordings.NewFixturesFromHistory(s), recordings.NewFixturesFromTrace(s), runs.NewFixturesRecord(s))
	return cmd
}

// newCoverage returns the command "coverage", whose merge is the command "merge".
func newCoverage(s *command.Streams) *cobra.Command {
	cmd, merge := recordings.NewCoverage(s), merging.NewMerge(s)
	merge.Use, merge.Short = "merge PROFILE...", "Merge coverage profiles"
	cmd.AddCommand(merge)
	return cmd
}

// refuseEmpty makes an argument without text an error of every command: most often it is a variable of the shell that
// is not set.
func refuseEmpty(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if i := slices.Index(args, ""); i >= 0 {
				return fmt.Errorf("argument %d of %s is %w", i+1, cmd.CommandPath(), command.ErrEmpty)
			}
			return check(cmd, args)
		}
	}
	for _, below := range cmd.Commands() {
		refuseEmpty(below)
	}
}

// Commands returns the command line for writers of documents, such as man pages. Its commands have no input and no
// output.
func Commands() *cobra.Command {
	root := newRoot(&command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Now: time.Now})
	root.DisableAutoGenTag = true
	return root
}

// mistyped returns an error where an argument isn't a file and is like the name of a command or a flag.
func mistyped(root *cobra.Command, name string) error {
	if _, err := os.Lstat(name); err == nil || filepath.Ext(name) != "" {
		return nil
	}
	if root.Flags().Lookup(name) != nil {
		return fmt.Errorf("there is no file and no command %q; did you mean %q?", name, "asldb --"+name)
	}
	if suggestions := root.SuggestionsFor(name); len(suggestions) > 0 {
		return fmt.Errorf("there is no file and no command %q; did you mean %q?", name, "asldb "+suggestions[0])
	}
	return nil
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
				return command.NoCommand(root, strings.Join(args, " "))
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
		for _, shell := range cmd.Commands() {
			shell.Args = command.NoArguments
			if shell.Name() == "bash" {
				selfContained(shell)
			}
		}
	}
}

// flagError returns the error of a wrong flag, in the words of this program.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	var value *command.ValueError
	if errors.As(err, &invalid) {
		name, given := invalid.GetFlag().Name, command.Clip(invalid.GetValue(), command.MaxQuoted)
		switch {
		case errors.Is(err, command.ErrEmpty):
			err = fmt.Errorf("--%s is given an empty text", name)
		case errors.As(err, &value):
			value.Given = given
			err = errors.New(value.With("--" + name))
		case invalid.GetFlag().Value.Type() == "duration":
			err = fmt.Errorf("--%s takes a duration such as 30s, not %q", name, given)
		case errors.As(err, &number) && strings.HasPrefix(invalid.GetFlag().Value.Type(), "bool"):
			err = fmt.Errorf("--%s is true or false, not %q", name, given)
		case errors.As(err, &number) && errors.Is(number.Err, strconv.ErrRange):
			err = fmt.Errorf("--%s takes a whole number of at most 64 bits, not %q", name, given)
		case errors.As(err, &number):
			err = fmt.Errorf("--%s takes a whole number, not %q", name, given)
		default:
			err = fmt.Errorf("--%s %q: %w", name, given, invalid.Unwrap())
		}
	}
	err = elsewhere(cmd, err)
	return fmt.Errorf("%w\nsee %q", command.OneLine(err), cmd.CommandPath()+" --help")
}

// elsewhere returns the error of a flag that a command does not have, with the commands that have it.
func elsewhere(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, shown := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	short := unknown.GetSpecifiedShortnames() != ""
	if short {
		shown = "-" + name
	}
	var have []string
	for _, other := range Commands().Commands() {
		flag := other.Flags().Lookup(name)
		if short {
			flag = nil
			if len(name) == 1 { // others aren't a short flag
				flag = other.Flags().ShorthandLookup(name)
			}
		}
		if flag != nil && other != cmd {
			have = append(have, other.Name())
		}
	}
	var near string
	if !short {
		var own []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
		near = wording.Nearest(name, slices.Values(own))
	}
	program := cmd.Name()
	if !cmd.HasParent() {
		program = "asldb"
	}
	switch shown = wording.Line(command.Clip(shown, command.MaxQuoted)); {
	case near != "":
		return fmt.Errorf("%s has no %s; did you mean --%s?", program, shown, near)
	case len(have) == 1:
		return fmt.Errorf("%s has no %s; %s has", program, shown, have[0])
	case len(have) > 1:
		return fmt.Errorf("%s has no %s; %s and %s have", program, shown, strings.Join(have[:len(have)-1], ", "), have[len(have)-1])
	}
	return fmt.Errorf("%s has no %s", program, shown)
}
