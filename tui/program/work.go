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

// message returns the message that calls f, unless the layer has ended before.
func (l *Layer) message(f func()) callMsg {
	return callMsg{func() {
		if f != nil && l.ctx.Err() == nil {
			f()
		}
	}}
}

// Go implements [view.Host].
func (l *Layer) Go(work func(ctx context.Context) (done func())) (cancel func()) {
	own, cancel := context.WithCancel(l.ctx)
	l.commands = append(l.commands, func() tea.Msg {
		defer cancel()
		ctx, stop := context.WithCancel(l.Stack.ctx)
		defer stop()
		defer context.AfterFunc(own, stop)()
		if own.Err() != nil {
			stop() // here and now
		}
		return l.message(work(ctx))
	})
	return cancel
}

// Post implements [view.Host].
func (l *Layer) Post(f func()) {
	if l.program != nil {
		l.program.Send(l.message(f))
		return
	}
	l.commands = append(l.commands, func() tea.Msg { return l.message(f) })
}

// After implements [view.Host].
func (l *Layer) After(d time.Duration, f func(at time.Time)) {
	l.commands = append(l.commands, l.later(d, func(at time.Time) tea.Msg { return l.message(func() { f(at) }) }))
}

// Println writes lines above a view that is below them.
func (s *Stack) Println(text string) { s.commands = append(s.commands, tea.Println(text)) }

// Redraw implements [view.Host].
func (s *Stack) Redraw() { s.commands = append(s.commands, tea.ClearScreen) }

// Copy implements [view.Host], by OSC 52. It is written here and now: later the terminal may be another program's, or
// the screen be over.
func (s *Stack) Copy(text string) { s.write(osc52.New(text).String()) }

// OpenFile implements [view.Host].
func (l *Layer) OpenFile(name string, line, col int, done func(err error)) {
	l.StandAside(l.guard, func(in, out *os.File) error {
		return tty.OpenEditor(l.Stack.ctx, name, line, col, in, out)
	}, done)
}

// Edit implements [view.Host].
func (l *Layer) Edit(text string, done func(text string, err error)) {
	l.StandAside(l.guard, func(in, out *os.File) (err error) {
		text, err = tty.Edit(l.Stack.ctx, text, in, out)
		return err
	}, func(err error) { done(text, err) })
}

// Suspend implements [view.Host].
func (l *Layer) Suspend(refused func(reason string)) {
	if l.terminal == nil || !tty.CanSuspend() {
		refused("No shell has started asldb that could continue it: it is not stopped.")
		return
	}
	l.StandAside(l.terminal.Lend, func(_, _ *os.File) error { return tty.Suspend() }, func(error) {})
}

// Terminal is where the program is shown; nil: nowhere.
func (s *Stack) Terminal() *tty.Terminal { return s.terminal }

// Lending is a way to lend the terminal to f: see [tty.Terminal].
type Lending func(f func(in, out *os.File) error) error

// NoTerminal is the Lending of a program that has no terminal.
func NoTerminal(func(in, out *os.File) error) error {
	return errors.New("an editor needs a terminal")
}

// StandAside lets f have the terminal by one of its ways to lend it: no frame is drawn and no key read meanwhile, and
// the signals that the keys send are f's. done is called with its error when the screen is back.
func (l *Layer) StandAside(lend Lending, f func(in, out *os.File) error, done func(error)) {
	s := l.Stack
	if s.terminal == nil {
		l.Go(func(context.Context) func() {
			err := lend(f)
			return func() { done(err) }
		})
		return
	}
	s.commands = append(s.commands, lendTerminal(&s.suspends, func() error {
		s.write(popTitle)
		defer s.write(pushTitle)
		return lend(f)
	}, func(err error) tea.Msg {
		return callMsg{func() {
			s.setTitle()
			if s.mode().mouse { // Bubble Tea has switched it off
				s.commands = append(s.commands, tea.EnableMouseCellMotion)
			}
			l.message(func() { done(err) }).f()
		}}
	}))
}
