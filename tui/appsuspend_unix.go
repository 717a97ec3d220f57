//go:build unix

package tui

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspendMsg: the program is to be stopped, as it is by a shell with job control.
type suspendMsg struct{}

// listenForSuspend sends the signal that asks the program to stop on as a message, so that the terminal is put back
// first. It returns what ends that.
func listenForSuspend(send func(tea.Msg)) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTSTP)
	go func() {
		for range signals {
			send(suspendMsg{})
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
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

// standStill stops the process group, as Ctrl+Z does, until it is let go on. It is run while the terminal is as it was
// before the program. The stronger signal is taken, since the weaker one is listened to.
type standStill struct{}

// Run implements tea.ExecCommand. The signal stops some thread at first, and this one a little later: what lets the
// program go on is waited for, so that the terminal is not taken back before.
func (standStill) Run() error {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	defer signal.Stop(goOn)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	<-goOn
	return nil
}

// SetStdin implements tea.ExecCommand.
func (standStill) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (standStill) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (standStill) SetStderr(io.Writer) {}

// suspend returns the command that stops the program; afterwards a tea.ResumeMsg comes.
func suspend() tea.Cmd {
	return tea.Exec(standStill{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}
