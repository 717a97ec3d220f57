package tui

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// external is a text to be edited in the person's own editor.
type external struct {
	text string
	// done takes what the editor has left, or says why there is nothing.
	done func(u *ui, text string, err error)
}

// externalMsg is the end of the person's editor.
type externalMsg struct {
	text string
	err  error
	done func(u *ui, text string, err error)
}

// openExternal opens $VISUAL or $EDITOR, else vi, with a text in a temporary file, while the screen stands aside.
func openExternal(e *external) tea.Cmd {
	file, err := os.CreateTemp("", "asldb-*.json")
	if err == nil {
		_, err = file.WriteString(e.text)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return func() tea.Msg { return externalMsg{err: err, done: e.done} }
	}
	words := editorCommand(os.Getenv)
	command := exec.Command(words[0], append(words[1:], file.Name())...)
	return tea.ExecProcess(command, func(err error) tea.Msg {
		defer os.Remove(file.Name())
		if err != nil {
			return externalMsg{err: fmt.Errorf("the editor %s: %w", words[0], err), done: e.done}
		}
		data, err := os.ReadFile(file.Name())
		return externalMsg{text: string(data), err: err, done: e.done}
	})
}

// editorCommand is the person's editor with its arguments.
func editorCommand(getenv func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}
