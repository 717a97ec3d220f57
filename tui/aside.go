package tui

import (
	"errors"
	"io"
	"os"

	"asldb/internal/fault"
	tea "github.com/charmbracelet/bubbletea"
)

// aside is a function that runs while the screen stands aside and another program has the terminal. It gets the terminal's own files:
// those that Bubble Tea would pass on are wrapped, and [exec.Cmd] would put pipes between.
type aside func(in, out *os.File) error

// lender gives the terminal to an aside: see [terminal.Terminal.Lend] and [terminal.Terminal.Guard].
type lender func(f func(in, out *os.File) error) error

// backMsg: the screen is back, after the aside that done belongs to.
type backMsg struct{ done func() }

// standAside returns the command by which lend gives the terminal to f. Bubble Tea runs it in its loop: no frame is drawn and no
// key read meanwhile. When the screen is back done is called with f's error.
func (a *App) standAside(lend lender, f aside, done func(error)) tea.Cmd {
	return tea.Exec(&asideCommand{a, lend, f}, func(err error) tea.Msg {
		return backMsg{func() { backFrom(err, done) }}
	})
}

// backFrom calls done with the error of an aside. A fault is passed on: it is none of the aside's errors.
func backFrom(err error, done func(error)) {
	var broken *fault.Fault
	if errors.As(err, &broken) {
		panic(broken)
	}
	done(err)
}

// asideCommand is an aside as Bubble Tea wants it.
type asideCommand struct {
	app  *App
	lend lender
	run  aside
}

// Run implements tea.ExecCommand. The terminal has its own title meanwhile, and the signals that its keys send are the
// other program's; SIGTSTP stops both, as every program of a job.
func (c *asideCommand) Run() (err error) {
	a := c.app
	a.suspends.Lent(true)
	_, _ = io.WriteString(a.out, popTitle)
	defer func() {
		_, _ = io.WriteString(a.out, pushTitle)
		a.suspends.Lent(false)
	}()
	if broken := fault.Catch(func() { err = c.lend(c.run) }); broken != nil {
		return broken
	}
	return err
}

// SetStdin implements tea.ExecCommand.
func (*asideCommand) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (*asideCommand) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (*asideCommand) SetStderr(io.Writer) {}

// back switches on again the modes that Bubble Tea has switched off and forgets, and sets the window's title.
func (a *App) back(msg backMsg) tea.Cmd {
	msg.done()
	list := []tea.Cmd{a.windowTitle()}
	if a.hasMouse {
		list = append(list, tea.EnableMouseCellMotion)
	}
	return tea.Batch(list...)
}
