//go:build unix

package program

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"

	"asldb/internal/tty"
)

// onTerminal runs a page on a pseudo-terminal, and returns its keyboard and its end, once the page has the terminal's
// size: Bubble Tea asks for that beside the first messages, and writes the variable that is read there when a program
// is in the background meanwhile.
func onTerminal(t *testing.T, ctx context.Context, p *page) (keyboard *os.File, end <-chan error) {
	t.Helper()
	t.Setenv("TERM", "xterm-256color")
	outside, inside, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { outside.Close(); inside.Close() })
	if err := pty.Setsize(outside, &pty.Winsize{Rows: 20, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, outside) }()
	done := make(chan error, 1)
	p.sizes = make(chan int, 8)
	go func() { done <- NewSheet(p, Options{Terminal: tty.Open(inside, inside)}).Run(ctx) }()
	for height := 0; height != 18; height = <-p.sizes {
	}
	return outside, done
}

func wait(t *testing.T, end <-chan error) error {
	t.Helper()
	select {
	case err := <-end:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the screen does not end")
		return nil
	}
}

// The editor has the terminal meanwhile; work and time come back to the page.
func TestRun(t *testing.T) {
	editor, file := filepath.Join(t.TempDir(), "editor"), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho edited > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editor)
	over := errors.New("over")
	p := &page{do: map[string]func(s *Sheet){"e": func(s *Sheet) {
		s.OpenFile(file, 1, 1, func(err error) {
			if err != nil {
				s.End(err)
				return
			}
			s.Go(func(context.Context) func() {
				s.Post(func() { s.Wait(time.Millisecond, func() { s.End(over) }) })
				return nil
			})
		})
	}}}
	keyboard, end := onTerminal(t, t.Context(), p)
	_, _ = keyboard.WriteString("e")
	if err := wait(t, end); !errors.Is(err, over) {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "edited\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// The end of the context ends the screen with its cause, and the work behind it.
func TestTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	begun, ended := make(chan bool), make(chan bool)
	p := &page{do: map[string]func(s *Sheet){"w": func(s *Sheet) {
		s.Go(func(ctx context.Context) func() {
			close(begun)
			<-ctx.Done()
			close(ended)
			return nil
		})
	}}}
	keyboard, end := onTerminal(t, ctx, p)
	_, _ = keyboard.WriteString("w")
	<-begun
	hangup := errors.New("hung up")
	cancel(hangup)
	if err := wait(t, end); !errors.Is(err, hangup) {
		t.Error(err)
	}
	<-ended
}
