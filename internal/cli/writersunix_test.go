//go:build unix

package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asldb/internal/testkit"
)

// Every command that writes a file writes to a pipe, which stays one.
func TestWritersToAPipe(t *testing.T) {
	texts := written(t)
	toPipe := func(t *testing.T, line string, status int) {
		if !strings.Contains(line, "OUT") || strings.Contains(line, "--baseline") {
			return // the file is read first
		}
		dir := testkit.New(t, texts)
		pipe := filepath.Join(dir, output)
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		read := make(chan string)
		go func() {
			text, err := os.ReadFile(pipe)
			if err != nil {
				t.Error(err)
			}
			read <- string(text)
		}()
		if _, failed := execute(t, dir, line, output, status); failed != nil {
			t.Error(failed)
		}
		if end, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			_ = end.Close() // the reader waits where nobody has opened the pipe
		}
		if text := <-read; text == "" {
			t.Error("nothing came through the pipe")
		}
		if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
			t.Errorf("it is now %v, %v", info.Mode(), err)
		}
	}
	eachLine(t, toPipe)
	toPipe(t, "run "+ofDemo+" --trace OUT", 0)
}
