package tty

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/internal/files"
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
	if err := run(ctx, fromEnvironment(os.Getenv), []string{name}, in, out); err != nil {
		return "", err
	}
	data, err := files.Read(name, value.DefaultBytes)
	return string(data), err
}

// OpenEditor runs the user's editor on a file, on the terminal that in and out lead to, with the cursor at a line and column, from 1,
// where the editor is known to have an argument for them. When ctx ends the editor is asked to end, too.
func OpenEditor(ctx context.Context, name string, line, col int, in, out *os.File) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("the text cannot be edited: %w", err)
	}
	if info.IsDir() {
		return fmt.Errorf("the text cannot be edited: %s is a folder", name)
	}
	editor := fromEnvironment(os.Getenv)
	return run(ctx, editor, editorArguments(editor, name, line, col), in, out)
}

// run runs an editor with arguments behind those that its command has.
func run(ctx context.Context, editor string, arguments []string, in, out *os.File) error {
	words := commandOf(editor)
	command := exec.CommandContext(ctx, words[0], append(words[1:], arguments...)...)
	command.Stdin, command.Stdout, command.Stderr = in, out, os.Stderr
	command.Cancel = func() error { return endGently(command.Process) }
	command.WaitDelay = grace
	if err := command.Run(); err != nil {
		return fmt.Errorf("the editor %s: %w", editor, err)
	}
	return nil
}

// The ways in which editors take a place, by the name of their command.
var (
	withPlus  = []string{"vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "joe", "jed", "mcedit", "kak", "mg", "ne", "less"}
	withColon = []string{"hx", "helix", "micro", "subl", "zed"}
	withGoto  = []string{"code", "code-insiders", "codium", "cursor"}
)

// editorArguments returns the arguments of an editor for a place in a file: of one that is not known, the file alone.
func editorArguments(editor, name string, line, col int) []string {
	command := ""
	if words := commandOf(editor); len(words) > 0 {
		if words[0] == "sh" { // the editor is a line for a shell
			words = strings.Fields(editor)
		}
		command = programOf(words[0])
	}
	at := name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
	switch {
	case slices.Contains(withPlus, command):
		return []string{"+" + strconv.Itoa(line), name}
	case slices.Contains(withColon, command):
		return []string{at}
	case slices.Contains(withGoto, command):
		return []string{"--goto", at}
	}
	return []string{name}
}

// programOf returns the name of a program by its path, in small letters and without the endings of Windows.
func programOf(name string) string {
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// wordsOf divides the command of an editor into its words where no shell does so. Quotation marks hold a word with blanks
// together, and so does a program of that name: C:\Program Files\Editor\edit.exe.
func wordsOf(editor string, isFile func(string) bool) []string {
	if isFile(editor) {
		return []string{editor}
	}
	var words []string
	word, inWord, quoted := "", false, false
	for _, r := range editor {
		switch {
		case r == '"':
			quoted, inWord = !quoted, true
		case (r == ' ' || r == '\t') && !quoted:
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		default:
			word, inWord = word+string(r), true
		}
	}
	if inWord {
		words = append(words, word)
	}
	return words
}

// fromEnvironment returns the editor that VISUAL or else EDITOR names, and the usual one of the system where neither is set.
func fromEnvironment(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(getenv(name)); editor != "" {
			return editor
		}
	}
	return usual
}
