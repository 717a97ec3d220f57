// Package command has the parts of every command: streams, exit statuses, kinds of flags, arguments, and the texts of files and
// messages.
package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"asldb/engine/debug"
	"asldb/internal/report"
)

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Changed has contents of files in place of those on the disk, by name: those that validate --fix is about to write.
	Changed map[string][]byte
	// Now is the wall clock, asked once for an execution that is given no start time.
	Now func() time.Time
	// Answer takes the answer of a command that reports, in place of the reports of its flags; nil: nothing does.
	Answer func(*report.Answer)
	// Notice returns the notice of a screen, in place of its run's notice; nil: the screen has the run's own. Tests let
	// it fail.
	Notice func(session *debug.Session) string
	// Screen is the program on the terminal in which the command shows its lists and sessions; nil: none is open.
	Screen interface{ Close() }
	// Shows is set where the command shows a session after a choice: the list stays below it.
	Shows bool
}

// Hold keeps the lines for standard error until they are released, while a screen has the terminal.
func (s *Streams) Hold() (release func() string) {
	held, before := &heldText{}, s.Err
	s.Err = held
	return func() string {
		s.Err = before
		held.mutex.Lock()
		defer held.mutex.Unlock()
		return held.text.String()
	}
}

type heldText struct {
	mutex sync.Mutex
	text  strings.Builder
}

// Write implements [io.Writer].
func (h *heldText) Write(text []byte) (int, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.text.Write(text)
}

// Execute runs a command line until the context ends, and returns the exit status.
type Execute func(ctx context.Context, args []string, s *Streams) int

// Print writes a command's output.
func (s *Streams) Print(text string) error {
	if _, err := io.WriteString(s.Out, text); err != nil {
		return fmt.Errorf("cannot write the output: %w", err)
	}
	return nil
}
