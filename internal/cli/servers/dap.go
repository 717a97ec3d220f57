// Package servers has the commands that serve another program: an editor, or a coding agent.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"asldb/internal/cli/command"
	"asldb/internal/editors/dap"
	"asldb/internal/store"
)

// NewDAP returns the command dap.
func NewDAP(s *command.Streams) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "dap",
		Short: "Debug in an editor (Debug Adapter Protocol)",
		Args:  command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options := dap.Options{Now: s.Now, State: store.Dir(os.Getenv), Version: command.Version()}
			if address == "" {
				return dap.Serve(cmd.Context(), s.In, s.Out, options)
			}
			listener, err := listen(cmd.Context(), address)
			if err != nil {
				return err
			}
			if err := s.Print("listening on " + listener.Addr().String() + "\n"); err != nil {
				return err
			}
			return accept(cmd.Context(), s, listener, options)
		},
	}
	command.AddReadOutside(cmd)
	cmd.Flags().StringVar(&address, "listen", "", "listen on an `ADDRESS` of this machine, such as 127.0.0.1:0")
	return cmd
}

// listen listens on an address of the loopback.
func listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen is HOST:PORT, such as 127.0.0.1:0, not %q", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen is for this machine only, such as 127.0.0.1:0, not %q", address)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil { // after the words of package net for the call
		var place *net.AddrError
		var name *net.DNSError
		var system *net.OpError
		switch {
		case errors.As(err, &place):
			err = errors.New(place.Err)
		case errors.As(err, &name):
			err = errors.New(name.Err)
		case errors.As(err, &system):
			err = system.Err
		}
		return nil, fmt.Errorf("--listen: cannot listen on %s: %w", address, err)
	}
	return listener, nil
}

// accept serves the editors that connect until the context ends.
func accept(ctx context.Context, s *command.Streams, listener net.Listener, options dap.Options) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		connection, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		if err := sameUser(connection); err != nil {
			fmt.Fprintf(s.Err, "refused a connection from %v: %v\n", connection.RemoteAddr(), err)
			_ = connection.Close() // nothing was sent
			continue
		}
		sessions.Go(func() {
			defer connection.Close()
			if err := dap.Serve(ctx, connection, connection, options); err != nil && ctx.Err() == nil {
				fmt.Fprintln(s.Err, err)
			}
		})
	}
}
