package command

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// The line is written at most ten times a second, fits the terminal, and is taken away at the end.
func TestStatusLine(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(1_700_000_000, 0)
	line := StatusLineOf(&out, func() int { return 20 }, func() time.Time { return at })
	count := line.Counting("files")
	for done := 1; done <= 10; done++ { // one in 40 ms
		count(done, 10)
		at = at.Add(40 * time.Millisecond)
	}
	line.Clear() // it is cleared already
	line.Show(strings.Repeat("a", 30) + "\n")
	const wanted = "\r\x1b[K1 of 10 files" + "\r\x1b[K4 of 10 files" + "\r\x1b[K7 of 10 files" + "\r\x1b[K" + "\r\x1b[Kaaaaaaaaaaaaaaaaaaa"
	if got := out.String(); got != wanted {
		t.Errorf("got %q, want %q", got, wanted)
	}
}

// Where there is no terminal, there is neither a line nor a colour.
func TestNoTerminal(t *testing.T) {
	var out bytes.Buffer
	line := NewStatusLine(&out)
	line.Show("a")
	line.Update("b")
	line.Clear()
	if line.Counting("files") != nil || out.Len() > 0 || Painter(&out, false) != nil || WidthOf(&out) != 0 {
		t.Errorf("%q is written where there is no terminal", out.String())
	}
}
