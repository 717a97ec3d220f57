//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// passed returns when every signal that was sent to the process before has been passed on. It reads
// from c until then. A signal that does nothing to a process that runs goes behind the others.
func passed(c chan os.Signal) {
	signal.Notify(c, syscall.SIGCONT)
	if syscall.Kill(os.Getpid(), syscall.SIGCONT) != nil {
		return
	}
	for s := range c {
		if s == syscall.SIGCONT {
			return
		}
	}
}
