package cli

import (
	"os"
	"time"

	"asldb/engine/debug"
	"asldb/tui"
)

// executeFaulty is the program with a fault: its screen panics when the run is over, and a run without a
// screen when it writes.
func executeFaulty(args []string) int {
	s := &streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now}
	if args[0] == "run" {
		s.out = faultyWriter{}
	}
	s.screen = func(session *debug.Session, look *tui.Options) {
		look.Notice = func() string {
			if session.Status().Done() {
				panic("a fault by the test")
			}
			return ""
		}
	}
	return execute(args, s)
}

type faultyWriter struct{}

func (faultyWriter) Write([]byte) (int, error) { panic("a fault by the test") }
