//go:build unix

package program_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"asldb/internal/tty"
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
			t.Cleanup(func() { outside.Close() }) // and not the inside: a goroutine of Bubble Tea may outlive Run and ask for the size
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
