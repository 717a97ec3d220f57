package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"asldb/internal/wording"
	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

// Lines is the program without a screen: it takes lines and writes sentences.
type Lines struct {
	in   io.Reader
	out  *bufio.Writer
	echo bool
	// Interrupts are the keys Ctrl+C of the terminal; nil: they end the program.
	Interrupts <-chan os.Signal
	// asks has the reader read a line, which comes from read; reading: it is reading one.
	asks    chan struct{}
	read    chan readLine
	reading bool
	// prompted: the newest characters are the prompt.
	prompted bool
}

// readLine is a line; ok is false at the end of the lines.
type readLine struct {
	text string
	ok   bool
}

// NewLines returns the program that reads in, a line at a time and nothing ahead, and writes to out. echo writes the
// lines that it takes, too, where they come from a file or a pipe and so are not on the terminal.
func NewLines(in io.Reader, out io.Writer, echo bool) *Lines {
	return &Lines{in: in, out: bufio.NewWriter(out), echo: echo}
}

// Read waits for the next line; ok is false at the end. The error is one of the output, or the cause of ctx. An
// interrupt here, where nothing runs, is answered by the way to quit.
func (l *Lines) Read(ctx context.Context) (line string, ok bool, err error) {
	line, ok, _, err = l.readUntil(ctx, nil)
	return line, ok, err
}

// ReadFor is [Lines.Read] for at most a time; late is set where it has passed.
func (l *Lines) ReadFor(ctx context.Context, most time.Duration) (line string, ok, late bool, err error) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	return l.readUntil(ctx, timer.C)
}

func (l *Lines) readUntil(ctx context.Context, over <-chan time.Time) (line string, ok, late bool, err error) {
	if !l.reading {
		l.ask()
	}
	for {
		if !l.prompted {
			fmt.Fprint(l.out, "> ")
		}
		l.prompted = true
		if err := l.out.Flush(); err != nil {
			return "", false, false, err
		}
		select {
		case <-ctx.Done():
			return "", false, false, context.Cause(ctx)
		case <-over:
			return "", false, true, nil
		case <-l.Interrupts:
			l.Say("Nothing runs. quit leaves the debugger.")
			continue
		case read := <-l.read:
			l.reading = false
			line, ok = read.text, read.ok
		}
		l.prompted = false
		switch {
		case !ok:
			fmt.Fprintln(l.out)
		case l.echo:
			l.Say(line)
		}
		return line, ok, false, nil
	}
}

// ask has the next line read, by a goroutine that waits for it also when nothing waits for the line any longer.
func (l *Lines) ask() {
	if l.asks == nil {
		l.asks, l.read = make(chan struct{}, 1), make(chan readLine, 1)
		go func() {
			for range l.asks {
				text, ok := l.line()
				l.read <- readLine{text, ok}
			}
		}()
	}
	l.reading = true
	l.asks <- struct{}{}
}

// Interruptible calls do and returns; an interrupt meanwhile calls stop, on another goroutine. done is closed as soon
// as do has returned.
func (l *Lines) Interruptible(do func(), stop func(done <-chan struct{})) {
	if l.Interrupts == nil {
		do()
		return
	}
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-l.Interrupts:
				stop(done)
			case <-done:
				return
			}
		}
	}()
	defer func() {
		close(done)
		<-over
	}()
	do()
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

// Say writes lines, with visible characters in place of those that a terminal would not show.
func (l *Lines) Say(texts ...string) {
	if l.prompted && len(texts) > 0 {
		l.prompted = false
		fmt.Fprintln(l.out)
	}
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
	s.appearance.canvas = canvas.New(1, 1, canvas.Unframed())
	s.Resize(plainWidth, plainHeight)
	for act := s.Begin; ; {
		inner, stop := context.WithCancel(ctx)
		lines.Interruptible(func() {
			act()
			_ = s.Settle(inner) // an interrupt ends the work, and not the page
		}, func(<-chan struct{}) { stop() })
		stop()
		if over, err := s.Over(); over {
			return errors.Join(err, lines.Flush())
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
		act = func() { s.typed(strings.TrimSpace(line)) }
	}
}

// The cells of a page that is written as lines.
const plainWidth, plainHeight = 100, 40

// typed gives a line to the page: a key, or the characters of a text where they are no keys.
func (s *Sheet) typed(line string) {
	_, first := utf8.DecodeRuneInString(line)
	switch is := s.page.Keys().Lookup; {
	case line == "":
		s.Press(keys.Press{Name: "enter"})
	case is(line) != keys.None:
		s.Press(keys.Press{Name: line})
	case first < len(line) && is(line[:first]) != keys.None:
		s.Say(canvas.Warn, fmt.Sprintf("There is no key %q; ? lists the keys.", line))
	default:
		for _, r := range line {
			s.Press(keys.Press{Name: string(r), Text: string(r)})
		}
	}
}
