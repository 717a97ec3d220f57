//go:build unix

package darkfirst

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"asldb/internal/testkit"
)

// silent is a program that tells what TERM is, beside Bubble Tea and this package.
const silent = `package main

import (
	"fmt"
	"os"

	_ "github.com/charmbracelet/bubbletea"

	"PATH/tui/darkfirst"
)

func main() {
	darkfirst.Restore()
	fmt.Println("TERM is", os.Getenv("TERM"))
}
`

// TestNothingIsAsked builds a program with a path that sorts after Bubble Tea's, with this package in it, and runs it in
// a terminal: it writes no query, and TERM is what it was.
func TestNothingIsAsked(t *testing.T) {
	const path = "github.com/zz/asldb"
	files := map[string]string{"main.go": strings.ReplaceAll(silent, "PATH", path)}
	for name, from := range map[string]string{
		"go.mod": "../../go.mod", "go.sum": "../../go.sum", "tui/darkfirst/darkfirst.go": "darkfirst.go",
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	dir := testkit.New(t, files)
	program := filepath.Join(dir, "program")
	for _, args := range [][]string{
		{"mod", "edit", "-module", path}, {"build", "-trimpath", "-mod=mod", "-o", program, "."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// The packages of others are compiled for the release.
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	written, _ := io.ReadAll(tty) // Linux says that the other side is closed by an error
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := string(written); got != "TERM is xterm-256color\r\n" {
		t.Errorf("it writes %q", got)
	}
}

// TestPathSortsBeforeUnix fails where the module has a path with which Bubble Tea is initialised first.
func TestPathSortsBeforeUnix(t *testing.T) {
	type here struct{}
	own, last := reflect.TypeFor[here]().PkgPath(), reflect.TypeFor[unix.Termios]().PkgPath()
	if own >= last {
		t.Errorf("%s sorts after %s, so Go initialises it later: choose another path for the module", own, last)
	}
}
