package program

import (
	"errors"
	"io"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/tty"
	"asldb/internal/work"
)

// faultMsg is a fault that happened in a command, or beside the screen.
type faultMsg struct{ fault *work.Fault }

// call calls a part of the model, unless there was a fault. A fault, also of a command, ends the program: Bubble Tea
// would write its stack to the terminal.
func (s *Stack) call(f func() tea.Cmd) (cmd tea.Cmd) {
	if s.fault == nil {
		s.fault = work.Catch(func() { cmd = f() })
	}
	if s.fault != nil {
		return tea.Quit
	}
	return guard(cmd)
}

// guard returns a command whose fault is a message, and so the faults of the commands that it leads to.
func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if broken := work.Catch(func() { msg = cmd() }); broken != nil {
			return faultMsg{broken}
		}
		// The message of tea.Sequence has no name outside of Bubble Tea.
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range list.Len() {
				list.Index(i).Set(reflect.ValueOf(guard(list.Index(i).Interface().(tea.Cmd))))
			}
		}
		return msg
	}
}

// lendTerminal returns a command that lets run have the terminal. done makes a message of its error.
func lendTerminal(s *tty.Suspensions, run func() error, done func(error) tea.Msg) tea.Cmd {
	return tea.Exec(aside(func() (err error) {
		s.Lent(true)
		defer s.Lent(false)
		if broken := work.Catch(func() { err = run() }); broken != nil {
			return broken
		}
		return err
	}), func(err error) tea.Msg {
		var broken *work.Fault
		if errors.As(err, &broken) {
			return faultMsg{broken}
		}
		return done(err)
	})
}

// aside is a function as Bubble Tea wants it. It takes the terminal's own files: those that Bubble Tea would pass on
// are wrapped, and [os/exec.Cmd] would put pipes between.
type aside func() error

// Run implements [tea.ExecCommand].
func (a aside) Run() error { return a() }

// SetStdin implements [tea.ExecCommand].
func (aside) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (aside) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (aside) SetStderr(io.Writer) {}
