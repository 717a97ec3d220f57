package program

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"asldb/internal/tty"
)

// Go implements [view.Host].
func (s *Stack) Go(work func(ctx context.Context) (done func())) (cancel func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.commands = append(s.commands, func() tea.Msg {
		defer cancel()
		return callMsg{work(ctx)}
	})
	return cancel
}

// Post implements [view.Host].
func (s *Stack) Post(f func()) {
	if s.program != nil {
		s.program.Send(callMsg{f})
		return
	}
	s.commands = append(s.commands, func() tea.Msg { return callMsg{f} })
}

// After implements [view.Host].
func (s *Stack) After(d time.Duration, f func(at time.Time)) {
	s.commands = append(s.commands, s.later(d, func(at time.Time) tea.Msg { return callMsg{func() { f(at) }} }))
}

// Println writes lines above a view that is below them.
func (s *Stack) Println(text string) { s.commands = append(s.commands, tea.Println(text)) }

// Redraw implements [view.Host].
func (s *Stack) Redraw() { s.commands = append(s.commands, tea.ClearScreen) }

// Copy implements [view.Host], by OSC 52. It is written here and now: later the terminal may be another program's, or
// the screen be over.
func (s *Stack) Copy(text string) { s.write(osc52.New(text).String()) }

var errNoTerminal = errors.New("an editor needs a terminal")

// OpenFile implements [view.Host].
func (s *Stack) OpenFile(name string, line, col int, done func(err error)) {
	if s.terminal == nil {
		done(errNoTerminal)
		return
	}
	s.StandAside(s.terminal.Guard, func(in, out *os.File) error {
		return tty.OpenEditor(s.ctx, name, line, col, in, out)
	}, done)
}

// Edit implements [view.Host].
func (s *Stack) Edit(text string, done func(text string, err error)) {
	if s.terminal == nil {
		done("", errNoTerminal)
		return
	}
	s.StandAside(s.terminal.Guard, func(in, out *os.File) (err error) {
		text, err = tty.Edit(s.ctx, text, in, out)
		return err
	}, func(err error) { done(text, err) })
}

// Suspend implements [view.Host].
func (s *Stack) Suspend(refused func(reason string)) {
	if s.terminal == nil || !tty.CanSuspend() {
		refused("No shell has started asldb that could let it go on: it is not stopped.")
		return
	}
	s.StandAside(s.terminal.Lend, func(_, _ *os.File) error { return tty.Suspend() }, func(error) {})
}

// Terminal is where the program is shown; nil: nowhere.
func (s *Stack) Terminal() *tty.Terminal { return s.terminal }

// StandAside lets f have the terminal by one of its ways to lend it: no frame is drawn and no key read meanwhile, and
// the signals that the keys send are f's. done is called with its error when the screen is back.
func (s *Stack) StandAside(lend func(func(in, out *os.File) error) error, f func(in, out *os.File) error, done func(error)) {
	s.commands = append(s.commands, lendTerminal(&s.suspends, func() error {
		s.write(popTitle)
		defer s.write(pushTitle)
		return lend(f)
	}, func(err error) tea.Msg {
		return callMsg{func() {
			s.setTitle()
			if s.hasMouse && !s.inline() { // Bubble Tea has switched it off
				s.commands = append(s.commands, tea.EnableMouseCellMotion)
			}
			done(err)
		}}
	}))
}
