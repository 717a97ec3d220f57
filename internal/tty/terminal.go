// Package tty is the terminal that a program draws on: the colours that it shows, whether its background is
// light, the order of output, its owner meanwhile, and its restoration.
package tty

import (
	"os"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"
)

// Terminal is a terminal by the two files that lead to it.
type Terminal struct {
	in, out *os.File
	found   atomic.Pointer[term.State] // the mode of in outside of the screen; nil where it isn't a terminal
	input   *Input
	output  *Output
	// Lending is called when another program gets the terminal, and the function that it returns when that program has
	// ended: the signals that keys send are meant for that program. It may be nil.
	Lending func() (back func())
}

// OpenKeyboard opens the terminal of this process for its keys, where standard input is something else.
func OpenKeyboard() (*os.File, error) { return os.OpenFile(keyboardName, os.O_RDWR, 0) }

// Open takes in and out for a terminal and notes the mode that it is in. Nothing is written or changed.
func Open(in, out *os.File) *Terminal {
	t := &Terminal{in: in, out: out, input: NewInput(in), output: &Output{file: out, fd: out.Fd(), cells: newCells()}}
	t.note()
	return t
}

// note takes the mode that the terminal is in now for the one to put back.
func (t *Terminal) note() {
	if state, err := term.GetState(t.in.Fd()); err == nil {
		t.found.Store(state)
	}
}

// Input returns the reader of the keyboard, without late answers of the terminal.
func (t *Terminal) Input() *Input { return t.input }

// Output returns the writer through which everything is drawn.
func (t *Terminal) Output() *Output { return t.output }

// Profile returns the colours that the terminal shows, from its kind and the environment: none for TERM=dumb, with
// NO_COLOR, and where it isn't a terminal.
func (t *Terminal) Profile() termenv.Profile { return profile(t.out, environment{}) }

// environment is the environment of the process, as termenv wants it.
type environment struct{}

// Environ implements termenv.Environ.
func (environment) Environ() []string { return os.Environ() }

// Getenv implements termenv.Environ.
func (environment) Getenv(name string) string { return os.Getenv(name) }

// profile asks termenv about a file. That it is a terminal is found out here: termenv takes none for one where the
// variable CI is set.
func profile(out *os.File, env termenv.Environ) termenv.Profile {
	if !term.IsTerminal(out.Fd()) || env.Getenv("TERM") == "dumb" || !sequences(out) {
		return termenv.Ascii
	}
	return termenv.NewOutput(out, termenv.WithEnvironment(env), termenv.WithTTY(true)).EnvColorProfile()
}

// Lend gives the terminal to another program while f runs. It must not be in use by this one: its mode is that in which
// it was found, and the mode that f leaves becomes that mode afterwards.
func (t *Terminal) Lend(f func(in, out *os.File) error) error {
	if t.Lending != nil {
		defer t.Lending()()
	}
	defer t.note()
	return f(t.in, t.out)
}

// Guard lends the terminal to a program that may leave it in another mode, and puts that back.
func (t *Terminal) Guard(f func(in, out *os.File) error) error {
	return t.Lend(func(in, out *os.File) error {
		if state, err := term.GetState(in.Fd()); err == nil {
			defer func() { _ = term.Restore(in.Fd(), state) }() // it may be gone
		}
		return f(in, out)
	})
}

// The sequences that end everything a screen switches on: the ways to report the mouse, the focus and pastes; the
// hidden cursor, colours, and the alternate screen.
const leave = "\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m\x1b[?1049l"

// resetWait bounds how long Reset waits for a terminal that takes nothing in.
const resetWait = 500 * time.Millisecond

// blockedAfter is how long a write lasts before the terminal counts as one that takes nothing in.
const blockedAfter = 100 * time.Millisecond

// Unblock drops output for a terminal that does not read (its output is stopped, or the other end does not read),
// so that a screen can end. Where the terminal takes its input, it does nothing.
func (t *Terminal) Unblock() {
	if t.output.blocked(blockedAfter) {
		discard(t.out)
	}
}

// Reset puts the terminal back as it was found, whatever is going on, and lets nothing more be written to it. It is for
// a program that must end while something else still uses the screen.
func (t *Terminal) Reset() {
	if found := t.found.Load(); found != nil {
		_ = term.Restore(t.in.Fd(), found) // it may be gone
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.output.end(leave)
	}()
	select {
	case <-done:
	case <-time.After(resetWait):
	}
}
