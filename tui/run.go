package tui

import (
	"context"
	"errors"
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
	// Sessions are the screen's: first the one that it was opened with, then the executions that tasks had
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

// Run shows the session on the terminal until the user quits or ctx is done. The terminal is put back
// as it was, also after a panic, which is returned as a *PanicError. Where ctx is done its cause is returned. Signals
// that end the program are the caller's business: a context that ends with them lets Run put the terminal back first.
func Run(ctx context.Context, session *debug.Session, o Options) error {
	if o.Terminal == nil {
		o.Terminal = tty.Open(os.Stdin, os.Stdout)
	}
	nothing := func() {}
	desk := program.NewDesk(ctx, o.program(), nothing, nothing, nothing)
	defer desk.Close()
	return Show(desk, session, o)
}

// Show shows the session over the other views of a program, as Run does.
func Show(desk *program.Desk, session *debug.Session, o Options) (err error) {
	app := &App{}
	app.Stack, err = desk.Show(o.around(session), app.birth(session, o))
	var broken *work.Fault
	errors.As(err, &broken)
	if app.screen == nil { // the program has ended before
		return err
	}
	if !app.Busy() { // breakpoints, watches and prompt histories; after a fault it may fail, and the setup saved before stays
		if failed := work.Catch(app.screen.SaveSetups); broken == nil {
			broken = failed
		}
	}
	switch {
	case broken != nil:
		return app.panicError(broken)
	case errors.Is(err, tea.ErrProgramPanic): // of Bubble Tea's own; it has written the stack
		return app.panicError(work.Of(err))
	}
	return err
}
