package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"asldb/internal/cli/command"
)

// completeRest says for every argument and flag without its own completion what shells offer: files where its name in
// the help is the name of a file or folder, and otherwise nothing. Shells would offer files for all of them.
func completeRest(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && cmd.Runnable() {
		count := arguments(cmd)
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if count >= 0 && len(args) >= count {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
	complete := func(flag *pflag.Flag) {
		if _, has := cmd.GetFlagCompletionFunc(flag.Name); has || namesFile(placeholder(flag)) {
			return
		}
		if words := strings.Split(placeholder(flag), "|"); len(words) > 1 {
			command.CompleteWords(cmd, flag.Name, words...)
			return
		}
		// It fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.NoFileCompletions)
	}
	cmd.Flags().VisitAll(complete)
	cmd.PersistentFlags().VisitAll(complete)
	for _, sub := range cmd.Commands() {
		completeRest(sub)
	}
}

// placeholder is the name of a flag's value in the help, such as FILE.
func placeholder(flag *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(flag)
	return name
}

// namesFile reports whether a name in the help is the name of a file or a folder.
func namesFile(name string) bool {
	return slices.ContainsFunc([]string{"FILE", "DIR", "FOLDER"}, func(kind string) bool {
		return strings.Contains(name, kind)
	})
}

// arguments returns the number of a command's arguments; -1 where the last one can be repeated.
func arguments(cmd *cobra.Command) int {
	count := 0
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if strings.HasPrefix(word, "-") {
			break // a flag that the command needs, and its value
		}
		count++
		if strings.HasSuffix(strings.TrimSuffix(word, "]"), "...") {
			return -1
		}
	}
	return count
}
