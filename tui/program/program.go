// Package program runs Bubble Tea programs on terminals.
package program

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/tty"
)

// Program is a Bubble Tea program on a terminal.
//
// It always ends by [tea.Quit]: ended in another way, as by its own context or by [tea.Interrupt], Bubble Tea closes the reader of keys
// while that is at work.
type Program struct {
	program     *tea.Program
	model       guarded
	interrupted bool
}

// New returns a program of a model that reads the keys of a terminal and writes to it. Signals are left to the caller: a context that
// ends with them ends [Program.Run].
func New(model tea.Model, terminal *tty.Terminal, options ...tea.ProgramOption) *Program {
	p := &Program{model: guarded{Model: model}}
	p.model.quit = func() { p.program.Quit() }
	basic := []tea.ProgramOption{tea.WithInput(terminal.Input()), tea.WithOutput(terminal.Output()), tea.WithoutSignalHandler(), tea.WithFilter(p.filter)}
	p.program = tea.NewProgram(&p.model, append(basic, options...)...)
	return p
}

// The size, in cells, of terminals that do not say theirs, as those of containers and serial lines.
const usualWidth, usualHeight = 80, 24

// filter makes an interruption a message to quit, and a size of 0 the usual one.
func (p *Program) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.InterruptMsg:
		p.interrupted = true
		return tea.QuitMsg{}
	case tea.WindowSizeMsg:
		if msg.Width < 1 || msg.Height < 1 {
			return tea.WindowSizeMsg{Width: usualWidth, Height: usualHeight}
		}
	}
	return msg
}

// Send sends a message to the model. Once the program has ended it does nothing.
func (p *Program) Send(msg tea.Msg) { p.program.Send(msg) }

// Run runs the program until it ends or ctx is done, and returns its last model. The error is a [*fault.Fault] after a fault, and
// [tea.ErrInterrupted] after a [tea.Interrupt]. That ctx is done is no error: the caller looks at ctx.
func (p *Program) Run(ctx context.Context) (tea.Model, error) {
	defer context.AfterFunc(ctx, p.program.Quit)()
	_, err := p.program.Run()
	switch {
	case p.model.fault != nil:
		err = p.model.fault
	case err == nil && p.interrupted:
		err = tea.ErrInterrupted
	}
	return p.model.Model, err
}
