//go:build unix

package tty

import (
	"os"
	"strings"
	"syscall"
)

// usual is the editor where the environment names none.
const usual = "vi"

// commandOf is the command of an editor, to which a file's name is appended. As with git a shell reads it where it
// has anything that is a shell's to read: quotes, variables.
func commandOf(editor string) []string {
	if strings.ContainsAny(editor, "|&;<>()$`\\\"'*?[#~=%") {
		return []string{"sh", "-c", editor + ` "$@"`, editor}
	}
	return strings.Fields(editor)
}

// endGently asks a process to end.
func endGently(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
