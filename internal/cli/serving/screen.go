package serving

import (
	"net"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/serve"
)

// show serves beside the screen with the list of executions.
func (f *flags) show(ended *command.Ending, _ *cobra.Command, _ *command.Streams, server *serve.Server, listener net.Listener, _ string) error {
	return server.Serve(ended, listener)
}
