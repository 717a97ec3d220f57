package servers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/editors/mcp"
	"asldb/internal/files"
	"asldb/internal/report"
)

// NewMCP returns the command mcp, whose tools execute other commands.
func NewMCP(s *command.Streams, execute command.Execute) *cobra.Command {
	var root string
	var write bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve a coding agent (Model Context Protocol)",
		Args:  command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := os.Chdir(root); err != nil {
				return fmt.Errorf("--root: %w", err)
			}
			defer files.Confine(".")()
			ended := command.Listen(cmd.Context())
			defer ended.Stop()
			return mcp.Serve(ended, s.In, s.Out, mcp.Options{
				Version: command.Version(), Now: s.Now, Write: write,
				Command: func(ctx context.Context, args []string) mcp.Ran {
					return ran(ctx, s, args, execute)
				},
			})
		},
	}
	cmd.Flags().Var(command.NewFilled(&root, "."), "root", "read only files below the folder `DIR`")
	cmd.Flags().BoolVar(&write, "write", false, "let the agent write first suites and certain corrections")
	return cmd
}

// ran runs a command for an agent.
func ran(ctx context.Context, s *command.Streams, args []string, execute command.Execute) (r mcp.Ran) {
	var out, failed bytes.Buffer
	r.Status = execute(ctx, args, &command.Streams{
		In: strings.NewReader(""), Out: &out, Err: &failed, Now: s.Now,
		Answer: func(a *report.Answer) { r.Answer = a },
	})
	r.Out, r.Err = out.String(), failed.String()
	return r
}
