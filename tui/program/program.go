// Package program shows views on a terminal: the one program of Bubble Tea, with a stack of views.
package program

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"asldb/engine/interrupt"
	"asldb/internal/tty"
	"asldb/internal/wording"
	"asldb/internal/work"
	"asldb/tui/part/canvas"
	"asldb/tui/part/widget"
	"asldb/tui/view"
)

// ErrInterrupted is the end of a program that the user has ended by the key Ctrl+C.
var ErrInterrupted = view.ErrInterrupted

// Options are the options of the screen, and its terminal.
type Options struct {
	// Terminal is where the screen is; nil: nowhere, as in tests.
	Terminal *tty.Terminal
	// ASCII draws with nothing but ASCII, NoColor without colours.
	ASCII, NoColor bool
	// Light is for light backgrounds; Colors replace the theme's by style.
	Light  bool
	Colors map[canvas.Style]canvas.Colors
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Profile are the colours that are shown where there is no terminal to ask; nil: none.
	Profile *termenv.Profile
	// Interrupt is raised to interrupt the evaluations of a view, which check it; nil: there are none.
	Interrupt *interrupt.Flag
	// Lend gives an editor a terminal where there is none for the screen; nil: no editor is opened.
	Lend Lending
	// Later is tea.Tick where it is nil. Tests let no time pass.
	Later func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
}

// Stack is the model of the program: views one over the other. The topmost is on the screen and has the keys.
type Stack struct {
	layers   []*Layer
	begun    bool
	w, h     int // of the screen, in cells
	sized    bool
	ctx      context.Context
	terminal *tty.Terminal // nil: there is none
	out      io.Writer     // of the terminal
	program  *tea.Program  // nil without a terminal
	guard    Lending       // gives an editor the terminal
	suspends tty.Suspensions
	commands []tea.Cmd // since they were taken last

	later func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
	// patience is how long Update waits until a message has been handled; 0: to the end.
	patience time.Duration
	busy     *busy  // the message that is being handled; nil: none
	frame    *still // the newest frame; nil where it is out of date
	fault    *work.Fault
	over     bool
	err      error // of the end
	forced   bool  // the user has ended it while a message was being handled
}

// Layer is the place of a view on the stack: the [view.Host] that it is made with.
type Layer struct {
	*Stack
	view       view.View
	appearance *appearance
	ended      func(err error) // nil: nothing follows
	// ctx ends with the layer.
	ctx    context.Context
	cancel context.CancelFunc
}

// appearance is how views are drawn; the flag interrupts their evaluations.
type appearance struct {
	canvas *canvas.Canvas
	theme  *canvas.Theme
	mouse  bool
	flag   *interrupt.Flag
}

func newAppearance(o *Options) *appearance {
	colors := termenv.Ascii
	switch {
	case o.Terminal != nil:
		colors = o.Terminal.Profile()
	case o.Profile != nil:
		colors = *o.Profile
	}
	glyphs := canvas.Unicode()
	if o.ASCII {
		glyphs = canvas.ASCII()
	}
	theme := canvas.NewTheme(canvas.Options{Light: o.Light, Colors: o.Colors, NoColor: o.NoColor, Profile: colors})
	return &appearance{canvas.New(1, 1, glyphs), theme, !o.NoMouse, cmp.Or(o.Interrupt, &interrupt.Flag{})}
}

// New returns a program with one view, of 80 by 24 cells until it knows the size of its terminal.
func New(o Options, birth func(view.Host) view.View) *Stack {
	s := &Stack{
		ctx: context.Background(), w: usualWidth, h: usualHeight,
		out: io.Discard, terminal: o.Terminal, later: tea.Tick,
	}
	if s.guard = o.Lend; s.guard == nil {
		s.guard = NoTerminal
	}
	if o.Terminal != nil {
		s.out, s.guard = o.Terminal.Output(), o.Terminal.Guard
	}
	if o.Later != nil {
		s.later = o.Later
	}
	s.push(newAppearance(&o), birth, nil)
	if s.terminal != nil {
		s.program = tea.NewProgram(s, s.programOptions()...)
	}
	return s
}

func (s *Stack) programOptions() []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(s.terminal.Input()), tea.WithOutput(s.out), tea.WithoutSignalHandler(),
		tea.WithFPS(framesPerSecond)}
	if !s.inline() {
		options = append(options, tea.WithAltScreen())
		if s.layer().appearance.mouse {
			options = append(options, tea.WithMouseCellMotion())
		}
	}
	return options
}

// The size, in cells, of terminals that do not say theirs, such as containers' and serial lines.
const usualWidth, usualHeight = 80, 24

// Push puts a view over the others, with the theme of the topmost. ended, which may be nil, is called with the error of
// its end.
func (s *Stack) Push(birth func(view.Host) view.View, ended func(err error)) {
	s.push(s.layer().appearance, birth, ended)
}

func (s *Stack) push(of *appearance, birth func(view.Host) view.View, ended func(err error)) {
	before := s.mode()
	l := &Layer{Stack: s, appearance: of, ended: ended}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	s.layers = append(s.layers, l)
	l.view = birth(l)
	if s.sized {
		l.resize()
	}
	if s.begun {
		s.begin(l)
		s.shown(before)
	}
}

func (s *Stack) begin(l *Layer) {
	if v, ok := l.view.(view.Beginner); ok {
		v.Begin()
	}
}

// End implements [view.Host]: it ends the view, and those over it. The program ends with the last one.
func (l *Layer) End(err error) {
	s := l.Stack
	i := slices.Index(s.layers, l)
	if i < 0 || s.over {
		return
	}
	before := s.mode()
	for _, above := range s.layers[i:] {
		above.cancel()
	}
	if s.layers = s.layers[:i]; i == 0 {
		s.layers = append(s.layers, l) // its last frame stays
		s.over, s.err = true, err
	}
	s.shown(before)
	if l.ended != nil {
		l.ended(err)
	}
}

// renewed replaces this layer by another one with the same view; its work is discarded.
func (l *Layer) renewed() *Layer {
	l.cancel()
	next := *l
	next.ctx, next.cancel = context.WithCancel(context.Background())
	l.Stack.layers[slices.Index(l.Stack.layers, l)] = &next
	return &next
}

// Over reports whether the program has ended, and with which error.
func (s *Stack) Over() (bool, error) { return s.over, s.err }

// Top is the view on the screen.
func (s *Stack) Top() view.View { return s.layer().view }

func (s *Stack) layer() *Layer { return s.layers[len(s.layers)-1] }

// inline reports whether the view on the screen is below the lines of the terminal.
func (s *Stack) inline() bool { return s.mode().inline }

// mode is how a view has the terminal.
type mode struct{ inline, mouse, titled bool }

func (s *Stack) mode() (m mode) {
	if len(s.layers) == 0 {
		return mode{}
	}
	_, m.inline = s.Top().(view.Inline)
	_, m.titled = s.Top().(view.Titled)
	m.mouse = s.layer().appearance.mouse && !m.inline
	return m
}

// shown switches the modes of the terminal for the view that is on the screen now.
func (s *Stack) shown(was mode) {
	is := s.mode()
	if s.over {
		return
	}
	if was.mouse && !is.mouse {
		s.commands = append(s.commands, tea.DisableMouse)
	}
	if is.inline != was.inline {
		s.commands = append(s.commands, map[bool]tea.Cmd{true: tea.ExitAltScreen, false: tea.EnterAltScreen}[is.inline])
	}
	if is.mouse && !was.mouse {
		s.commands = append(s.commands, tea.EnableMouseCellMotion)
	}
	if was.titled && !is.titled {
		s.write(popTitle + pushTitle)
	}
	s.setTitle()
}

// The terminal keeps its title meanwhile: one sequence puts it away, the other takes it back. Terminals that do not
// know them do nothing.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// setTitle sets the title of the terminal's window, where the view has one. Bubble Tea would write it beside its
// renderer, without the renderer's lock.
func (s *Stack) setTitle() {
	if v, ok := s.Top().(view.Titled); ok {
		s.write(ansi.SetWindowTitle("asldb " + wording.Line(v.Title())))
	}
}

// write writes to the terminal; one that is gone has no title and no clipboard.
func (s *Stack) write(text string) { _, _ = io.WriteString(s.out, text) }

// framesPerSecond is how often Bubble Tea draws a new frame; a key is answered in half of that time on average.
const framesPerSecond = 120

// Run shows the program on its terminal until it ends or ctx is done, and returns the error of the end, a
// [*work.Fault], or the cause of ctx. The terminal is put back as it was. Signals are left to the caller: a context
// that ends with them ends the program.
//
// It always ends by [tea.Quit]: ended in another way, as by its own context or by [tea.Interrupt], Bubble Tea closes
// the reader of keys while that is at work.
func (s *Stack) Run(ctx context.Context) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel() // the work behind the screen
	s.ctx, s.patience = inner, patienceOfRun
	defer context.AfterFunc(ctx, s.program.Quit)()
	s.suspends.Listen(func() { s.program.Send(callMsg{func() { s.Top().Handle(suspendKey) }}) })
	s.write(pushTitle)
	_, err := s.program.Run()
	s.write(popTitle)
	s.suspends.Stop()
	if left := s.Leave(); s.fault == nil {
		s.fault = left
	}
	switch {
	case s.fault != nil:
		return s.fault
	case err != nil:
		return err
	case s.forced:
		return ErrInterrupted
	case s.over:
		return s.err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return nil
}

// Resize sets the size of the screen, in cells.
func (s *Stack) Resize(w, h int) {
	if w < 1 || h < 1 {
		w, h = usualWidth, usualHeight
	}
	s.w, s.h, s.sized = w, h, true
	for _, l := range s.layers {
		l.resize()
	}
}

func (l *Layer) resize() {
	if v, ok := l.view.(view.Sized); ok {
		v.SetSize(l.w, l.h)
	}
}

// Text paints the screen and returns it as plain text.
func (s *Stack) Text() string {
	s.paint()
	return s.layer().appearance.canvas.String()
}

// Styles returns the styles of the frame that was painted last: each letter is a style of the theme.
func (s *Stack) Styles() string { return s.layer().appearance.canvas.Styles() }

func (s *Stack) paint() {
	w, h := s.w, s.h
	if v, ok := s.Top().(view.Inline); ok {
		h = v.Height(w)
	}
	of := s.layer().appearance.canvas
	of.Resize(w, h)
	var spots widget.Spots // views that want the mouse are [view.Mouser]
	s.Top().Draw(spots.Frame(of.Area(canvas.Rect{W: w, H: h}), true))
}

// Glyphs returns the signs of the screen.
func (s *Stack) Glyphs() *canvas.Glyphs {
	return s.layer().appearance.canvas.Area(canvas.Rect{}).Glyphs()
}
