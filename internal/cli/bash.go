package cli

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// bashFunctions replace the functions of the package bash-completion that cobra's script calls. The package
// replaces them where it is loaded later.
//
// The words of the command line are those that bash splits, joined again where no space is between them: bash splits at
// colons and equals signs too, and STATE:STAGE is one word. Bash then replaces only the part behind the last colon, for
// which cobra's script removes what is before it.
//
//go:embed functions.bash
var bashFunctions string

// selfContained makes the script for bash one that needs nothing else.
func selfContained(bash *cobra.Command) {
	script := bash.RunE
	bash.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := io.WriteString(cmd.Root().OutOrStdout(), bashFunctions); err != nil {
			return err
		}
		return script(cmd, args)
	}
}
