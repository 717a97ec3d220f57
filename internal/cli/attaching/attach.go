// Package attaching has the command that opens the executions of asldb serve in the debugger.
package attaching

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"asldb/internal/attach"
	"asldb/internal/cli/command"
	"asldb/internal/cli/recordings"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
	"asldb/tui"
	"asldb/tui/view/pages"
)

// NewAttach returns the command attach.
func NewAttach(s *command.Streams) *cobra.Command {
	f := &sessions.Flags{}
	cmd := &cobra.Command{
		Use:   "attach [URL [EXECUTION]]",
		Short: "Debug an execution of asldb serve",
		Args:  cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			args = append(args, attach.Usual, "")[:max(len(args), 1)]
			if !f.HasTerminal(s) {
				return sessions.ErrNoTerminal
			}
			if len(args) == 1 {
				return Show(cmd, s, f, args[0])
			}
			server, err := attach.Connect(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			arn, err := server.Find(cmd.Context(), args[1])
			if err != nil {
				return err
			}
			return open(cmd, s, *f, server, arn)
		},
	}
	f.Rows(cmd).Row("break").Add(launch.Looks)
	return cmd
}

// Show shows the executions of a server, and opens those that the user chooses, until the user leaves the list.
func Show(cmd *cobra.Command, s *command.Streams, f *sessions.Flags, address string) error {
	server, err := attach.Connect(cmd.Context(), address)
	if err != nil {
		return err
	}
	look, err := sessions.ScreenOptions(cmd, s, f)
	if err != nil {
		return err
	}
	page := pages.NewPicker(attach.List{Server: server}, time.Local)
	flags := *f
	flags.Back = "the list of executions"
	return sessions.ShowList(cmd.Context(), s, page, look, pages.ErrNoExecutions, func() error {
		return open(cmd, s, flags, server, page.Chosen().Row.ID)
	})
}

// open opens an execution in the debugger.
func open(cmd *cobra.Command, s *command.Streams, f sessions.Flags, server *attach.Server, arn string) error {
	f.Spec.Stdin, f.Spec.Warn, f.Spec.BreakUncaught = s.In, s.Warn, true
	x, err := server.Open(context.WithoutCancel(cmd.Context()), arn, f.Spec)
	if err == nil {
		err = recordings.ShowFollowed(cmd, s, &f, x.Title(), x.Opening, x)
	}
	if left := x.Close(); err == nil || errors.Is(err, tui.ErrBack) {
		err = errors.Join(err, left)
	}
	return err
}
