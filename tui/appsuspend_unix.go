//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspendMsg: the program is to be stopped, as it is by a shell with job control.
type suspendMsg struct{}

// suspends passes the signal that asks the program to stop on as a message, so that the terminal is put back first.
// The zero value passes nothing on.
type suspends struct {
	send    func(tea.Msg)
	signals chan os.Signal // nil while nothing is listened to
}

// listen begins to pass the signal on.
func (s *suspends) listen() {
	if s.send == nil {
		return
	}
	signals := make(chan os.Signal, 1)
	s.signals = signals
	signal.Notify(signals, syscall.SIGTSTP)
	go func() {
		for range signals {
			s.send(suspendMsg{})
		}
	}()
}

// stop ends that: the signal stops the program at once.
func (s *suspends) stop() {
	if s.signals != nil {
		signal.Stop(s.signals)
		close(s.signals)
		s.signals = nil
	}
}

// hasShell reports whether somebody is there who can let the program go on once it stands still: its parent belongs to
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
