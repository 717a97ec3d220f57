//go:build unix

package tui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"asldb/engine/debug"
	"asldb/internal/tty"
	"asldb/tui/keys"
	"asldb/tui/screen"
	"github.com/creack/pty"
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
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		g.mutex.Lock()
		found := bytes.Contains(g.shown.Bytes(), []byte(text))
		shown := g.shown.String()
		g.mutex.Unlock()
		if found {
			return
		}
		if time.Now().After(until) {
			g.t.Fatalf("after %q the terminal does not get %q, but %q", keys, text, shown)
		}
	}
}

// TestRunOnATerminal runs the program in a terminal of its own: keys, the mouse, an editor, and the end.
func TestRunOnATerminal(t *testing.T) {
	outside, inside, err := pty.Open()
	if err != nil {
		t.Skip("there is no pseudo-terminal: ", err)
	}
	defer outside.Close()
	defer inside.Close()
	if err := pty.Setsize(inside, &pty.Winsize{Rows: 34, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '{\"edited\": true}' > \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", program)
	t.Setenv("TERM", "xterm-256color")
	run := order(t)
	if _, err := run.Do(debug.Command{Kind: debug.StepStage}); err != nil {
		t.Fatal(err)
	}
	g := &glass{t: t, end: outside}
	go g.read()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(context.Background(), run, Options{Options: screen.Options{Title: "order"}, Terminal: tty.Open(inside, inside)})
	}()
	g.types("", "order")
	table := keys.Default()
	g.types(table.Key(keys.EditData), "Edit the data")
	g.types("\x18", "edited") // ctrl+x: the editor has replaced the text
	g.types("\x13", "dited")  // ctrl+s applies it
	g.types("\x1b[<64;20;10M\x1b[<65;20;10M\x1b[<0;20;10M\x1b[<32;21;10M\x1b[<0;21;10m"+table.Key(keys.Help), "Go forward")
	g.types("\x1b", "\x1b[") // the help goes
	if _, err := outside.WriteString("\x03"); err != nil {
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
			_, _ = outside.WriteString("\x03")
		case <-until:
			t.Fatal("the program does not end")
		}
	}
}
