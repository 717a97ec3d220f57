package tty

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

func TestVariable(t *testing.T) {
	for text, want := range map[string][2]bool{
		"15;0": {false, true}, "0;15": {true, true}, "0;default;15": {true, true}, "7;8": {false, true},
		"0;7": {true, true},
		"":    {}, "15;default": {}, "0;99": {}, "12": {},
	} {
		if light, known := fromVariable(text); light != want[0] || known != want[1] {
			t.Errorf("%q: light %v, known %v", text, light, known)
		}
	}
}

func TestReply(t *testing.T) {
	for text, want := range map[string][2]bool{
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c": {true, true},
		"\x1b]11;rgb:1e/1e/2e\x07":                   {false, true},
		"\x1b]11;rgba:fdfd/f6f6/e3e3/ffff\x07":       {true, true},
		"\x1b[?62;c":                                 {},
		"\x1b]11;rgb:ff/ff":                          {},
		"\x1b]11;rgb:zz/ff/ff\x07":                   {},
		"":                                           {},
	} {
		if light, known := fromReply([]byte(text)); light != want[0] || known != want[1] {
			t.Errorf("%q: light %v, known %v", text, light, known)
		}
	}
}

// TestATerminal asks a pseudo-terminal that answers both questions, one, or none.
func TestATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		reply string
		want  [2]bool
	}{
		"light":  {"\x1b]11;rgb:ffff/ffff/dddd\x07\x1b[?1;2c", [2]bool{true, true}},
		"dark":   {"\x1b]11;rgb:0000/2b2b/3636\x1b\\\x1b[?1;2c", [2]bool{false, true}},
		"old":    {"\x1b[?1;2c", [2]bool{}},
		"silent": {"", [2]bool{}},
	} {
		t.Run(name, func(t *testing.T) {
			terminal, tty, err := pty.Open()
			if err != nil {
				t.Skip("no pseudo-terminal: ", err)
			}
			defer terminal.Close()
			defer tty.Close()
			go func() {
				buffer := make([]byte, 64)
				asked := ""
				for !strings.Contains(asked, "\x1b[c") {
					n, err := terminal.Read(buffer)
					if err != nil {
						return
					}
					asked += string(buffer[:n])
				}
				_, _ = terminal.WriteString(c.reply)
			}()
			wait := 20 * time.Second // long enough for an answer; short for the silent terminal
			if c.reply == "" {
				wait = 20 * time.Millisecond
			}
			light, known := Open(tty, tty).Light(context.Background(), "", wait)
			if light != c.want[0] || known != c.want[1] {
				t.Errorf("light %v, known %v", light, known)
			}
		})
	}
}

// TestUpdatesAreSynchronized: where the terminal answers that it has the mode, a write on the alternate screen is one
// update; on the usual screen, and where it has not, nothing is added.
func TestUpdatesAreSynchronized(t *testing.T) {
	for reply, want := range map[string]bool{"\x1b[?2026;2$y\x1b[?1;2c": true, "\x1b[?2026;0$y\x1b[?1;2c": false,
		"\x1b[?1;2c": false} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		o := &Output{file: w, cells: newCells()}
		if synchronizes([]byte(reply)) {
			o.synchronize()
		}
		for _, text := range []string{"usual", enterAlternate, "frame"} {
			if _, err := o.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		_ = w.Close()
		got, _ := io.ReadAll(r)
		if has := strings.HasSuffix(string(got), endUpdate); has != want || !strings.HasPrefix(string(got), "usual") {
			t.Errorf("after the answer %q it writes %q", reply, got)
		}
	}
}

// TestLateAnswersAreNoKeys: late answers of the terminal are removed, in one read or in two.
func TestLateAnswersAreNoKeys(t *testing.T) {
	text := "ab\x1b]11;rgb:ffff/ffff/ffff\x1b\\c\x1b[A\x1b[?2026;2$y\x1b[?62;4cd\x1b]11;rgb:0/0/0\x07\x1b"
	const want = "abc\x1b[Ad\x1b"
	in := &Input{}
	if got := string(in.strip([]byte(text))); got != want {
		t.Errorf("in one read: %q, want %q", got, want)
	}
	first := string(in.strip(append(make([]byte, 0, 256), "x\x1b]11;rgb:ff"...)))
	second := string(in.strip(append(make([]byte, 0, 256), "ff/ffff/ffff\x07y"...)))
	if first != "x" || second != "y" {
		t.Errorf("an answer in two reads leaves %q and %q", first, second)
	}
}

// TestALateAnswerDoesNotBlock: after a read that leaves nothing over, the reader of keys looks whether it is to end.
func TestALateAnswerDoesNotBlock(t *testing.T) {
	for _, text := range []string{"\x1b]11;rgb:ff", "\x1b[?62;4c"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if n, err := NewInput(r).Read(make([]byte, 256)); n != 0 || err != nil {
				t.Errorf("%q is read as %d bytes, %v", text, n, err)
			}
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("after %q it waits for more", text)
		}
	}
}

// TestNothingTypedIsLost: a text that begins as an answer does, and fills the reader's buffer with the rest.
func TestNothingTypedIsLost(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in, p, got := NewInput(r), make([]byte, 256), ""
	for _, part := range []string{"\x1b]11;", strings.Repeat("0123456789abcdef", 16)} {
		if _, err := w.WriteString(part); err != nil {
			t.Fatal(err)
		}
		n, err := in.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		got += string(p[:n])
	}
	w.Close()
	rest, err := io.ReadAll(in)
	if got += string(rest); err != nil || got != "\x1b]11;"+strings.Repeat("0123456789abcdef", 16) {
		t.Errorf("it reads %q, %v", got, err)
	}
}

func TestNoTerminal(t *testing.T) {
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, known := Open(file, file).Light(context.Background(), "", time.Second); known {
		t.Error("a file has a background")
	}
}
