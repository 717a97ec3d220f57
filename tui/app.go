// Package tui is the screen: a Bubble Tea program over a debug session. Only the files app*.go know
// Bubble Tea; the panes are plain structs that take actions and paint themselves on a canvas, and none
// of them knows how a state is interpreted.
package tui

import (
	"context"
	"io"
	"time"

	"asldb/engine/debug"
	"asldb/engine/interrupt"
	"asldb/engine/source"
	"asldb/internal/tty"
	"asldb/internal/visible"
	_ "asldb/tui/darkfirst"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
	"asldb/tui/part/theme"
	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// Options say how the screen looks and where it is.
type Options struct {
	// Title stands at the beginning of the status line: the definition's name.
	Title string
	// About are sentences that are shown before the run begins: where it comes from, say.
	About []string
	// ASCII draws with nothing but ASCII, NoColor without colours.
	ASCII, NoColor bool
	// Theme is "dark" (or empty) or "light"; Colors replace the theme's by style.
	Theme  string
	Colors map[canvas.Style]theme.Colors
	// Table has the keys of every action; nil is the usual one.
	Table *keys.Map
	// Arrangement is how the screen is arranged at first.
	Arrangement Arrangement
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Notice returns what the person is to be told beside the run, empty where there is nothing; it is asked
	// whenever the run has gone on. It may be nil.
	Notice func() string
	// Notes are said in the bottom line when the screen opens.
	Notes []string
	// Interrupt is raised to interrupt the session's evaluations, which look at it; nil stands for one that only the App
	// knows.
	Interrupt *interrupt.Flag
	// Calls are what the session's source calls outside; nil: nothing.
	Calls Calls
	// Unused says, a line for each, what the run did not use of its fixtures; nil: there are none.
	Unused func() []string
	// Nested sets in an execution that a task starts what was kept for its definition, and returns what saves it; nil
	// keeps nothing.
	Nested func(file string, session *debug.Session) Keeper
	// Recorded is a recorded run that this one is held against, event by event; nil: there is none.
	Recorded *Recorded
	// Problems are the warnings about the definition: the source view shows them at their places.
	Problems []source.Diagnostic
	// Save writes a new file for the person: it must not be there yet. Nil means that nothing can be saved.
	Save func(name string, data []byte) error
	// Keeper saves breakpoints and watches whenever they change; nil keeps nothing.
	Keeper Keeper
	// History is what was typed into the prompts in earlier sessions: see [Kept].
	History map[string][]string
	// Terminal is where the screen is; nil means the one of standard input and output. [New] does without: it shows no
	// colours then, and has no clipboard.
	Terminal *tty.Terminal
	points   *nestedPoints // those of the screen below; nil: there is none
	// onKey is called before each key is handled. Tests let it panic.
	onKey func(key string)
}

// Arrangement is how the screen is arranged at first. Widths and heights are in percent of what they divide, 0 being
// the usual; a word that is empty is the usual, too.
type Arrangement struct {
	GraphWidth, LowerHeight, SideWidth int
	// Density is boxes, chips or rail; View diff, side, before or after; Focus data, graph, events or side.
	Density, View, Focus string
}

// ErrInterrupted says that the person ended the program by the key Ctrl+C.
var ErrInterrupted = tea.ErrInterrupted

// App is the program: a tea.Model.
type App struct {
	ui       *ui
	ctx      context.Context // of [Run]
	terminal *tty.Terminal   // nil where there is none
	out      io.Writer       // of the terminal
	suspends suspends
	onKey    func(key string)
	// later is tea.Tick. Tests let no time pass.
	later    func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
	fault    *PanicError // set when something has panicked; nothing is called any more then
	hasMouse bool
	flag     *interrupt.Flag
	// patience is how long Update waits for what a message brings about; 0: to its end, however long that is.
	patience time.Duration
	busy     *busy // what goes on; nil: nothing does
	frame    shown
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
	a.ui = newUI(session, o, theme.New(theme.Options{Light: o.Theme == "light", Colors: o.Colors, NoColor: o.NoColor, Profile: colors}))
	return a
}

// advanceMsg lets a command go on, tickMsg lets a paced clock go on.
type (
	advanceMsg  struct{}
	calledMsg   struct{ of Calls } // something has come of one of them
	callTickMsg struct{}
	tickMsg     struct {
		at         time.Time
		generation int
	}
)

// Init implements tea.Model.
func (a *App) Init() tea.Cmd { return a.windowTitle() }

func (a *App) windowTitle() tea.Cmd {
	return tea.SetWindowTitle("asldb " + visible.Line(a.ui.root().title))
}

// Update implements tea.Model. It only passes messages on.
func (a *App) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	if a.fault != nil {
		return a, tea.Quit
	}
	defer func() {
		if a.caught(recover()) {
			model, cmd = a, tea.Quit
		}
	}()
	if a.busy != nil {
		return a, a.whileBusy(msg)
	}
	switch msg.(type) {
	case doneMsg, busyTickMsg: // of what is over
		return a, nil
	}
	return a, a.do(func() tea.Cmd { return a.update(msg) })
}

// update does what a message brings about.
func (a *App) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.ui.resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		a.press(msg)
	case tea.MouseMsg:
		a.mouse(msg)
	case faultMsg:
		panic(msg.fault)
	case backMsg:
		again := a.back(msg)
		return tea.Batch(again, a.commands())
	case suspendMsg:
		a.ui.effects.suspend = true
	case advanceMsg:
		a.ui.advance()
	case calledMsg:
		for u := a.ui; u != nil; u = u.nest.outer {
			if u.live.calls == msg.of {
				u.called()
			}
		}
	case callTickMsg:
		a.ui.callTick()
	case tickMsg:
		a.ui.tick(msg.at, msg.generation)
	}
	return a.commands()
}

// suspend stops the program where there is a shell to come back from.
func (a *App) suspend() tea.Cmd {
	if !hasShell() {
		a.ui.say(theme.Warn, "No shell has started asldb that could let it go on: it is not stopped.")
		return nil
	}
	return a.standAside(a.terminal.Lend, standStill, func(error) {})
}

func (a *App) press(msg tea.KeyMsg) {
	if d := a.ui.dialog; d != nil && d.Mode().Writes() && msg.Type == tea.KeyRunes && !msg.Alt && len(msg.Runes) > 1 {
		// A paste without brackets, or quick typing: text, whatever word it happens to be.
		a.ui.handle(keys.Press{Text: string(msg.Runes), Msg: msg})
		return
	}
	asked := a.ui.asked
	for _, key := range split(msg) {
		if a.onKey != nil {
			a.onKey(key.String())
		}
		k := keys.Press{Name: key.String(), Action: a.ui.keys.Lookup(key.String()), Msg: key}
		if (key.Type == tea.KeyRunes || key.Type == tea.KeySpace) && !key.Alt {
			k.Text = string(key.Runes)
		}
		before := a.ui
		a.ui.handle(k)
		a.follow()
		if a.ui == before && a.ui.asked != asked || a.ui != before && a.ui.dialog != nil {
			return // a question has come up: the keys behind were meant for stepping and are no answer
		}
		asked = a.ui.asked
	}
}

// View implements tea.Model: a frame of exactly the terminal's size.
func (a *App) View() (frame string) {
	if a.fault != nil {
		return ""
	}
	defer func() {
		if a.caught(recover()) {
			frame = ""
		}
	}()
	switch {
	case a.busy != nil:
		return a.busyFrame(a.busy)
	case !a.frame.drawn:
		a.frame.take(a.ui, a.ui.frame())
	}
	return a.frame.text
}

// split takes apart what Bubble Tea runs together: keys pressed quickly one after the other arrive as
// one message. What was pasted stays whole.
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

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

func (a *App) mouse(msg tea.MouseMsg) {
	switch {
	case msg.Action == tea.MouseActionMotion:
		a.ui.drag(msg.X, msg.Y)
	case msg.Action == tea.MouseActionRelease:
		a.ui.release()
	case msg.Button == tea.MouseButtonWheelUp:
		a.ui.wheel(msg.X, msg.Y, -wheelRows)
	case msg.Button == tea.MouseButtonWheelDown:
		a.ui.wheel(msg.X, msg.Y, wheelRows)
	case msg.Button == tea.MouseButtonLeft:
		a.ui.click(msg.X, msg.Y)
	}
}

// commands turns what the screens ask for into Bubble Tea's commands.
func (a *App) commands() tea.Cmd {
	a.follow()
	var list []tea.Cmd
	for u := a.ui; u != nil; u = u.nest.outer {
		list = append(list, a.commandsOf(u))
	}
	return tea.Batch(list...)
}

// follow goes to the screen that is to be shown in place of this one.
func (a *App) follow() {
	for a.ui.effects.screen != nil {
		next := a.ui.effects.screen
		a.ui.effects.screen = nil
		a.ui = next
	}
}

// commandsOf turns what a screen asks for into Bubble Tea's commands.
func (a *App) commandsOf(u *ui) tea.Cmd {
	want := u.effects
	u.effects = effects{}
	var list []tea.Cmd
	switch {
	case want.interrupt:
		return tea.Interrupt
	case want.quit:
		return tea.Quit
	}
	if want.advance {
		list = append(list, func() tea.Msg { return advanceMsg{} })
	}
	if want.tick {
		generation := u.ticks
		list = append(list, a.later(tickEvery, func(at time.Time) tea.Msg { return tickMsg{at, generation} }))
	}
	if want.calls {
		calls := u.live.calls
		list = append(list, guard(func() tea.Msg {
			_ = calls.Wait(context.Background()) // it ends with the calls, at the latest when they are closed
			return calledMsg{calls}
		}))
	}
	if want.callTick {
		list = append(list, a.later(callsEvery, func(time.Time) tea.Msg { return callTickMsg{} }))
	}
	if want.redraw {
		list = append(list, tea.ClearScreen)
	}
	if want.copy != "" {
		a.copy(want.copy)
	}
	if want.external != nil {
		list = append(list, a.openExternal(want.external))
	}
	if want.suspend {
		list = append(list, a.suspend())
	}
	return tea.Batch(list...)
}

// copy puts a text on the terminal's clipboard (OSC 52). It is written here and now: later the terminal may be another
// program's, or the screen be over.
func (a *App) copy(text string) {
	_, _ = io.WriteString(a.out, osc52.New(text).String()) // a terminal that is gone has no clipboard
}

// Frame returns what is on the screen as plain text: h lines of w cells.
func (a *App) Frame() string {
	a.ui.paint()
	return a.ui.canvas.String()
}
