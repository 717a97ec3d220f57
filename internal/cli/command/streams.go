// Package command has the parts of every command: streams, exit statuses, kinds of flags, arguments, and the texts of files and
// messages.
package command

import (
	"context"
	"fmt"
	"io"
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
	// Notice returns the notice of a screen, in place of that of its run; nil: the screen has the run's own. Tests let it fail.
	Notice func(session *debug.Session) string
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
