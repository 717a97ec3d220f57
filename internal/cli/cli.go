// Package cli is asldb's command line: its commands, their flags and their output.
package cli

import (
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"asldb/engine/debug"
	"asldb/internal/visible"
	"asldb/tui"
)

// The exit statuses.
const (
	// StatusOK: the execution succeeded, the expression has a value, or the user has quit.
	StatusOK = 0
	// StatusFailed: the execution failed or timed out, or the expression has no value.
	StatusFailed = 1
	// StatusUsage: the command line, the definition, the input or the fixtures are wrong.
	StatusUsage = 2
	// StatusHangup, StatusInterrupted, StatusQuit and StatusTerminated: SIGHUP, SIGINT (also the key Ctrl+C), SIGQUIT
	// or SIGTERM ended it (128 and the signal's number, as shells have it).
	StatusHangup      = 129
	StatusInterrupted = 130
	StatusQuit        = 131
	StatusTerminated  = 143
)

// exitError ends a command with a status. With a nil err there is no message.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// interruptedError returns the error of a command that the user stopped; where is its place, or empty.
func interruptedError(where string) error {
	return &exitError{StatusInterrupted, errors.New("interrupted" + where)}
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// changed has contents of files in place of those on the disk, by name: those that validate --fix is about to write.
	changed map[string][]byte
	// now is the wall clock, asked once for an execution that is given no start time.
	now func() time.Time
	// screen is called before a screen opens. Tests let it fail.
	screen func(session *debug.Session, look *tui.Options)
}

// print writes a command's output.
func (s *streams) print(text string) error {
	if _, err := io.WriteString(s.out, text); err != nil {
		return fmt.Errorf("cannot write the output: %w", err)
	}
	return nil
}

// Main runs the command line args, without the program's name, and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// This is the only place in the project that reads the wall clock.
	return execute(args, &streams{in: stdin, out: stdout, err: stderr, now: time.Now})
}

// execute runs a command line.
func execute(args []string, s *streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return StatusOK
	}
	status := StatusUsage
	var exit *exitError
	if errors.As(err, &exit) {
		status = exit.status
		if exit.err == nil {
			return status
		}
	}
	fmt.Fprintf(s.err, "asldb: %s\n", visible.Text(err.Error()))
	return status
}

// lineError is an error with a message of one line.
type lineError struct{ err error }

func (e *lineError) Error() string { return visible.Line(e.err.Error()) }

func (e *lineError) Unwrap() error { return e.err }

// oneLine returns an error with a message of one line: parts of it come from outside.
func oneLine(err error) error { return &lineError{err} }

// maxQuoted and maxFault bound how much of a text from the command line a message repeats, and how long the
// fault of an expression is, which may repeat the whole of it. Both are in bytes.
const (
	maxQuoted = 200
	maxFault  = 500
)

// clip returns text, or at most limit bytes of it and how much is left out.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d more bytes)", text[:cut], len(text)-cut)
}
