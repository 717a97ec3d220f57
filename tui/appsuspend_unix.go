//go:build unix

package tui

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspendMsg: the program is to be stopped, as it is by a shell with job control.
type suspendMsg struct{}

// suspends heeds the signal that asks the program to stop. It comes as a message, so that the terminal is put back
// first, or stops the program at once while another one has the terminal. The zero value heeds nothing.
type suspends struct {
	send    func(tea.Msg)
	signals chan os.Signal
	aside   atomic.Bool // another program has the terminal
}

// listen begins to heed the signal.
func (s *suspends) listen(send func(tea.Msg)) {
	s.send, s.signals = send, make(chan os.Signal, 1)
	signal.Notify(s.signals, syscall.SIGTSTP)
	go func() {
		for range s.signals {
			switch {
			case !s.aside.Load():
				s.send(suspendMsg{})
			case hasShell(): // it has stopped the other program, and waits for the whole job
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
	}()
}

// stop ends the listening.
func (s *suspends) stop() {
	signal.Stop(s.signals)
	close(s.signals)
}

// hasShell reports whether a shell can let the program go on once it stands still: its parent belongs to
// the same session, as a shell with job control does. The system asks the same before it heeds the key Ctrl+Z.
func hasShell() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	parent, err := unix.Getsid(os.Getppid())
	return err == nil && parent == own
}

// standStill stops the process group, as Ctrl+Z does, until it is let go on. The stronger signal is taken, since it
// cannot be ignored by who has started the program. It stops some thread at first, and this one a little later: what
// lets the program go on is waited for, so that the terminal is not taken back before.
func standStill(_, _ *os.File) error {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	defer signal.Stop(goOn)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	<-goOn
	return nil
}
