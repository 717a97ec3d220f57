package tui

import (
	"context"
	"errors"
	"io"
	"os"

	"asldb/engine/debug"
	"asldb/internal/fault"
	"asldb/internal/tty"
	"asldb/tui/program"
	"asldb/tui/screen"
	tea "github.com/charmbracelet/bubbletea"
)

// PanicError is a fault of asldb itself that ended the screen. The terminal has been put back.
type PanicError struct {
	*fault.Fault
	// Sessions are those of the screen: first the one that it was opened with, then the executions that tasks had
	// started and in which the user may have changed something.
	Sessions []screen.TitledSession
	// Typed are texts that had been typed and not taken yet.
	Typed []string
	// Lost lists the user's work that is not saved.
	Lost []string
}

// caught stores the value that recover returned, where it is a fault. The deferred function calls it.
func (a *App) caught(recovered any) bool {
	broken := fault.Of(recovered)
	if broken == nil {
		return false
	}
	a.fault = &PanicError{Fault: broken, Sessions: []screen.TitledSession{a.screen.Session()}}
	// The fault may keep the others from being listed, too.
	fault.Catch(func() { a.fault.Sessions = append(a.fault.Sessions, a.screen.InnerSessions()...) })
	fault.Catch(func() { a.fault.Typed = a.screen.Typed() })
	fault.Catch(func() { a.fault.Lost = a.screen.Unsaved() })
	return true
}

// guard returns a command that is c, and of which a fault comes as a message: Bubble Tea runs commands in goroutines of
// their own.
func guard(c tea.Cmd) tea.Cmd {
	return func() (msg tea.Msg) {
		if broken := fault.Catch(func() { msg = c() }); broken != nil {
			return faultMsg{broken}
		}
		return msg
	}
}

// faultMsg is a fault that happened in a command.
type faultMsg struct{ fault *fault.Fault }

// saveSetups saves the breakpoints, watches and prompt histories for the next session. After a fault it may fail; the setup
// saved before stays then.
func (a *App) saveSetups() {
	defer func() {
		if recovered := recover(); a.fault == nil {
			a.caught(recovered)
		}
	}()
	a.screen.SaveSetups()
}

// The terminal keeps its title meanwhile: one sequence puts it away, the other takes it back. Terminals that do not
// know them do nothing.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// framesPerSecond is how often Bubble Tea looks for a new frame; a key is answered in half of that time on average.
const framesPerSecond = 120

// Run shows the session on the terminal until the user quits or ctx is done. The terminal is put back
// as it was, also after a panic, which is returned as a *PanicError. Where ctx is done its cause is returned. Signals
// that end the program are the caller's business: a context that ends with them lets Run put the terminal back first.
func Run(ctx context.Context, session *debug.Session, o Options) error {
	if o.Terminal == nil {
		o.Terminal = tty.Open(os.Stdin, os.Stdout)
	}
	app := New(session, o)
	app.ctx, app.patience = ctx, patienceOfRun
	options := []tea.ProgramOption{tea.WithOutput(app.out), tea.WithAltScreen(), tea.WithFPS(framesPerSecond)}
	if !o.NoMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	shown := program.New(app, o.Terminal, options...)
	app.suspends.Listen(func() { shown.Send(suspendMsg{}) })
	_, _ = io.WriteString(app.out, pushTitle)
	_, err := shown.Run(ctx)
	_, _ = io.WriteString(app.out, popTitle)
	app.suspends.Stop()
	if app.leave() {
		app.saveSetups()
	}
	switch {
	case app.fault != nil:
		return app.fault
	case errors.Is(err, tea.ErrProgramPanic): // of Bubble Tea's own; it has written the stack
		app.caught(err)
		return app.fault
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case app.left:
		return ErrBack
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}
