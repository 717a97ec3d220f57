// Package tui shows a debug session in a terminal: a Bubble Tea program around the screen of [screen]. It passes keys
// and the mouse to the screen and carries out its effects.
package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/source"
	"asldb/internal/tty"
	"asldb/internal/wording"
	_ "asldb/tui/darkfirst"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/screen"
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

	// onKey is called before each key is handled. Tests let it panic.
	onKey func(key string)
}

// ErrBack is returned when the user has gone back to the list that the session was opened from.
var ErrBack = errors.New("back to the list")

// ErrInterrupted is returned when the user has ended the program by the key Ctrl+C.
var ErrInterrupted = tea.ErrInterrupted

// App is the program: a tea.Model.
type App struct {
	screen   *screen.Screen
	ctx      context.Context // of [Run]
	terminal *tty.Terminal   // nil where there is none
	out      io.Writer       // of the terminal
	suspends tty.Suspensions
	onKey    func(key string)
	// later is tea.Tick. Tests let no time pass.
	later    func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
	hasMouse bool
	left     bool // for the list that the session was opened from
	flag     *interrupt.Flag
	// patience is how long Update waits until a message has been handled; 0: to the end.
	patience time.Duration
	busy     *busy        // the message that is being handled; nil: none
	frame    screen.Still // the newest frame; empty where it is out of date
}

var _ tea.Model = (*App)(nil)

// New returns the program for a session.
func New(session *debug.Session, o Options) *App {
	flag := o.flagOf(session.SetInterrupt)
	a := &App{ctx: context.Background(), flag: flag, terminal: o.Terminal, out: io.Discard, onKey: o.onKey, later: tea.Tick, hasMouse: !o.NoMouse}
	colors := termenv.Ascii
	if o.Terminal != nil {
		a.out, colors = o.Terminal.Output(), o.Terminal.Profile()
	}
	a.screen = screen.New(session, o.Options, canvas.NewTheme(canvas.Options{Light: o.Theme == "light", Colors: o.Colors, NoColor: o.NoColor, Profile: colors}))
	return a
}

// The messages that follow from effects.
type (
	advanceMsg  struct{}
	calledMsg   struct{ of screen.Calls }
	callTickMsg struct{}
	checkedMsg  struct{ problems []source.Diagnostic }
	openedMsg   struct{ opened screen.Opened }
	openTickMsg struct{}
	extendedMsg struct{ extended screen.Extended }
	watchedMsg  struct{ name string }
	suspendMsg  struct{} // by the signal
	tickMsg     struct {
		at         time.Time
		generation int
	}
)

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	a.setWindowTitle()
	return nil
}

// setWindowTitle sets the title of the terminal's window. Bubble Tea would write it beside its renderer, without the
// renderer's lock.
func (a *App) setWindowTitle() {
	title := ansi.SetWindowTitle("asldb " + wording.Line(a.screen.Title()))
	_, _ = io.WriteString(a.out, title) // a terminal that is gone has no title
}

// Update implements tea.Model. It only passes messages on.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.busy != nil {
		return a, a.whileBusy(msg)
	}
	switch msg.(type) {
	case doneMsg, busyTickMsg: // of a message that has been handled
		return a, nil
	}
	return a, a.do(func() tea.Cmd { return a.update(msg) })
}

// update handles a message.
func (a *App) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if a.terminal != nil {
			a.terminal.Output().Forget() // the terminal has wrapped or cut the frame
		}
		a.screen.Resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		a.press(msg)
	case tea.MouseMsg:
		a.mouse(msg)
	case backMsg:
		again := a.back(msg)
		return tea.Batch(again, a.commands())
	case suspendMsg:
		a.screen.Suspend()
	case advanceMsg:
		a.screen.Advance()
	case calledMsg:
		a.screen.Called(msg.of)
	case callTickMsg:
		a.screen.CallTick()
	case checkedMsg:
		a.screen.Checked(msg.problems)
	case openedMsg:
		a.screen.Opened(msg.opened)
	case openTickMsg:
		a.screen.OpenTick()
	case extendedMsg:
		a.screen.Extended(msg.extended)
	case watchedMsg:
		a.screen.FilesChanged(msg.name)
	case tickMsg:
		a.screen.Tick(msg.at, msg.generation)
	}
	return a.commands()
}

func (a *App) press(msg tea.KeyMsg) {
	if a.screen.TakesText() && msg.Type == tea.KeyRunes && !msg.Alt && len(msg.Runes) > 1 {
		// A paste without brackets, or quick typing: text, even where it is the name of a key.
		a.screen.Paste(string(msg.Runes))
		return
	}
	var list []keys.Press
	for _, key := range split(msg) {
		if a.onKey != nil {
			a.onKey(key.String())
		}
		k := keys.Press{Name: key.String()}
		if (key.Type == tea.KeyRunes || key.Type == tea.KeySpace) && !key.Alt {
			k.Text = string(key.Runes)
		}
		list = append(list, k)
	}
	a.screen.Press(list...)
}

// View implements tea.Model: a frame of exactly the terminal's size.
func (a *App) View() string {
	switch {
	case a.busy != nil:
		return a.busyFrame(a.busy)
	case a.frame.Empty():
		a.frame = a.screen.Still()
	}
	return a.frame.Text
}

// split divides a message of several keys: Bubble Tea joins keys that are pressed quickly one after the other. A pasted
// text stays whole.
func split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	keys := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		keys[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		if r == ' ' {
			keys[i].Type = tea.KeySpace
		}
	}
	return keys
}

// wheelRows is the number of rows that one notch of the wheel scrolls.
const wheelRows = 3

func (a *App) mouse(msg tea.MouseMsg) {
	switch {
	case msg.Action == tea.MouseActionMotion:
		a.screen.Drag(msg.X, msg.Y)
	case msg.Action == tea.MouseActionRelease:
		a.screen.Release()
	case msg.Button == tea.MouseButtonWheelUp:
		a.screen.Wheel(msg.X, msg.Y, -wheelRows)
	case msg.Button == tea.MouseButtonWheelDown:
		a.screen.Wheel(msg.X, msg.Y, wheelRows)
	case msg.Button == tea.MouseButtonLeft:
		a.screen.Click(msg.X, msg.Y)
	}
}

// commands returns the commands that carry out the effects of the screen.
func (a *App) commands() tea.Cmd {
	var list []tea.Cmd
	for _, effect := range a.screen.Effects() {
		if command := a.command(effect); command != nil {
			list = append(list, command)
		}
	}
	return tea.Batch(list...)
}

// command returns the command that carries out an effect, or nil where that has been done.
func (a *App) command(effect screen.Effect) tea.Cmd {
	switch effect := effect.(type) {
	case screen.Interrupt:
		return tea.Interrupt
	case screen.Quit:
		return tea.Quit
	case screen.Back:
		a.left = true
		return tea.Quit
	case screen.Advance:
		return func() tea.Msg { return advanceMsg{} }
	case screen.Tick:
		return a.later(effect.After, func(at time.Time) tea.Msg { return tickMsg{at, effect.Generation} })
	case screen.AwaitCalls:
		return func() tea.Msg {
			_ = effect.Calls.Wait(context.Background()) // it ends with the calls, at the latest when they are closed
			return calledMsg{effect.Calls}
		}
	case screen.Check:
		return func() tea.Msg { return checkedMsg{effect.Find()} }
	case screen.Open:
		return func() tea.Msg { return openedMsg{effect.Do()} }
	case screen.OpenTick:
		return a.later(effect.After, func(time.Time) tea.Msg { return openTickMsg{} })
	case screen.Extend:
		return a.later(effect.After, func(time.Time) tea.Msg { return extendedMsg{effect.Do()} })
	case screen.Watch:
		return a.later(effect.After, func(time.Time) tea.Msg { return watchedMsg{effect.Look()} })
	case screen.CallTick:
		return a.later(effect.After, func(time.Time) tea.Msg { return callTickMsg{} })
	case screen.Redraw:
		return tea.ClearScreen
	case screen.Copy:
		a.copy(effect.Text)
	case screen.Edit:
		return a.edit(effect)
	case screen.OpenFile:
		return a.standAside(a.terminal.Guard, func(in, out *os.File) error {
			return tty.OpenEditor(a.ctx, effect.Name, effect.Line, effect.Col, in, out)
		}, effect.Done)
	case screen.Suspend:
		return a.suspend()
	}
	return nil
}

// suspend stops the program where a shell can continue it.
func (a *App) suspend() tea.Cmd {
	if !tty.CanSuspend() {
		a.screen.Warn("No shell has started asldb that could let it go on: it is not stopped.")
		return nil
	}
	return a.standAside(a.terminal.Lend, func(_, _ *os.File) error { return tty.Suspend() }, func(error) {})
}

// edit opens a text in the user's editor.
func (a *App) edit(e screen.Edit) tea.Cmd {
	var text string
	return a.standAside(a.terminal.Guard, func(in, out *os.File) (err error) {
		text, err = tty.Edit(a.ctx, e.Text, in, out)
		return err
	}, func(err error) { e.Done(text, err) })
}

// copy puts a text on the terminal's clipboard (OSC 52). It is written here and now: later the terminal may be another
// program's, or the screen be over.
func (a *App) copy(text string) {
	_, _ = io.WriteString(a.out, osc52.New(text).String()) // a terminal that is gone has no clipboard
}

// Frame returns the screen as plain text: h lines of w cells.
func (a *App) Frame() string { return a.screen.Text() }
