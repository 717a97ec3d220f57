// Package tui shows a debug session in a terminal: the view of a session for the program of [program]. It passes keys and
// the mouse to the screen of [screen] and carries out its effects.
package tui

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/internal/tty"
	_ "asldb/tui/darkfirst"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/program"
	"asldb/tui/screen"
	"asldb/tui/view"
)

// Options are those of the screen, and those of the terminal that it is shown on.
type Options struct {
	screen.Options
	// NoColor draws without colours. Plain writes sentences in place of a screen: see [RunPlain].
	NoColor, Plain bool
	// Theme is "dark" (or empty) or "light"; Colors replace the theme's by style.
	Theme  string
	Colors map[canvas.Style]canvas.Colors
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Interrupt is raised to interrupt the session's evaluations, which look at it; nil stands for one that only the
	// App knows.
	Interrupt *interrupt.Flag
	// Terminal is where the screen is; nil means the one of standard input and output. [New] does without: it shows no
	// colours then, and has no clipboard.
	Terminal *tty.Terminal

	// onKey is called before each key is handled, and later is tea.Tick where it is nil. Tests let one panic, and let no
	// time pass. profile are the colours that are shown without a terminal.
	onKey   func(key string)
	profile *termenv.Profile
	later   func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
}

// ErrBack is returned when the user has gone back to the list that the session was opened from.
var ErrBack = errors.New("back to the list")

// ErrInterrupted is returned when the user has ended the program by the key Ctrl+C.
var ErrInterrupted = program.ErrInterrupted

// App is the view of a session.
type App struct {
	*program.Layer
	screen *screen.Screen
	begun  bool
	onKey  func(key string)
}

// New returns the program for a session.
func New(session *debug.Session, o Options) *App {
	if o.Interrupt == nil {
		o.Interrupt = &interrupt.Flag{}
		session.SetInterrupt(o.Interrupt.Check)
	}
	a := &App{onKey: o.onKey, screen: screen.New(session, o.Options, nil)}
	program.New(program.Options{
		Terminal: o.Terminal, ASCII: o.ASCII, NoColor: o.NoColor, Light: o.Theme == "light", Colors: o.Colors, NoMouse: o.NoMouse,
		Interrupt: o.Interrupt, Profile: o.profile, Later: o.later,
	}, func(l *program.Layer) view.View {
		a.Layer = l
		return a
	})
	return a
}

// Begin implements [view.Beginner].
func (a *App) Begin() {
	a.begun = true
	a.carryOut()
}

// Bindings implements [view.View]: the screen looks its actions up by itself.
func (*App) Bindings() view.Bindings { return nil }

// Title implements [view.Titled].
func (a *App) Title() string { return a.screen.Title() }

// Draw implements [view.View].
func (a *App) Draw(f widget.Frame) { a.screen.Draw(f) }

// SetSize implements [view.Sized].
func (a *App) SetSize(w, h int) { a.tell(func() { a.screen.Resize(w, h) }) }

// Writes implements [view.Writer].
func (a *App) Writes() bool { return a.screen.TakesText() }

// Handle implements [view.View]. A key without a name is a signal.
func (a *App) Handle(k keys.Press) bool {
	if k.Action == keys.Suspend && k.Name == "" {
		a.tell(a.screen.Suspend)
		return true
	}
	a.Typed(k)
	return true
}

// Typed implements [view.Typist].
func (a *App) Typed(list ...keys.Press) {
	for _, k := range list {
		if a.onKey != nil {
			a.onKey(k.Name)
		}
	}
	a.tell(func() {
		if len(list) == 1 && list[0].Name == "" {
			a.screen.Paste(list[0].Text)
			return
		}
		a.screen.Press(list...)
	})
}

// Mouse implements [view.Mouser].
func (a *App) Mouse(m view.Mouse) {
	a.tell(func() {
		switch m.Kind {
		case view.Click:
			a.screen.Click(m.X, m.Y)
		case view.Drag:
			a.screen.Drag(m.X, m.Y)
		case view.Release:
			a.screen.Release()
		case view.Wheel:
			a.screen.Wheel(m.X, m.Y, m.Rows)
		}
	})
}

// tell tells the screen something, and carries out the effects.
func (a *App) tell(f func()) {
	if f(); a.begun {
		a.carryOut()
	}
}

// carryOut carries out the effects of the screen.
func (a *App) carryOut() {
	for _, effect := range a.screen.Effects() {
		switch effect := effect.(type) {
		case screen.Interrupt:
			a.End(ErrInterrupted)
		case screen.Quit:
			a.End(nil)
		case screen.Back:
			a.End(ErrBack)
		case screen.Redraw:
			a.Redraw()
		case screen.Copy:
			a.Copy(effect.Text)
		case screen.Edit:
			a.Edit(effect.Text, func(text string, err error) { a.tell(func() { effect.Done(text, err) }) })
		case screen.OpenFile:
			a.OpenFile(effect.Name, effect.Line, effect.Col, func(err error) { a.tell(func() { effect.Done(err) }) })
		case screen.Suspend:
			a.Suspend(a.screen.Warn)
		default:
			a.work(effect)
		}
	}
}

// checkAfter is the time after which a definition is checked: the first frame of a large one comes before.
const checkAfter = 30 * time.Millisecond

// work carries out an effect that is work behind the screen, or a look at it after a time.
func (a *App) work(effect screen.Effect) {
	switch effect := effect.(type) {
	case screen.Advance:
		a.behind(func() func() { return a.screen.Advance })
	case screen.AwaitCalls:
		a.behind(func() func() {
			_ = effect.Calls.Wait(context.Background()) // it ends with the calls, at the latest when they are closed
			return func() { a.screen.Called(effect.Calls) }
		})
	case screen.Check:
		a.After(checkAfter, func(time.Time) {
			a.behind(func() func() {
				problems := effect.Find()
				return func() { a.screen.Checked(problems) }
			})
		})
	case screen.Open:
		a.behind(func() func() {
			opened := effect.Do()
			return func() { a.screen.Opened(opened) }
		})
	case screen.Tick:
		a.After(effect.After, func(at time.Time) { a.tell(func() { a.screen.Tick(at, effect.Generation) }) })
	case screen.OpenTick:
		a.After(effect.After, func(time.Time) { a.tell(a.screen.OpenTick) })
	case screen.CallTick:
		a.After(effect.After, func(time.Time) { a.tell(a.screen.CallTick) })
	case screen.Extend:
		a.After(effect.After, func(time.Time) {
			a.behind(func() func() {
				extended := effect.Do()
				return func() { a.screen.Extended(extended) }
			})
		})
	case screen.Watch:
		a.After(effect.After, func(time.Time) {
			a.behind(func() func() {
				name := effect.Look()
				return func() { a.screen.FilesChanged(name) }
			})
		})
	}
}

// behind runs work behind the screen, and tells the screen its result.
func (a *App) behind(work func() (told func())) {
	a.Go(func(context.Context) func() {
		told := work()
		return func() { a.tell(told) }
	})
}

// Frame returns the screen as plain text: h lines of w cells.
func (a *App) Frame() string { return a.Text() }
