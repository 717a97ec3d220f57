//go:build !unix

package editor

import (
	"os"
	"strings"
)

// commandOf is the command of an editor, to which a file's name is appended.
func commandOf(editor string) []string { return strings.Fields(editor) }

// endGently ends a process: here it cannot be asked to.
func endGently(p *os.Process) error { return p.Kill() }
