package program

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Lines is a face without a screen: it takes lines and writes sentences.
type Lines struct {
	in   io.Reader
	out  *bufio.Writer
	echo bool
}

// NewLines returns the face that reads in, a line at a time and nothing ahead, and writes to out. echo writes the lines
// that it takes, too, where they come from a file or a pipe and so are not on the terminal.
func NewLines(in io.Reader, out io.Writer, echo bool) *Lines {
	return &Lines{in, bufio.NewWriter(out), echo}
}

// Read waits for the next line; ok is false at the end. The error is one of the output, or the cause of ctx.
func (l *Lines) Read(ctx context.Context) (line string, ok bool, err error) {
	fmt.Fprint(l.out, "> ")
	if err := l.out.Flush(); err != nil {
		return "", false, err
	}
	read := make(chan string, 1)
	go func() {
		defer close(read)
		if line, ok := l.line(); ok {
			read <- line
		}
	}()
	select {
	case <-ctx.Done():
		return "", false, context.Cause(ctx)
	case line, ok = <-read:
	}
	switch {
	case !ok:
		fmt.Fprintln(l.out)
	case l.echo:
		l.Say(line)
	}
	return line, ok, nil
}

// line reads a line.
func (l *Lines) line() (line string, ok bool) {
	var text []byte
	for one := make([]byte, 1); ; {
		switch n, err := l.in.Read(one); {
		case n > 0 && one[0] == '\n':
			return strings.TrimSuffix(string(text), "\r"), true
		case n > 0:
			text = append(text, one[0])
		case err != nil:
			return string(text), len(text) > 0
		}
	}
}

// Say writes lines, with what a terminal would not show as visible characters.
func (l *Lines) Say(texts ...string) {
	for _, text := range texts {
		fmt.Fprintln(l.out, wording.Line(text))
	}
}

// Flush writes what is not written yet.
func (l *Lines) Flush() error { return l.out.Flush() }

// RunPlain shows a page as lines until it ends, the lines end, or ctx is done. A line is the name of a key or a text to
// type; an empty one is the key Enter.
func RunPlain(ctx context.Context, lines *Lines, page Page, o Options) error {
	s := NewSheet(page, o)
	s.ctx = ctx
	s.canvas = canvas.New(1, 1, canvas.Unframed())
	s.Resize(plainWidth, plainHeight)
	s.Begin()
	for {
		s.Settle()
		if over, err := s.Over(); over {
			return err
		}
		for line := range strings.SplitSeq(s.Text(), "\n") {
			if line = strings.TrimRight(line, " "); line != "" {
				lines.Say(line)
			}
		}
		line, ok, err := lines.Read(ctx)
		if err != nil {
			return err
		}
		if !ok {
			line = "ctrl+c"
		}
		s.typed(strings.TrimSpace(line))
	}
}

// The cells of a page that is written as lines.
const plainWidth, plainHeight = 100, 40

// typed gives a line to the page: a key, or the characters of a text.
func (s *Sheet) typed(line string) {
	if line == "" {
		line = "enter"
	}
	if s.page.Keys().Lookup(line) != keys.None {
		s.Press(keys.Press{Name: line})
		return
	}
	for _, r := range line {
		s.Press(keys.Press{Name: string(r), Text: string(r)})
	}
}
