package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"asldb/internal/report"
	"asldb/internal/wording"
)

// OnTerminal reports whether a command writes to a terminal.
func OnTerminal(w io.Writer) bool {
	out, ok := w.(*os.File)
	return ok && term.IsTerminal(out.Fd())
}

// WidthOf returns the width of the terminal that w is, in cells; 0: it is none, or its width is not known.
func WidthOf(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil {
		return 0
	}
	return width
}

// Painter returns the colours of a report: the terminal's, or nil elsewhere, and where --no-color, NO_COLOR or
// TERM=dumb disables them.
func Painter(w io.Writer, noColor bool) report.Painter {
	if noColor || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !OnTerminal(w) {
		return nil
	}
	return report.Terminal
}

// Painted is the message of an error in colours, on a terminal and of an error that has some.
func Painted(s *Streams, err error) (text string, ok bool) {
	var painted interface{ Painted(report.Painter) string }
	if paint := Painter(s.Err, false); paint != nil && errors.As(err, &painted) {
		return painted.Painted(paint), true
	}
	return "", false
}

// betweenUpdates is the least time between two updates of a [StatusLine].
const betweenUpdates = 100 * time.Millisecond

// StatusLine is a line on a terminal that shows how far a command is, and is replaced in place. It may be used by several goroutines at
// once. The nil StatusLine shows nothing.
type StatusLine struct {
	out   io.Writer
	width func() int // in cells; 0: unknown
	now   func() time.Time

	mutex sync.Mutex
	last  time.Time // of the last update
	shown bool
}

// NewStatusLine returns a line on a terminal; nil where w is none.
func NewStatusLine(w io.Writer) *StatusLine {
	if !OnTerminal(w) {
		return nil
	}
	return StatusLineOf(w, func() int { return WidthOf(w) }, time.Now)
}

// StatusLineOf returns a line that is written to w, with the terminal's width and the clock.
func StatusLineOf(w io.Writer, width func() int, now func() time.Time) *StatusLine {
	return &StatusLine{out: w, width: width, now: now}
}

// Show shows a text in place of the one before.
func (l *StatusLine) Show(text string) {
	if l != nil {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.show(text)
	}
}

func (l *StatusLine) show(text string) {
	text = wording.Line(text)
	if width := l.width(); width > 1 {
		text = ansi.Truncate(text, width-1, "")
	}
	l.shown = true
	fmt.Fprint(l.out, "\r\x1b[K"+text)
}

// Update shows a text as Show does, unless the last update was a moment ago.
func (l *StatusLine) Update(text string) {
	if l == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if now := l.now(); now.Sub(l.last) >= betweenUpdates {
		l.last = now
		l.show(text)
	}
}

// Clear removes the line.
func (l *StatusLine) Clear() {
	if l == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.shown {
		l.shown = false
		fmt.Fprint(l.out, "\r\x1b[K")
	}
}

// Counting returns a function that shows how many of all things are done, and clears the line at the end; nil for the nil StatusLine.
func (l *StatusLine) Counting(things string) func(done, all int) {
	if l == nil {
		return nil
	}
	return func(done, all int) {
		if done == all {
			l.Clear()
			return
		}
		l.Update(fmt.Sprintf("%d of %d %s", done, all, things))
	}
}
