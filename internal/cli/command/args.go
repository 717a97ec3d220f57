package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/wording"
)

// OneDefinition allows at most one argument, and knows a mistyped command where there are more.
func OneDefinition(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	if len(cmd.SuggestionsFor(args[0])) > 0 {
		return NoCommand(cmd, args[0])
	}
	return fmt.Errorf("one definition at a time: %d arguments were given (%s)", len(args), wording.Line(strings.Join(args, " ")))
}

// NoCommand says that a command has no other of a name below it, with the one that is meant.
func NoCommand(cmd *cobra.Command, name string) error {
	shown := wording.Line(Clip(name, MaxQuoted))
	cmd.SuggestionsMinimumDistance = max(cmd.SuggestionsMinimumDistance, 2)
	if suggestions := cmd.SuggestionsFor(name); len(suggestions) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %q?", shown, suggestions[0])
	}
	return fmt.Errorf("there is no command %q; see %q", shown, cmd.CommandPath()+" --help")
}

// NoArguments is for commands without arguments, and for those that only have others below them.
func NoArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return NoCommand(cmd, args[0])
	}
	return fmt.Errorf("%s takes no arguments, not %q", cmd.CommandPath(), wording.Line(Clip(args[0], MaxQuoted)))
}

// ExactlyOneDefinition is for commands that do nothing without one.
func ExactlyOneDefinition(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("which definition? usage: %s", cmd.UseLine())
	}
	return OneDefinition(cmd, args)
}

// CompleteDefinition offers files for the definition of a command, its first argument: definitions, templates and modules of
// Terraform.
func CompleteDefinition(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	return completeDefinitions(cmd, args, begun, 1)
}

// CompleteTwoDefinitions offers the files of [CompleteDefinition] for the first two arguments.
func CompleteTwoDefinitions(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	return completeDefinitions(cmd, args, begun, 2)
}

func completeDefinitions(cmd *cobra.Command, args []string, begun string, most int) ([]string, cobra.ShellCompDirective) {
	if len(args) >= most {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return CompleteFiles(cmd, begun, "json", "yaml", "yml", "template", "tf")
}

// CompleteFiles offers files with one of the extensions, and folders, as an argument of a command. Shells find them, but beside the
// names of commands below this one they are offered by name: to a shell that filters files all words are extensions.
func CompleteFiles(cmd *cobra.Command, begun string, extensions ...string) ([]string, cobra.ShellCompDirective) {
	if !cmd.HasAvailableSubCommands() {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
	folder, start := filepath.Split(begun)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, start) || start == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.IsDir() {
			names = append(names, folder+name+string(filepath.Separator))
			directive |= cobra.ShellCompDirectiveNoSpace // the name of a file follows
		} else if slices.Contains(extensions, strings.TrimPrefix(filepath.Ext(name), ".")) {
			names = append(names, folder+name)
		}
	}
	return Seen(names), directive
}

// FirstOf returns the definition that is named, or "".
func FirstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
