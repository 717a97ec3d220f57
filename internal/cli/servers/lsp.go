package servers

import (
	"errors"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/editors/lsp"
)

const lspLong = `Serve an editor that speaks the Language Server Protocol: VS Code, Neovim, Emacs, JetBrains, Helix.

The editor starts this command and talks to it over standard input and output. In definitions, also those inside
of templates, it shows the problems of asldb validate with corrections, completes names, fields, paths and
functions, finds and renames states, and lists them. In suites it offers to run and debug each case; it checks
fixtures and project files, too.

Values come from a run in memory, with the fixtures that the project file names or that are beside the definition:
order.fixtures.yaml for order.asl.json. Nothing outside is called.

The initialization option "hints": false leaves out hints.`

// NewLSP returns the command lsp.
func NewLSP(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Check and complete in an editor (Language Server Protocol)",
		Long:  lspLong,
		Args:  command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := lsp.Serve(cmd.Context(), s.In, s.Out, lsp.Options{Version: command.Version()})
			if errors.Is(err, lsp.ErrNoShutdown) {
				return command.Exit(command.StatusFailed, nil)
			}
			return err
		},
	}
	command.AddReadOutside(cmd)
	cmd.Flags().Bool("stdio", true, "talk over standard input and output, the only way")
	return cmd
}
