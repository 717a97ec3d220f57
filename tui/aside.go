package tui

import (
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"asldb/tui/program"
)

// aside is a function that runs while the screen stands aside and another program has the terminal.
type aside func(in, out *os.File) error

// lender gives the terminal to an aside: see [terminal.Terminal.Lend] and [terminal.Terminal.Guard].
type lender func(f func(in, out *os.File) error) error

// backMsg: the screen is back, after the aside that done belongs to.
type backMsg struct{ done func() }

// standAside returns the command by which lend gives the terminal to f. When the screen is back done is called with f's
// error. The terminal has its own title meanwhile.
func (a *App) standAside(lend lender, f aside, done func(error)) tea.Cmd {
	return program.StandAside(&a.suspends, func() error {
		_, _ = io.WriteString(a.out, popTitle)
		defer func() { _, _ = io.WriteString(a.out, pushTitle) }()
		return lend(f)
	}, func(err error) tea.Msg {
		return backMsg{func() { done(err) }}
	})
}

// back switches on again the modes that Bubble Tea has switched off and forgets, and sets the window's title.
func (a *App) back(msg backMsg) tea.Cmd {
	msg.done()
	a.setWindowTitle()
	if a.hasMouse {
		return tea.EnableMouseCellMotion
	}
	return nil
}
