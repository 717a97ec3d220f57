package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/visible"
)

// OneDefinition allows at most one argument, and knows a mistyped command where there are more.
func OneDefinition(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	if suggestions := cmd.SuggestionsFor(args[0]); len(suggestions) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %q?", args[0], suggestions[0])
	}
	return fmt.Errorf("one definition at a time: %d arguments were given (%s)", len(args), visible.Line(strings.Join(args, " ")))
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
func CompleteDefinition(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"json", "yaml", "yml", "template", "tf"}, cobra.ShellCompDirectiveFilterFileExt
}

// FirstOf returns the definition that is named, or "".
func FirstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
