//go:build unix

package cli

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSuspend stops the program under a shell with job control, by its key and by a signal from outside, and brings
// it back: the shell has its own screen meanwhile, and the picture is there again afterwards.
func TestSuspend(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for name, stop := range map[string]func(t *testing.T, term *terminal){
		"key": func(_ *testing.T, term *terminal) { term.press("\x1a") },
		"signal": func(t *testing.T, term *terminal) {
			if err := syscall.Kill(term.child(), syscall.SIGTSTP); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := build()
			if err != nil {
				t.Fatal(err)
			}
			script := `echo "before"; "$0" demo --from-start; echo "in the shell"; read -r line; echo "typed $line"; fg >/dev/null; echo "status $?"`
			term := startProgram(t, nil, shell, "--norc", "-mc", script, program)
			term.waitFor("READY", firstFrame)
			term.press("ii")
			term.waitFor("ValidateOrder › input", patience)
			stop(t, term)
			term.waitFor("in the shell", patience)
			term.waitFor("before", patience) // the screen that was there before the program
			if strings.Contains(term.screen.String(), "READY") || strings.Contains(term.screen.String(), "ValidateOrder") {
				t.Errorf("the shell's screen shows the program:\n%s", term.screen.String())
			}
			term.resize(28, 90) // while it is stopped
			term.press("words\n")
			term.waitFor("ValidateOrder › input", patience)
			term.press("i")
			term.waitFor("ValidateOrder › Parameters", patience)
			term.press("q")
			term.waitFor("status 0", patience)
			term.waitFor("typed words", patience)
			term.wait()
			term.drawn.Wait()
			if n := strings.Count(term.raw.String(), "\x1b[?1002h"); n < 2 {
				t.Errorf("the mouse is switched on %d times; it was off while the shell had the screen", n)
			}
		})
	}
}

// TestTheEditorIsSuspended by the key, and asldb with it, as every program of a job: the shell has the terminal, and fg
// brings both back.
func TestTheEditorIsSuspended(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(shell, "--norc", "-mc", `"$0" demo --from-start --no-state; echo "in the shell"; fg >/dev/null; echo "status $?"`, program)
	cmd.Env = []string{"VISUAL=", `EDITOR=sh -c 'echo "type here"; read -r line; echo "\"$line\"" > "$1"' edit`}
	term := startCommand(t, cmd)
	term.waitFor("READY", firstFrame)
	term.press("ii")
	term.waitFor("ValidateOrder › input", patience)
	term.press("e")
	term.waitFor("ctrl+x", patience)
	term.press("\x18")
	term.waitFor("type here", patience)
	term.press("\x1a")
	term.waitFor("in the shell", patience)
	term.press("by hand\n")
	term.waitFor(`"by hand"`, patience)
	term.waitFor("ctrl+x", patience) // the frame is whole
	term.press("\x1b")
	term.waitUntilGone("ctrl+x")
	term.press("q")
	term.waitFor("status 0", patience)
	term.wait()
}

// child waits for the one process that the shell has started, and returns its number.
func (term *terminal) child() int {
	term.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		out, err := exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(term.cmd.Process.Pid)).Output()
		if fields := strings.Fields(string(out)); err == nil && len(fields) == 1 {
			if pid, err := strconv.Atoi(fields[0]); err == nil {
				return pid
			}
		}
	}
	term.t.Skip("ps does not tell the program's number")
	return 0
}

// TestTheWatcherIsSuspended by its key and by a signal: the shell has the terminal as it was meanwhile, and fg brings
// the watcher back, which then runs what was saved in between. q ends it with status 0 although cases fail.
func TestTheWatcherIsSuspended(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for name, stop := range map[string]func(t *testing.T, term *terminal){
		"key": func(_ *testing.T, term *terminal) { term.press("\x1a") },
		"signal": func(t *testing.T, term *terminal) {
			if err := syscall.Kill(term.child(), syscall.SIGTSTP); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := build()
			if err != nil {
				t.Fatal(err)
			}
			dir := writeWatched(t)
			cmd := exec.Command(shell, "--norc", "-mc", `"$0" test --watch --no-state; echo "in the shell"; read -r line; echo "typed $line"; fg >/dev/null; echo "status $?"`, program)
			cmd.Dir = dir
			term := startCommand(t, cmd)
			term.waitFor("Watching · 5 cases: 1 passed, 2 failed, 2 new", patience)
			term.waitFor("q quit", patience)
			stop(t, term)
			term.waitFor("in the shell", patience)
			term.press("some") // the terminal echoes what is typed, and takes it in by lines
			term.waitFor("some", patience)
			save(t, filepath.Join(dir, "order.test.yaml"), strings.Replace(watchedSuite, "Order.Wrong", "Order.Rejected", 1))
			term.press(" words\n")
			term.waitFor("typed some words", patience)
			term.waitFor("Watching · 5 cases: 2 passed, 1 failed, 2 new", patience)
			term.press("f")
			term.waitFor("1 case: 1 failed", patience)
			term.press("q")
			term.waitFor("status 0", patience)
			term.wait()
		})
	}
}
