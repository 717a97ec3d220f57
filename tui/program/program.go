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
	interrupted bool
}

// New returns a program of a model that reads the keys of a terminal and writes to it. Signals are left to the caller: a context that
// ends with them ends [Program.Run].
func New(model tea.Model, terminal *tty.Terminal, options ...tea.ProgramOption) *Program {
	p := &Program{}
	basic := []tea.ProgramOption{tea.WithInput(terminal.Input()), tea.WithOutput(terminal.Output()), tea.WithoutSignalHandler(), tea.WithFilter(p.filter)}
	p.program = tea.NewProgram(model, append(basic, options...)...)
	return p
}

// filter makes an interruption a message to quit.
func (p *Program) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.InterruptMsg); ok {
		p.interrupted = true
		return tea.QuitMsg{}
	}
	return msg
}

// Send sends a message to the model. Once the program has ended it does nothing.
func (p *Program) Send(msg tea.Msg) { p.program.Send(msg) }

// Run runs the program until it ends or ctx is done, and returns its last model. The error is [tea.ErrInterrupted] after a
// [tea.Interrupt]. That ctx is done is no error: the caller looks at ctx.
func (p *Program) Run(ctx context.Context) (tea.Model, error) {
	defer context.AfterFunc(ctx, p.program.Quit)()
	model, err := p.program.Run()
	if err == nil && p.interrupted {
		err = tea.ErrInterrupted
	}
	return model, err
}
