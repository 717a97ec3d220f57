package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// external is a text to be edited in the person's own editor.
type external struct {
	text string
	// done takes what the editor has left, or says why there is nothing.
	done func(text string, err error)
}

// openExternal opens the person's editor with a text in a temporary file, while the screen stands aside.
func (a *App) openExternal(e *external) tea.Cmd {
	var text string
	return a.standAside(a.terminal.Guard, func(in, out *os.File) (err error) {
		text, err = edit(a.ctx, e.text, in, out)
		return err
	}, func(err error) { e.done(text, err) })
}

// temporary writes a text to a new file and returns its name.
func temporary(text string) (name string, err error) {
	file, err := os.CreateTemp("", "asldb-*.json")
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return file.Name(), err
}

// editorGrace is how long an editor has to end when the program must.
const editorGrace = 2 * time.Second

// edit runs the person's editor on a text in a temporary file, and returns what it has left there. When ctx ends the
// editor is asked to end, too.
func edit(ctx context.Context, text string, in, out *os.File) (string, error) {
	name, err := temporary(text)
	if err != nil {
		return "", err
	}
	defer os.Remove(name)
	editor := editorOf(os.Getenv)
	words := editorCommand(editor)
	command := exec.CommandContext(ctx, words[0], append(words[1:], name)...)
	command.Stdin, command.Stdout, command.Stderr = in, out, os.Stderr
	command.Cancel = func() error { return endGently(command.Process) }
	command.WaitDelay = editorGrace
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("the editor %s: %w", editor, err)
	}
	data, err := os.ReadFile(name)
	return string(data), err
}

// editorOf is the person's editor, as the environment names it.
func editorOf(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(getenv(name)); editor != "" {
			return editor
		}
	}
	return "vi"
}
