package tui

import (
	"context"
	"errors"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/engine/debug"
	"asldb/internal/tty"
	"asldb/internal/work"
	"asldb/tui/program"
	"asldb/tui/screen"
)

// PanicError is a fault of asldb itself that ended the screen. The terminal has been put back.
type PanicError struct {
	*work.Fault
	// Sessions are those of the screen: first the one that it was opened with, then the executions that tasks had
	// started and in which the user may have changed something.
	Sessions []screen.TitledSession
	// Typed are texts that had been typed and not taken yet.
	Typed []string
	// Lost lists the user's work that is not saved.
	Lost []string
}

// panicError returns a fault with all that is to be saved.
func (a *App) panicError(broken *work.Fault) *PanicError {
	e := &PanicError{Fault: broken, Sessions: []screen.TitledSession{a.screen.Session()}}
	// The fault may keep the others from being listed, too.
	work.Catch(func() { e.Sessions = append(e.Sessions, a.screen.InnerSessions()...) })
	work.Catch(func() { e.Typed = a.screen.Typed() })
	work.Catch(func() { e.Lost = a.screen.Unsaved() })
	return e
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
	inWork, ended := app.leave()
	var broken *work.Fault
	if !errors.As(err, &broken) {
		broken = inWork
	}
	if ended { // breakpoints, watches and prompt histories; after a fault it may fail, and the setup saved before stays
		if failed := work.Catch(app.screen.SaveSetups); broken == nil {
			broken = failed
		}
	}
	switch {
	case broken != nil:
		return app.panicError(broken)
	case errors.Is(err, tea.ErrProgramPanic): // of Bubble Tea's own; it has written the stack
		return app.panicError(work.Of(err))
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case app.left:
		return ErrBack
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}
