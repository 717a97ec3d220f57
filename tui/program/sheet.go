package program

import (
	"context"
	"errors"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
)

// ErrInterrupted is returned when the user has ended the program by the key Ctrl+C.
var ErrInterrupted = errors.New("interrupted")

// Options are the look of the screen.
type Options struct {
	// ASCII draws with nothing but ASCII, NoColor without colours.
	ASCII, NoColor bool
	// Light is for light backgrounds; Colors replace the theme's by style.
	Light  bool
	Colors map[canvas.Style]canvas.Colors
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
}

// Page is the content of a screen.
type Page interface {
	// Title is at the left of the status line; Status is at its right, with its style there.
	Title() string
	Status() (text string, style canvas.Style)
	// Keys is the table of the keys, Hints the actions in the bottom line, the most useful first.
	Keys() *keys.Map
	Hints() []keys.Action
	// Begin is called once, before the first frame.
	Begin(s *Sheet)
	// Press handles a key.
	Press(s *Sheet, k keys.Press)
	// Draw paints the part of the screen between the status line and the bottom line, and notes what the mouse does there.
	Draw(s *Sheet, f widget.Frame)
}

// Sheet is a screen with its page: a [tea.Model].
type Sheet struct {
	page   Page
	canvas *canvas.Canvas
	theme  *canvas.Theme
	ctx    context.Context
	// post runs a function between two messages; it is called from other goroutines.
	post func(f func())
	// later is tea.Tick. Without a terminal no time passes.
	later    func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
	terminal *tty.Terminal // nil: there is none
	suspends tty.Suspensions
	commands []tea.Cmd // since they were taken last

	hasMouse bool
	spots    widget.Spots // of the frame

	help    *help // nil: it is closed
	message string
	style   canvas.Style // of the message
	over    bool
	err     error // of the end
}

// NewSheet returns a screen without a terminal, of 80 by 24 cells.
func NewSheet(page Page, o Options) *Sheet { return newSheet(page, o, termenv.Ascii) }

func newSheet(page Page, o Options, colors termenv.Profile) *Sheet {
	glyphs := canvas.Unicode()
	if o.ASCII {
		glyphs = canvas.ASCII()
	}
	s := &Sheet{page: page, ctx: context.Background(), canvas: canvas.New(80, 24, glyphs), hasMouse: !o.NoMouse}
	s.theme = canvas.NewTheme(canvas.Options{Light: o.Light, Colors: o.Colors, NoColor: o.NoColor, Profile: colors})
	s.post = func(f func()) { s.commands = append(s.commands, func() tea.Msg { return doneMsg{f} }) }
	s.later = func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg { return f(time.Time{}) }
	}
	return s
}

// Run shows a page on the terminal until it ends or ctx is done, and returns the error of the end, [ErrInterrupted], or the cause of
// ctx. The terminal is put back as it was.
func Run(ctx context.Context, terminal *tty.Terminal, page Page, o Options) error {
	s := newSheet(page, o, terminal.Profile())
	inner, cancel := context.WithCancel(ctx)
	defer cancel() // the work behind the screen
	s.ctx, s.terminal, s.later = inner, terminal, tea.Tick
	options := []tea.ProgramOption{tea.WithAltScreen()}
	if s.hasMouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	shown := New(s, terminal, options...)
	s.post = func(f func()) { shown.Send(doneMsg{f}) }
	s.suspends.Listen(func() { shown.Send(doneMsg{s.suspend}) })
	_, err := shown.Run(ctx)
	s.suspends.Stop()
	switch {
	case err != nil:
		return err
	case s.over:
		return s.err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return nil
}

// doneMsg is a function to be called between two messages.
type doneMsg struct{ f func() }

// Go runs work behind the screen. The function that it returns, which may be nil, is called when it is done. cancel ends the
// context of the work; the end of the screen does so, too.
func (s *Sheet) Go(work func(ctx context.Context) (done func())) (cancel func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.commands = append(s.commands, func() tea.Msg {
		defer cancel()
		return doneMsg{work(ctx)}
	})
	return cancel
}

// Post calls a function between two messages. Work behind the screen shows its progress by it.
func (s *Sheet) Post(f func()) { s.post(f) }

// After calls a function after a time.
func (s *Sheet) After(d time.Duration, f func()) {
	s.commands = append(s.commands, s.later(d, func(time.Time) tea.Msg { return doneMsg{f} }))
}

// End ends the screen with an error, or with nil.
func (s *Sheet) End(err error) { s.over, s.err = true, err }

// Say shows a message in the bottom line until the next key.
func (s *Sheet) Say(style canvas.Style, text string) { s.message, s.style = text, style }

// Glyphs returns the signs of the screen.
func (s *Sheet) Glyphs() *canvas.Glyphs { return s.canvas.Area(canvas.Rect{}).Glyphs() }

// OpenFile opens a file in the user's editor at a line and column, from 1, and calls done with the error when it is closed.
func (s *Sheet) OpenFile(name string, line, col int, done func(err error)) {
	if s.terminal == nil {
		done(errors.New("there is no terminal for an editor"))
		return
	}
	s.standAside(func() error {
		return s.terminal.Guard(func(in, out *os.File) error { return tty.OpenEditor(s.ctx, name, line, col, in, out) })
	}, done)
}

// suspend stops the program where a shell can continue it.
func (s *Sheet) suspend() {
	if s.terminal == nil || !tty.CanSuspend() {
		s.Say(canvas.Warn, "No shell has started asldb that could let it go on: it is not stopped.")
		return
	}
	s.standAside(func() error {
		return s.terminal.Lend(func(_, _ *os.File) error { return tty.Suspend() })
	}, func(error) {})
}

// standAside lets run have the terminal, and calls done with its error when the screen is back.
func (s *Sheet) standAside(run func() error, done func(err error)) {
	s.commands = append(s.commands, StandAside(&s.suspends, run, func(err error) tea.Msg {
		return doneMsg{func() {
			if s.hasMouse { // Bubble Tea has switched it off
				s.commands = append(s.commands, tea.EnableMouseCellMotion)
			}
			done(err)
		}}
	}))
}
