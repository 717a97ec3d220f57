// Package tui shows a debug session in a terminal: the screen of [screen] in the program of [program].
package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/view"
)

// Options are the options of the screen and of the terminal that it is shown on.
type Options struct {
	screen.Options
	// NoColor draws without colours. Plain writes sentences in place of a screen: see [RunPlain].
	NoColor, Plain bool
	// Theme is "dark" (or empty) or "light"; Colors replace the theme's by style.
	Theme  string
	Colors map[canvas.Style]canvas.Colors
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Interrupt is raised to interrupt the session's evaluations, which check it; nil means a flag that only the
	// App knows.
	Interrupt *interrupt.Flag
	// Terminal is the terminal of the screen; nil means standard input and output. [New] needs none: it shows no
	// colours then, and has no clipboard.
	Terminal *tty.Terminal

	// onKey is called before each key is handled, and later is tea.Tick where it is nil. Tests let one panic, and let no
	// time pass. profile are the colours that are shown without a terminal.
	onKey   func(key string)
	profile *termenv.Profile
	later   func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
}

// ErrBack is returned when the user has gone back to the list that the session was opened from, ErrInterrupted when the
// user has ended the program by the key Ctrl+C.
var (
	ErrBack        = view.ErrBack
	ErrInterrupted = view.ErrInterrupted
)

// App is the program of a session: a stack whose first view it is.
type App struct {
	*program.Stack
	screen *screen.Screen // the first
}

// program returns the options of the program around the screen.
func (o *Options) program() program.Options {
	return program.Options{
		Terminal: o.Terminal, ASCII: o.ASCII, NoColor: o.NoColor, Light: o.Theme == "light", Colors: o.Colors, NoMouse: o.NoMouse,
		Interrupt: o.Interrupt, Profile: o.profile, Later: o.later,
	}
}

// New returns the program for a session.
func New(session *debug.Session, o Options) *App {
	a := &App{}
	a.Stack = program.New(o.around(session), a.birth(session, o))
	return a
}

// around is program for a session, whose evaluations the program can interrupt.
func (o *Options) around(session *debug.Session) program.Options {
	if o.Interrupt == nil {
		o.Interrupt = &interrupt.Flag{}
		session.SetInterrupt(o.Interrupt.Check)
	}
	return o.program()
}

// birth makes the first view.
func (a *App) birth(session *debug.Session, o Options) func(view.Host) view.View {
	return func(host view.Host) view.View {
		a.screen = screen.New(host, session, o.Options)
		if o.onKey != nil {
			return &keyed{a.screen, o.onKey}
		}
		return a.screen
	}
}

// keyed is a session that reports its keys to a test.
type keyed struct {
	*screen.Screen
	onKey func(key string)
}

// Handle implements [view.View].
func (k *keyed) Handle(press keys.Press) bool {
	k.onKey(press.Name)
	return k.Screen.Handle(press)
}
