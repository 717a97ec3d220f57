package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	trace "runtime/debug"

	"asldb.dev/asldb/engine/debug"
	"asldb.dev/asldb/internal/tty"
	tea "github.com/charmbracelet/bubbletea"
)

// PanicError is a fault of asldb itself that ended the screen. The terminal has been put back.
type PanicError struct {
	Value any
	Stack []byte
	// Lost lists what the person made and has not saved.
	Lost []string
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// caught keeps what recover returned, where it is a fault.
func (a *App) caught(fault any) bool {
	if fault == nil {
		return false
	}
	a.fault = &PanicError{Value: fault, Stack: trace.Stack()}
	defer func() { _ = recover() }() // what is broken may be broken for this, too
	a.fault.Lost = a.ui.unsaved()
	return true
}

// keep saves what is kept for the next session: the breakpoints, and what was typed last into the prompts. After a fault
// it may fail; then what was kept before stays.
func (a *App) keep() {
	defer func() {
		if fault := recover(); fault != nil && a.fault == nil {
			a.caught(fault)
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
	app.ctx = ctx
	options := []tea.ProgramOption{
		tea.WithInput(o.Terminal.Input()), tea.WithOutput(app.out), tea.WithContext(ctx), tea.WithAltScreen(), tea.WithoutSignalHandler(),
	}
	if !o.NoMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program := tea.NewProgram(app, options...)
	app.suspends.send = program.Send
	app.suspends.listen()
	_, _ = io.WriteString(app.out, pushTitle)
	_, err := program.Run()
	_, _ = io.WriteString(app.out, popTitle)
	app.suspends.stop()
	app.keep()
	switch {
	case app.fault != nil:
		return app.fault
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return context.Cause(ctx)
	}
	return err
}
