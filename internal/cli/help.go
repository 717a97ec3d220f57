package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
)

// groups are the groups of commands in the help of the program.
var groups = []struct{ id, title, commands string }{
	{"debug", "Debug:", "debug demo run eval state waiter"},
	{"test", "Test:", "init test explore coverage fixtures allow"},
	{"production", "Production:", "why history fetch trace replay compare record-case"},
	{"check", "Check:", "validate graph rules services"},
	{"tools", "Editors and tools:", "dap lsp mcp serve attach project config keys completion help"},
}

// addGroups puts the commands into their groups.
func addGroups(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(strings.Fields(g.commands), cmd.Name()) {
				cmd.GroupID = g.id
			}
		}
	}
}

// helpFlag is the flag --help, which also takes the word all.
type helpFlag struct{ on, all bool }

// String, Set and Type implement pflag.Value.
func (h *helpFlag) String() string { return strconv.FormatBool(h.on) }

func (h *helpFlag) Set(text string) (err error) {
	h.on, h.all = true, text == "all"
	if !h.all {
		h.on, err = strconv.ParseBool(text)
	}
	return err
}

func (h *helpFlag) Type() string { return "bool" }

// addHelp makes the help of all commands one that has the flags by section, the rare ones for --help=all.
func addHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("flagUsages", func(cmd *cobra.Command) string {
		help, _ := cmd.Flags().Lookup("help").Value.(*helpFlag)
		return command.FlagUsages(cmd, help != nil && help.all)
	})
	const usual = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), usual, "{{flagUsages .}}", 1))
	addHelpTo(root)
}

func addHelpTo(cmd *cobra.Command) {
	usage := "help for " + cmd.Name()
	flag := cmd.Flags().VarPF(&helpFlag{}, "help", "h", usage)
	flag.NoOptDefVal = "true"
	// It fails only for a flag that does not exist.
	_ = cmd.Flags().SetAnnotation("help", cobra.FlagSetByCobraAnnotation, []string{"true"})
	for _, below := range cmd.Commands() {
		addHelpTo(below)
	}
}
