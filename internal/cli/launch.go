package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/engine/lint"
	"asldb.dev/asldb/internal/background"
	"asldb.dev/asldb/tui"
)

// openScreen makes the session and gives the terminal to the debugger until the person quits.
func openScreen(cmd *cobra.Command, s *streams, options *sessionFlags, opened *files) error {
	look, err := configured(cmd, options)
	if err != nil {
		return err
	}
	out, ok := s.out.(*os.File)
	if !ok || !term.IsTerminal(out.Fd()) {
		options.trace = traceFlags{} // nothing will run: what is wrong with the rest is said first
	}
	session, err := newSession(cmd, s, options, opened)
	defer func() { opened.trace.close(s) }()
	defer func() { opened.calls.Close() }()
	if err != nil {
		return err
	}
	restoreKept(options, opened, session, look)
	if err := opened.breakAtFailure(session, options); err != nil {
		return err
	}
	look.Title, look.About, look.Recorded = opened.title(options), opened.about, opened.beside
	look.Notice = opened.trace.news
	look.Notes = append(look.Notes, opened.notes...)
	if opened.calls != nil { // not an interface that holds nil
		look.Calls = opened.calls
	}
	if opened.definition != nil {
		look.Problems = opened.definition.problems(lint.Options{})
	}
	return showScreen(cmd, s, session, look)
}

// showScreen gives the terminal to the debugger until the person quits.
func showScreen(cmd *cobra.Command, s *streams, session *debug.Session, look *tui.Options) error {
	out, ok := s.out.(*os.File)
	if !ok || !term.IsTerminal(out.Fd()) {
		return errors.New("the debugger needs a terminal to draw on; without one use asldb run")
	}
	in, err := keyboard(s)
	if err != nil {
		return err
	}
	look.Save = saveNew
	look.In, look.Out = background.NewInput(in), out
	if look.Theme == "auto" {
		look.Theme = "dark"
		if !look.NoColor {
			if light, known := background.Light(in, out, os.Getenv("COLORFGBG"), background.Wait); known && light {
				look.Theme = "light"
			}
		}
	}
	ctx, stop := endedBySignal(cmd.Context())
	defer stop()
	err = tui.Run(ctx, session, *look)
	if errors.Is(err, tui.ErrInterrupted) {
		return interruptedError("")
	}
	var fault *tui.PanicError
	if errors.As(err, &fault) {
		return faultError(fault)
	}
	return err
}

// faultError tells a fault of asldb itself so that it can be reported.
func faultError(fault *tui.PanicError) error {
	text := fmt.Sprintf("a fault in asldb itself ended the screen: %v\n", fault)
	for _, lost := range fault.Lost {
		text += "It was saved nowhere: " + lost + "\n"
	}
	text += "Please report it with what follows, the definition if you can share it, and the keys that led to it.\n" +
		"asldb " + version() + ", Go " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + ", TERM=" + os.Getenv("TERM") + "\n\n"
	return &exitError{StatusUsage, errors.New(text + string(fault.Stack))}
}

// configured is what the configuration file and the flags say about the screen and the clock; a flag that is given
// has the last word.
func configured(cmd *cobra.Command, options *sessionFlags) (*tui.Options, error) {
	c, _, err := loadConfig(options.config)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if !given("theme") {
		options.theme = c.Theme
	}
	if !given("clock") {
		options.clock = c.Clock
	}
	if words := []string{"auto", "dark", "light"}; !slices.Contains(words, options.theme) {
		return nil, fmt.Errorf("--theme is auto, dark or light, and this is %q", options.theme)
	}
	pick := func(flag string, fromFlag, fromFile bool) bool {
		if given(flag) {
			return fromFlag
		}
		return fromFile
	}
	return &tui.Options{
		ASCII:   pick("ascii", options.ascii, c.ASCII),
		NoColor: options.noColor || os.Getenv("NO_COLOR") != "",
		Theme:   options.theme, Colors: c.Colors, Table: c.Table,
		NoMouse:     pick("no-mouse", options.noMouse, !c.Mouse),
		Arrangement: tui.Arrangement(c.Layout),
	}, nil
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
				return
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
