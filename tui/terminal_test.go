//go:build unix

package tui

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"asldb/engine/debug"
	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/screen"
)

// glass is the other side of a terminal: it collects the output, in which a test looks for texts.
type glass struct {
	t     *testing.T
	end   *os.File
	mutex sync.Mutex
	shown bytes.Buffer
}

func (g *glass) read() {
	chunk := make([]byte, 1<<16)
	for {
		n, err := g.end.Read(chunk)
		g.mutex.Lock()
		g.shown.Write(chunk[:n])
		g.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// types writes keys, and waits until the terminal gets the text after them.
func (g *glass) types(keys, text string) {
	g.t.Helper()
	g.mutex.Lock()
	g.shown.Reset()
	g.mutex.Unlock()
	if _, err := g.end.WriteString(keys); err != nil {
		g.t.Fatal(err)
	}
	g.waits(text)
}

// waits waits until the terminal has got a text since the last keys.
func (g *glass) waits(text string) {
	g.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		g.mutex.Lock()
		found := bytes.Contains(g.shown.Bytes(), []byte(text))
		shown := g.shown.String()
		g.mutex.Unlock()
		if found {
			return
		}
		if time.Now().After(until) {
			g.t.Fatalf("the terminal does not get %q, but %q", text, shown)
		}
	}
}

// newGlass opens a terminal, and the program gets the inside.
func newGlass(t *testing.T) (g *glass, inside *os.File) {
	t.Helper()
	outside, inside, err := pty.Open()
	if err != nil {
		t.Skip("there is no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { outside.Close(); inside.Close() })
	if err := pty.Setsize(inside, &pty.Winsize{Rows: 34, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERM", "xterm-256color")
	g = &glass{t: t, end: outside}
	go g.read()
	return g, inside
}

// TestRunOnATerminal runs the program in its own terminal: keys, the mouse, an editor, and the end.
func TestRunOnATerminal(t *testing.T) {
	program := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '{\"edited\": true}' > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", program)
	g, inside := newGlass(t)
	run := order(t)
	if _, err := run.Do(debug.Command{Kind: debug.StepStage}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(context.Background(), run, Options{Options: screen.Options{Title: "order"}, Terminal: tty.Open(inside, inside)})
	}()
	g.types("", "order")
	table := keys.Default()
	g.types(table.Key(keys.EditData), "Edit the data")
	g.types("\x18", "edited") // ctrl+x: the editor has replaced the text
	g.types("\x13", "dited")  // ctrl+s applies it
	g.types("\x1b[<64;20;10M\x1b[<65;20;10M\x1b[<0;20;10M\x1b[<32;21;10M\x1b[<0;21;10m"+table.Key(keys.Help), "type to filter")
	g.types("\x1b", "\x1b[") // the help goes
	if _, err := g.end.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	for until := time.After(patience); ; {
		select {
		case err := <-ended:
			if err != nil && err != ErrInterrupted {
				t.Errorf("the program ended with %v", err)
			}
			return
		case <-time.After(200 * time.Millisecond): // a question may have come up
			_, _ = g.end.WriteString("\x03")
		case <-until:
			t.Fatal("the program does not end")
		}
	}
}

// TestTheContextEnds ends the program by its context, while the reader of keys is at work: the cause comes back, and the terminal is as
// it was.
func TestTheContextEnds(t *testing.T) {
	g, inside := newGlass(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, order(t), Options{Options: screen.Options{Title: "order"}, Terminal: tty.Open(inside, inside)})
	}()
	g.types("", "order")
	g.types("i", "The execution begins with this input.")
	hangup := errors.New("hung up")
	cancel(hangup)
	select {
	case err := <-ended:
		if !errors.Is(err, hangup) {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	g.waits("\x1b[?1049l")
}
