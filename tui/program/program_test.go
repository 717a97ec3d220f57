//go:build unix

package program_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"asldb/internal/tty"
	"asldb/internal/work"
	"asldb/tui/program"
)

// model ends by keys and messages, and notes when it is ready and the last key.
type model struct {
	ready chan<- struct{}
	last  string
}

type ending struct{ cmd tea.Cmd }

func (m *model) Init() tea.Cmd {
	return func() tea.Msg { close(m.ready); return nil }
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m.last = msg.String()
		if m.last == "ctrl+c" {
			return m, tea.Interrupt
		}
	case ending:
		return m, msg.cmd
	}
	return m, nil
}

func (m *model) View() string { return m.last }

var errStillReading = errors.New("the reader of keys is still at work")

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	text := make([]byte, 1<<20)
	return text[:runtime.Stack(text, true)]
}

// A program ends by its context, by an interruption and by a message, each and its reader of keys with it.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(keyboard *os.File, p *program.Program, cancel context.CancelFunc)
		want error
	}{
		"context": {func(_ *os.File, _ *program.Program, cancel context.CancelFunc) { cancel() }, nil},
		"interrupt": {func(keyboard *os.File, _ *program.Program, _ context.CancelFunc) {
			_, _ = keyboard.WriteString("a\x03")
		}, tea.ErrInterrupted},
		"message": {func(_ *os.File, p *program.Program, _ context.CancelFunc) { p.Send(ending{tea.Quit}) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			outside, inside, err := pty.Open()
			if err != nil {
				t.Skip("there is no pseudo-terminal: ", err)
			}
			defer outside.Close()
			defer inside.Close()
			go func() { _, _ = io.Copy(io.Discard, outside) }()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ready := make(chan struct{})
			m := &model{ready: ready}
			p := program.New(m, tty.Open(inside, inside))
			done := make(chan error, 1)
			go func() {
				_, err := p.Run(ctx)
				if bytes.Contains(stacks(), []byte("bubbletea.readAnsiInputs")) {
					err = errors.Join(err, errStillReading)
				}
				done <- err
			}()
			<-ready
			c.end(outside, p, cancel)
			select {
			case err := <-done:
				if !errors.Is(err, c.want) || errors.Is(err, errStillReading) {
					t.Errorf("it ended with %v", err)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it does not end")
			}
			p.Send(ending{tea.Quit}) // after the end it does nothing
		})
	}
}

// faulty has a fault where its key says, once it knows the size: Bubble Tea asks for that beside the first messages, and
// a program that stands aside meanwhile writes the variable that is read there.
type faulty struct {
	key          string
	sized, drawn bool
}

func (f *faulty) Init() tea.Cmd { return nil }

func (f *faulty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	fails := func() tea.Msg { panic("by the test") }
	switch msg := msg.(type) {
	case tea.KeyMsg:
		f.key = msg.String()
	case tea.WindowSizeMsg:
		f.sized = true
	}
	if !f.sized {
		return f, nil
	}
	key := f.key
	f.key = ""
	switch key {
	case "u":
		panic("by the test")
	case "v":
		f.drawn = true
	case "c":
		return f, fails
	case "b":
		return f, tea.Batch(fails, func() tea.Msg { return nil })
	case "s":
		return f, tea.Sequence(func() tea.Msg { return nil }, tea.Batch(fails, fails))
	case "a":
		return f, program.StandAside(&tty.Suspensions{}, func() error { panic("by the test") }, func(error) tea.Msg { return nil })
	}
	return f, nil
}

func (f *faulty) View() string {
	if f.drawn {
		panic("by the test")
	}
	return "READY"
}

// A fault ends the program wherever it happens, and nothing but the screen is written to the terminal.
func TestFaultsEndTheProgram(t *testing.T) {
	for _, key := range []string{"u", "v", "c", "b", "s", "a"} {
		outside, inside, err := pty.Open()
		if err != nil {
			t.Skip("there is no pseudo-terminal: ", err)
		}
		var seen bytes.Buffer
		read := make(chan struct{})
		go func() { defer close(read); _, _ = io.Copy(&seen, outside) }()
		_, _ = outside.WriteString(key)
		var broken *work.Fault
		if _, err := program.New(&faulty{}, tty.Open(inside, inside)).Run(t.Context()); !errors.As(err, &broken) || broken.Value != "by the test" {
			t.Errorf("%s: it ended with %v", key, err)
		}
		inside.Close()
		<-read
		outside.Close()
		if text := seen.String(); strings.Contains(text, "goroutine") || strings.Contains(text, "by the test") {
			t.Errorf("%s: the terminal has %q", key, text)
		}
	}
}

// sized notes the size that it is told.
type sized struct{ tea.WindowSizeMsg }

func (s *sized) Init() tea.Cmd { return nil }
func (s *sized) View() string  { return "" }

func (s *sized) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.WindowSizeMsg = size
		return s, tea.Quit
	}
	return s, nil
}

// A terminal that does not say its size has the usual one.
func TestATerminalWithoutASize(t *testing.T) {
	for _, size := range []pty.Winsize{{}, {Rows: 50}, {Cols: 120}} {
		outside, inside, err := pty.Open()
		if err != nil {
			t.Skip("there is no pseudo-terminal: ", err)
		}
		defer outside.Close()
		defer inside.Close()
		if err := pty.Setsize(outside, &size); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, outside) }()
		last, err := program.New(&sized{}, tty.Open(inside, inside)).Run(t.Context())
		if got := last.(*sized).WindowSizeMsg; err != nil || got.Width != 80 || got.Height != 24 {
			t.Errorf("%v is taken for %v, %v", size, got, err)
		}
	}
}
