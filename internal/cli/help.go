package cli

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
)

// groups are the groups of commands in the help of the program.
var groups = []struct{ id, title, commands string }{
	{"debug", "Debug:", "debug demo run eval state waiter"},
	{"test", "Test:", "init test explore coverage merge fixtures allow"},
	{"production", "Production:", "why history fetch trace replay compare record-case"},
	{"check", "Check:", "validate graph rules services"},
	{"tools", "Editors and tools:", "dap lsp mcp serve attach project config keys completion help"},
}

// pages has a page of help for each command, by its path: a description, and examples where there are some.
//
//go:embed pages
var pages embed.FS

// examplesOf separates the description of a page from the examples.
const examplesOf = "\n\nExamples:\n"

// addPages gives the commands their pages of help. The commands that cobra makes have none, and neither have the few whose
// texts the program makes.
func addPages(cmd *cobra.Command) {
	if page, err := pages.ReadFile(pageOf(cmd)); err == nil {
		cmd.Long, cmd.Example, _ = strings.Cut(strings.TrimSuffix(string(page), "\n"), examplesOf)
	}
	for _, below := range cmd.Commands() {
		addPages(below)
	}
}

// pageOf is the file of a command's page: pages/trace/info.txt for "asldb trace info".
func pageOf(cmd *cobra.Command) string {
	return "pages/" + strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "asldb "), " ", "/") + ".txt"
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
