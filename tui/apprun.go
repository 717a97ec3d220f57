package tui

import (
	"context"
	"errors"
	"io"
	"os"

	"asldb/engine/debug"
	"asldb/internal/fault"
	"asldb/internal/tty"
	"asldb/tui/dialog"
	tea "github.com/charmbracelet/bubbletea"
)

// PanicError is a fault of asldb itself that ended the screen. The terminal has been put back.
type PanicError struct {
	*fault.Fault
	// Sessions are those that the screen had: first the one that it was opened with, then the executions that tasks had
	// started and in which the person may have done something.
	Sessions []TitledSession
	// Typed are texts that had been typed and not taken yet.
	Typed []string
	// Lost lists what the person made and has not saved.
	Lost []string
}

// TitledSession is a session with its title.
type TitledSession struct {
	Title   string
	Session *debug.Session
}

// caught keeps what recover returned, where it is a fault. It is to be called by the function that is deferred.
func (a *App) caught(recovered any) bool {
	broken := fault.Of(recovered)
	if broken == nil {
		return false
	}
	a.fault = &PanicError{Fault: broken}
	root := a.ui.root()
	a.fault.Sessions = []TitledSession{{root.title, root.session}}
	// What is broken may be broken for the rest, too.
	fault.Catch(func() { a.fault.Sessions = append(a.fault.Sessions, a.ui.innerSessions()...) })
	fault.Catch(func() { a.fault.Typed = a.ui.typed() })
	fault.Catch(func() { a.fault.Lost = a.ui.unsaved() })
	return true
}

// innerSessions are those of the screens above the first one, and of those that were left with something unsaved.
func (u *ui) innerSessions() []TitledSession {
	var list []TitledSession
	for ; u != nil; u = u.nest.outer {
		if u.nest.outer != nil {
			list = append(list, TitledSession{u.title, u.session})
		}
		list = append(list, u.sessionsBehind()...)
	}
	return list
}

// sessionsBehind are those of the screens that were left with something unsaved.
func (u *ui) sessionsBehind() []TitledSession {
	var list []TitledSession
	for _, inner := range u.nest.behind {
		list = append(append(list, TitledSession{inner.title, inner.session}), inner.sessionsBehind()...)
	}
	return list
}

// typed are the texts in the dialogs, those of the screens below as well.
func (u *ui) typed() []string {
	var list []string
	for ; u != nil; u = u.nest.outer {
		if d := u.draft; d != nil && d.Changed() {
			list = append(list, d.Text())
		}
		if q, ok := u.dialog.(*dialog.Question); ok {
			list = append(list, q.Typed()...)
		}
	}
	return list
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

// keep saves what is kept for the next session: the breakpoints, and what was typed last into the prompts. After a fault
// it may fail; then what was kept before stays.
func (a *App) keep() {
	defer func() {
		if recovered := recover(); a.fault == nil {
			a.caught(recovered)
		}
	}()
	for u := a.ui; u != nil; u = u.nest.outer {
		u.keep()
	}
}

// The terminal keeps its title meanwhile: one sequence puts it away, the other takes it back. Terminals that do not
// know them do nothing.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// Run shows the session on the terminal until the person quits or ctx is done. The terminal is put back
// as it was, also after a panic, which is returned as a *PanicError. Where ctx is done its cause is returned. Signals
// that end the program are the caller's business: a context that ends with them lets Run put the terminal back first.
func Run(ctx context.Context, session *debug.Session, o Options) error {
	if o.Terminal == nil {
		o.Terminal = tty.Open(os.Stdin, os.Stdout)
	}
	app := New(session, o)
	app.ctx, app.patience = ctx, patienceOfRun
	options := []tea.ProgramOption{
		tea.WithInput(o.Terminal.Input()), tea.WithOutput(app.out), tea.WithContext(ctx), tea.WithAltScreen(), tea.WithoutSignalHandler(),
	}
	if !o.NoMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program := tea.NewProgram(app, options...)
	app.suspends.listen(program.Send)
	_, _ = io.WriteString(app.out, pushTitle)
	_, err := program.Run()
	_, _ = io.WriteString(app.out, popTitle)
	app.suspends.stop()
	if app.leave() {
		app.keep()
	}
	switch {
	case app.fault != nil:
		return app.fault
	case errors.Is(err, tea.ErrProgramPanic): // of Bubble Tea's own; it has written the stack
		app.caught(err)
		return app.fault
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return context.Cause(ctx)
	}
	return err
}
