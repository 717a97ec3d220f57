//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/creack/pty"
)

// BenchmarkFirstFrame measures from the start of the program to the first frame on a terminal that answers
// no query.
func BenchmarkFirstFrame(b *testing.B) {
	program, err := build()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		cmd := exec.Command(program, "demo")
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=")
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: screenRows, Cols: screenCols})
		if err != nil {
			b.Fatal(err)
		}
		var seen []byte
		part := make([]byte, 4096)
		for !bytes.Contains(seen, []byte("READY")) {
			n, err := tty.Read(part)
			if err != nil {
				b.Fatalf("the program ended before its first frame: %v\n%s", err, seen)
			}
			seen = append(seen, part[:n]...)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
	}
}

// BenchmarkRunHello measures the whole program on a definition of one state.
func BenchmarkRunHello(b *testing.B) {
	program, err := build()
	if err != nil {
		b.Fatal(err)
	}
	file := b.TempDir() + "/hello.json"
	definition := `{"StartAt":"Hello","States":{"Hello":{"Type":"Pass","Result":{"msg":"hello"},"End":true}}}`
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if out, err := exec.Command(program, "run", file).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}
