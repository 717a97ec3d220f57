//go:build !unix

package tty

import "os"

// usual is the editor where the environment names none: every Windows has it.
const usual = "notepad"

// commandOf is the command of an editor, to which a file's name is appended.
func commandOf(editor string) []string { return wordsOf(editor, isFile) }

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// endGently ends a process: here it cannot be asked to.
func endGently(p *os.Process) error { return p.Kill() }
