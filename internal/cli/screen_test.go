//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"asldb/internal/cli/command"
)

const (
	screenRows, screenCols = 30, 100
	// firstFrame bounds the time to the first frame. A terminal that answers no query used to hold it up
	// for five seconds; without that it is there at once.
	firstFrame = 4 * time.Second
	// patience bounds the wait for everything else.
	patience = 20 * time.Second
)

// terminal is the built program on a pseudo-terminal that draws and answers nothing.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	tty    *os.File
	screen vt10x.Terminal
	drawn  sync.WaitGroup
	raw    bytes.Buffer // the output of the program; to be read when drawn is done
	before string       // the screen at the last key, until something is waited for
}

// start runs the program with the terminal as its standard input.
func start(t *testing.T, args ...string) *terminal {
	t.Helper()
	return startWith(t, nil, args...)
}

// startWith runs the program with stdin as its standard input, and the terminal for the rest.
func startWith(t *testing.T, stdin io.Reader, args ...string) *terminal {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return startProgram(t, stdin, program, args...)
}

// startProgram runs any program on a terminal.
func startProgram(t *testing.T, stdin io.Reader, program string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(program, args...)
	if stdin != nil {
		cmd.Stdin = stdin
	}
	return startCommand(t, cmd)
}

// startCommand runs a command on a terminal. What cmd.Env has is added to the environment.
func startCommand(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	var err error
	term := &terminal{t: t, cmd: cmd, screen: vt10x.New(vt10x.WithSize(screenCols, screenRows))}
	// A TERM that Bubble Tea expects answers of.
	term.cmd.Env = append(
		append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE=",
			"XDG_CONFIG_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir()),
		cmd.Env...)
	// The terminal is the controlling one by standard output, which is never anything else.
	attributes := &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if term.tty, err = pty.StartWithAttrs(term.cmd, &pty.Winsize{Rows: screenRows, Cols: screenCols}, attributes); err != nil {
		t.Fatal(err)
	}
	term.drawn.Go(func() {
		// Parse, unlike Write, waits for the rest of a character that a read has cut in two.
		for in := bufio.NewReader(io.TeeReader(term.tty, &term.raw)); term.screen.Parse(in) == nil; {
		}
	})
	t.Cleanup(func() {
		_ = term.cmd.Process.Kill()
		_ = term.tty.Close()
		term.drawn.Wait()
	})
	return term
}

// waitFor waits until the screen shows text. What the screen showed when the last key was pressed already says nothing
// about what the key did: such a wait is a mistake of the test.
func (term *terminal) waitFor(text string, bound time.Duration) {
	term.t.Helper()
	if strings.Contains(term.before, text) {
		term.t.Errorf("%q was on the screen before the key was pressed", text)
	}
	term.before = ""
	for end := time.Now().Add(bound); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(term.screen.String(), text) {
			return
		}
	}
	term.t.Fatalf("the screen does not show %q within %v:\n%s", text, bound, term.screen.String())
}

// waitForAgain waits until the screen shows text at more places than when the last key was pressed.
func (term *terminal) waitForAgain(text string) {
	term.t.Helper()
	times := strings.Count(term.before, text)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Count(term.screen.String(), text) > times {
			term.before = ""
			return
		}
	}
	term.t.Fatalf("the screen does not show %q again within %v:\n%s", text, patience, term.screen.String())
}

// waitUntilGone waits until a text that the screen shows is not there any more. After Escape it comes before the next
// key: the two in one breath are another key.
func (term *terminal) waitUntilGone(text string) {
	term.t.Helper()
	term.before = ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if !strings.Contains(term.screen.String(), text) {
			return
		}
	}
	term.t.Fatalf("the screen still shows %q after %v:\n%s", text, patience, term.screen.String())
}

func (term *terminal) press(keys string) {
	term.t.Helper()
	term.before = term.screen.String()
	if _, err := term.tty.WriteString(keys); err != nil {
		term.t.Fatal(err)
	}
}

func (term *terminal) resize(rows, cols int) {
	term.t.Helper()
	term.screen.Resize(cols, rows)
	if err := pty.Setsize(term.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		term.t.Fatal(err)
	}
}

// quit presses q and returns the exit status.
func (term *terminal) quit() int {
	term.t.Helper()
	term.press("q")
	return term.wait()
}

// wait waits for the program's end and returns its exit status.
func (term *terminal) wait() int {
	term.t.Helper()
	watchdog := time.AfterFunc(patience, func() {
		term.t.Errorf("the program has not ended within %v", patience)
		_ = term.cmd.Process.Kill()
	})
	defer watchdog.Stop()
	var exit *exec.ExitError
	term.before = "" // at its end all is drawn
	if err := term.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		term.t.Fatal(err)
	}
	return term.cmd.ProcessState.ExitCode()
}

// TestDemoOnATerminal steps through the demo in the real program.
func TestDemoOnATerminal(t *testing.T) {
	term := start(t, "demo", "--break", "ChargeCard:error")
	term.waitFor("READY", firstFrame)
	term.waitFor("ValidateOrder", patience)
	term.press("s")
	term.waitFor("ValidateOrder › input", patience)
	term.press("iii") // three keys at once are three keys
	term.waitFor("ValidateOrder › Task", patience)
	term.waitFor(`    "total": 129.90`, patience)
	term.press("c")
	term.waitFor("BREAKPOINT", patience)
	term.waitFor("Card.Timeout", patience)
	term.press("ccc")
	term.waitFor("SUCCEEDED", patience)
	term.resize(12, 44)
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d, want %d", status, command.StatusOK)
	}
}

// TestInputByPipe: standard input has the input, the keys come from the terminal.
func TestInputByPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pass.json")
	text := `{"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	term := startWith(t, strings.NewReader(`{"from": "a pipe"}`), file, "--input", "-")
	term.waitFor(`"from": "a pipe"`, firstFrame)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d, want %d", status, command.StatusOK)
	}
}

// TestCtrlC stops a run in progress, and then quits with the status of an interrupt.
func TestCtrlC(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wait.json")
	text := `{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 3600, "End": true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	term := start(t, file, "--clock", "real")
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor("time goes (real time); any key stops the run", patience)
	term.press("\x03")
	term.waitFor("INTERRUPTED", patience)
	term.press("\x03")
	if status := term.wait(); status != command.StatusInterrupted {
		t.Errorf("exit status %d, want %d", status, command.StatusInterrupted)
	}
}

// Breakpoints and watches are there again in the next session, also after the definition has changed; --no-state
// leaves them alone.
func TestBreakpointsAreKept(t *testing.T) {
	dir := t.TempDir()
	definition := filepath.Join(dir, "order.asl.json")
	write := func(state string) {
		t.Helper()
		text := `{"StartAt":"` + state + `","States":{"` + state + `":{"Type":"Pass","Next":"Done"},"Done":{"Type":"Succeed"}}}`
		if err := os.WriteFile(definition, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	quit := func(term *terminal) {
		t.Helper()
		if status := term.quit(); status != 0 {
			t.Errorf("exit status %d", status)
		}
	}
	t.Setenv("ASLDB_STATE", filepath.Join(dir, "state"))
	write("First")
	term := start(t, "debug", definition)
	term.waitFor("READY", firstFrame)
	term.press("b")
	term.waitFor("Breakpoint set: First", patience)
	term.press("USecond\x7f\x7f\x7f\x7f\x7f\x7fDone if $.n > 1\r")
	term.waitFor("Breakpoint set: Done if $.n > 1", patience)
	quit(term)

	term = start(t, "debug", definition)
	term.waitFor("READY", firstFrame)
	term.press("B")
	term.waitFor("2 Done if $.n > 1", patience)
	term.press("z") // any key closes the list
	quit(term)

	write("Renamed")
	term = start(t, "debug", definition)
	term.waitFor("cannot be set", firstFrame)
	term.press("B")
	term.waitFor("1 Done if $.n > 1", patience)
	term.press("z") // any key closes the list
	quit(term)

	write("First") // output that did not fit before is not lost
	term = start(t, "debug", definition)
	term.waitFor("READY", firstFrame)
	term.press("B")
	term.waitFor("2 First", patience)
	term.press("z") // any key closes the list
	quit(term)

	term = start(t, "debug", definition, "--no-state")
	term.waitFor("READY", firstFrame)
	term.press("B")
	term.waitFor("▸●   uncaught error", patience)
}
