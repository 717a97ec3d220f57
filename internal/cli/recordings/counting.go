package recordings

import (
	"fmt"
	"io"
	"time"

	"asldb/internal/cli/command"
)

// between is the least time between two states of a line that counts.
const between = 100 * time.Millisecond

// counting is a line on a terminal that says how far a command is.
type counting struct {
	out    io.Writer
	now    func() time.Time
	things string
	last   time.Time
}

// progressOf shows in a terminal how far a command is; elsewhere it returns nil.
func progressOf(s *command.Streams, things string) func(done, all int) {
	if !onTerminal(s.Err) {
		return nil
	}
	return (&counting{out: s.Err, now: time.Now, things: things}).show
}

// show writes the line, not too often, and takes it away at the end.
func (c *counting) show(done, all int) {
	now := c.now()
	switch {
	case done == all:
		fmt.Fprint(c.out, "\r\x1b[K")
	case now.Sub(c.last) >= between:
		c.last = now
		fmt.Fprintf(c.out, "\r\x1b[K%d of %d %s", done, all, c.things)
	}
}
