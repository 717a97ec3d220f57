package tty

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/muesli/termenv"
)

// variables are a separate environment.
type variables map[string]string

func (variables) Environ() []string           { return nil }
func (v variables) Getenv(name string) string { return v[name] }

// open returns a pseudo-terminal and the program's side of it.
func open(t *testing.T) (outside, tty *os.File) {
	t.Helper()
	outside, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() {
		_ = outside.Close()
		_ = tty.Close()
	})
	return outside, tty
}

// modeOf is the mode of a terminal.
func modeOf(t *testing.T, file *os.File) *term.State {
	t.Helper()
	state, err := term.GetState(file.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// The variables are those that https://github.com/termstandard/colors, https://no-color.org and
// https://bixense.com/clicolors describe.
func TestProfile(t *testing.T) {
	_, tty := open(t)
	for _, c := range []struct {
		env  variables
		want termenv.Profile
	}{
		{variables{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, termenv.TrueColor},
		{variables{"TERM": "xterm-256color", "COLORTERM": "24bit"}, termenv.TrueColor},
		{variables{"TERM": "xterm-256color"}, termenv.ANSI256},
		{variables{"TERM": "xterm-256color", "CI": "true"}, termenv.ANSI256},
		{variables{"TERM": "xterm"}, termenv.ANSI},
		{variables{"TERM": "dumb"}, termenv.Ascii},
		{variables{"TERM": "dumb", "COLORTERM": "truecolor"}, termenv.Ascii},
		{variables{"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, termenv.Ascii},
		{variables{"TERM": "xterm-256color", "CLICOLOR": "0"}, termenv.Ascii},
		{variables{}, termenv.Ascii},
	} {
		if got := profile(tty, c.env); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	if got := profile(writer, variables{"TERM": "xterm-256color", "COLORTERM": "truecolor"}); got != termenv.Ascii {
		t.Errorf("a pipe shows %v", got)
	}
	t.Setenv("TERM", "dumb")
	if got := Open(tty, tty).Profile(); got != termenv.Ascii {
		t.Errorf("the environment of the process is not heeded: %v", got)
	}
}

// TestWritesStayInOnePiece: from several goroutines and in every way to write, and none after the end.
func TestWritesStayInOnePiece(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	out := Open(writer, writer).Output()
	var got []byte
	var reading, writing sync.WaitGroup
	reading.Go(func() { got, _ = io.ReadAll(reader) })
	const times, size = 50, 100_000 // more than a pipe takes at once
	for i, letter := range []string{"a", "b"} {
		writing.Go(func() {
			text := strings.Repeat(letter, size)
			for range times {
				if i == 0 {
					_, _ = out.Write([]byte(text))
				} else {
					_, _ = io.WriteString(out, text)
				}
			}
		})
	}
	writing.Wait()
	out.end("the end")
	out.end("again")
	if n, err := io.WriteString(out, "late"); n != 4 || err != nil {
		t.Errorf("after the end a write returns %d, %v", n, err)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
	if err := writer.Close(); err != nil {
		t.Errorf("the output closes the terminal's file: %v", err)
	}
	reading.Wait()
	text, ended := strings.CutSuffix(string(got), "the end")
	if !ended || len(text) != 2*times*size {
		t.Fatalf("%d bytes, ended %v", len(text), ended)
	}
	for i := 0; i < len(text); i += size {
		if strings.Trim(text[i:i+size], text[i:i+1]) != "" {
			t.Fatalf("the write at byte %d is not in one piece", i)
		}
	}
}

// TestTheTerminalIsPutBack: by Reset, whatever mode it is in; and to the mode that it had when it was lent.
func TestTheTerminalIsPutBack(t *testing.T) {
	outside, tty := open(t)
	terminal := Open(tty, tty)
	found := modeOf(t, tty)
	lent := 0
	terminal.Lending = func() func() {
		lent++
		return func() { lent-- }
	}
	raw := func(in, _ *os.File) error {
		if lent != 1 {
			t.Error("the terminal is not lent")
		}
		_, err := term.MakeRaw(in.Fd())
		return errors.Join(err, errTest)
	}
	if err := terminal.Guard(raw); !errors.Is(err, errTest) {
		t.Errorf("the error is %v", err)
	}
	if got := modeOf(t, tty); !reflect.DeepEqual(got, found) {
		t.Errorf("after a program that left it raw the mode is %+v, and was %+v", got, found)
	}
	if lent != 0 {
		t.Error("the terminal is still lent")
	}
	if _, err := term.MakeRaw(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	terminal.Reset()
	terminal.Reset()
	if got := modeOf(t, tty); !reflect.DeepEqual(got, found) {
		t.Errorf("the mode is %+v, and was %+v", got, found)
	}
	buffer := make([]byte, 1024)
	n, err := outside.Read(buffer)
	if text := string(buffer[:n]); err != nil || text != leave {
		t.Errorf("it wrote %q, %v", text, err)
	}
	if terminal.Output().Fd() != tty.Fd() {
		t.Error("the output is another file")
	}

	// The mode at the end of a loan is the one that is restored.
	terminal = Open(tty, tty)
	if err := terminal.Lend(func(in, _ *os.File) error {
		_, err := term.MakeRaw(in.Fd())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	left := modeOf(t, tty)
	if err := term.Restore(tty.Fd(), found); err != nil {
		t.Fatal(err)
	}
	terminal.Reset()
	if got := modeOf(t, tty); !reflect.DeepEqual(got, left) {
		t.Errorf("the mode is %+v, and was left as %+v", got, left)
	}
}

var errTest = errors.New("by the test")

// TestASignalEndsTheWait: a terminal that answers nothing is not waited for once the context has ended.
func TestASignalEndsTheWait(t *testing.T) {
	_, tty := open(t)
	found := modeOf(t, tty)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, known := Open(tty, tty).Light(ctx, "", 1<<62); known {
		t.Error("a terminal that says nothing has a background")
	}
	if got := modeOf(t, tty); !reflect.DeepEqual(got, found) {
		t.Errorf("the mode is %+v, and was %+v", got, found)
	}
}
