//go:build !unix

package tui

import (
	"os"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"
)

// suspendMsg is never sent: there are no signals to stop a program by.
type suspendMsg struct{}

type suspends struct{ aside atomic.Bool }

func (*suspends) listen(func(tea.Msg)) {}

func (*suspends) stop() {}

func hasShell() bool { return false }

func standStill(_, _ *os.File) error { return nil }
