package cli

import (
	"os"
	"time"

	"asldb/engine/debug"
	"asldb/internal/cli/command"
)

// executeFaulty is the program with a fault: its screen panics when the run is over, and a run without a
// screen when it writes.
func executeFaulty(args []string) int {
	s := &command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}
	if args[0] == "run" {
		s.Out = faultyWriter{}
	}
	s.Notice = func(session *debug.Session) string {
		if session.Status().Done() {
			panic("a fault by the test")
		}
		return ""
	}
	return execute(args, s)
}

type faultyWriter struct{}

func (faultyWriter) Write([]byte) (int, error) { panic("a fault by the test") }
