//go:build !unix

package tui

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// suspendMsg is never sent: there are no signals to stop a program by.
type suspendMsg struct{}

type suspends struct{ send func(tea.Msg) }

func (*suspends) listen() {}

func (*suspends) stop() {}

func hasShell() bool { return false }

func standStill(_, _ *os.File) error { return nil }
