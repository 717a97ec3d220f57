//go:build unix

package tty

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// Suspensions heeds the signal that asks the program to stop (SIGTSTP). The program is told, so that it can put the terminal
// back first; while another program has the terminal, it is stopped at once. The zero value heeds nothing.
type Suspensions struct {
	signals chan os.Signal
	lent    atomic.Bool
}

// Listen calls requested for each signal until Stop is called.
func (s *Suspensions) Listen(requested func()) {
	s.signals = make(chan os.Signal, 1)
	signal.Notify(s.signals, syscall.SIGTSTP)
	go func() {
		for range s.signals {
			switch {
			case !s.lent.Load():
				requested()
			case CanSuspend(): // the signal has stopped the other program, and the shell waits for the whole job
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
	}()
}

// Lent reports whether another program has the terminal.
func (s *Suspensions) Lent(lent bool) { s.lent.Store(lent) }

// Stop ends the listening.
func (s *Suspensions) Stop() {
	signal.Stop(s.signals)
	close(s.signals)
}

// CanSuspend reports whether a shell can let the program continue after it has been stopped: its parent belongs to
// the same session, as a shell with job control does. The system asks the same before it heeds the key Ctrl+Z.
func CanSuspend() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	parent, err := unix.Getsid(os.Getppid())
	return err == nil && parent == own
}

// Suspend stops the process group, as Ctrl+Z does, until it is continued. SIGSTOP is sent, since the parent of the
// program cannot have it ignored. It stops some thread at first, and this one a little later: Suspend waits for SIGCONT,
// so that the terminal is not taken back before.
func Suspend() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	<-continued
	return nil
}
