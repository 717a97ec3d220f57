//go:build !unix

package tui

import tea "github.com/charmbracelet/bubbletea"

// suspendMsg is never sent: there are no signals to stop a program by.
type suspendMsg struct{}

func listenForSuspend(func(tea.Msg)) (stop func()) { return func() {} }

func hasShell() bool { return false }

func suspend() tea.Cmd { return nil }
