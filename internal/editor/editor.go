// Package editor opens a text in the user's editor.
package editor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

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

// grace is the time that an editor has to end when the program must.
const grace = 2 * time.Second

// Edit runs the user's editor on a text in a temporary file, on the terminal that in and out lead to, and returns the text
// that it has saved. When ctx ends the editor is asked to end, too.
func Edit(ctx context.Context, text string, in, out *os.File) (string, error) {
	name, err := temporary(text)
	if err != nil {
		return "", err
	}
	defer os.Remove(name)
	editor := fromEnvironment(os.Getenv)
	words := commandOf(editor)
	command := exec.CommandContext(ctx, words[0], append(words[1:], name)...)
	command.Stdin, command.Stdout, command.Stderr = in, out, os.Stderr
	command.Cancel = func() error { return endGently(command.Process) }
	command.WaitDelay = grace
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("the editor %s: %w", editor, err)
	}
	data, err := os.ReadFile(name)
	return string(data), err
}

// fromEnvironment returns the editor that VISUAL or else EDITOR names, and vi where neither is set.
func fromEnvironment(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(getenv(name)); editor != "" {
			return editor
		}
	}
	return "vi"
}
