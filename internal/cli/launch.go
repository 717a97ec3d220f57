package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb.dev/asldb/tui"
)

// openScreen makes the session and gives the terminal to the debugger until the person quits.
func openScreen(cmd *cobra.Command, s *streams, options *sessionFlags, opened *files) error {
	if options.theme != "dark" && options.theme != "light" {
		return fmt.Errorf("--theme is dark or light, and this is %q", options.theme)
	}
	session, err := newSession(cmd, s, options, opened)
	if err != nil {
		return err
	}
	out, ok := s.out.(*os.File)
	if !ok || !term.IsTerminal(out.Fd()) {
		return errors.New("the debugger needs a terminal to draw on; without one use asldb run")
	}
	in, err := keyboard(s)
	if err != nil {
		return err
	}
	ctx, stop := endedBySignal(cmd.Context())
	defer stop()
	err = tui.Run(ctx, session, tui.Options{
		Title:   filepath.Base(opened.definition.Name),
		ASCII:   options.ascii,
		NoColor: options.noColor || os.Getenv("NO_COLOR") != "",
		Theme:   options.theme,
		NoMouse: options.noMouse,
		In:      in,
		Out:     out,
	})
	if errors.Is(err, tui.ErrInterrupted) {
		return interruptedError("")
	}
	return err
}

// endedBySignal returns a context that ends with the error for the exit status when a signal comes which would
// end the program: the terminal is to be put back first.
func endedBySignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case got := <-signals:
			if got == syscall.SIGTERM {
				cancel(&exitError{StatusTerminated, errors.New("terminated")})
			}
			cancel(interruptedError(""))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// keyboard is standard input, or the terminal itself when standard input is a file or is used up.
func keyboard(s *streams) (*os.File, error) {
	if in, ok := s.in.(*os.File); ok && term.IsTerminal(in.Fd()) {
		return in, nil
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return nil, errors.New("the debugger needs a terminal to read keys from; without one use asldb run")
	}
	return tty, nil
}
