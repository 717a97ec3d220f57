package program

import (
	"errors"
	"io"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/tty"
	"asldb/internal/work"
)

// guarded is a model whose faults, with those of its commands, end the program: Bubble Tea would write their stacks to the terminal.
type guarded struct {
	tea.Model
	fault *work.Fault
	quit  func()
}

// faultMsg is a fault that happened in a command, or beside the screen.
type faultMsg struct{ fault *work.Fault }

// Init implements [tea.Model].
func (g *guarded) Init() tea.Cmd { return g.call(func() tea.Cmd { return g.Model.Init() }) }

// Update implements [tea.Model].
func (g *guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return g, g.call(func() (cmd tea.Cmd) {
		if broken, ok := msg.(faultMsg); ok {
			panic(broken.fault)
		}
		g.Model, cmd = g.Model.Update(msg)
		return cmd
	})
}

// View implements [tea.Model]. Nothing is drawn after a fault.
func (g *guarded) View() (frame string) {
	if g.fault == nil {
		if g.fault = work.Catch(func() { frame = g.Model.View() }); g.fault != nil {
			go g.quit() // no message may come any more
		}
	}
	return frame
}

// call calls a part of the model, unless there was a fault.
func (g *guarded) call(f func() tea.Cmd) (cmd tea.Cmd) {
	if g.fault == nil {
		g.fault = work.Catch(func() { cmd = f() })
	}
	if g.fault != nil {
		return tea.Quit
	}
	return guard(cmd)
}

// guard returns a command whose fault is a message, and those of the commands that it leads to.
func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if broken := work.Catch(func() { msg = cmd() }); broken != nil {
			return faultMsg{broken}
		}
		// That of tea.Sequence has no name outside of Bubble Tea.
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range list.Len() {
				list.Index(i).Set(reflect.ValueOf(guard(list.Index(i).Interface().(tea.Cmd))))
			}
		}
		return msg
	}
}

// StandAside returns a command that lets run have the terminal: no frame is drawn and no key read meanwhile, and the signals that the
// keys send are run's. done makes a message of its error.
func StandAside(s *tty.Suspensions, run func() error, done func(error) tea.Msg) tea.Cmd {
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

// aside is a function as Bubble Tea wants it. It takes the terminal's own files: those that Bubble Tea would pass on are wrapped, and
// [os/exec.Cmd] would put pipes between.
type aside func() error

// Run implements [tea.ExecCommand].
func (a aside) Run() error { return a() }

// SetStdin implements [tea.ExecCommand].
func (aside) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (aside) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (aside) SetStderr(io.Writer) {}
