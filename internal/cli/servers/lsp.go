package servers

import (
	"errors"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/editors/lsp"
)

// NewLSP returns the command lsp.
func NewLSP(s *command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Check and complete in an editor (Language Server Protocol)",
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
