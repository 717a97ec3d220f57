//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"asldb/internal/cli/command"
)

// startDemo runs the demo with more in its environment.
func startDemo(t *testing.T, environment ...string) *terminal {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "demo", "--from-start", "--no-state")
	cmd.Env = environment
	return startCommand(t, cmd)
}

// TestColours: a terminal gets the colours that it shows, and none where it or the person wants none. A colour is
// 38;2;R;G;B (24 bits) or 38;5;N (256 colours).
func TestColours(t *testing.T) {
	for name, c := range map[string]struct {
		environment []string
		want        string // of the sequences of colours the one that is there; "" is none
	}{
		"true colour":      {[]string{"COLORTERM=truecolor"}, "38;2;"},
		"256 colours":      {[]string{"COLORTERM="}, "38;5;"},
		"a terminal in CI": {[]string{"COLORTERM=", "CI=true"}, "38;5;"},
		"NO_COLOR":         {[]string{"NO_COLOR=1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := startDemo(t, c.environment...)
			term.waitFor("READY", firstFrame)
			if status := term.quit(); status != command.StatusOK {
				t.Errorf("exit status %d", status)
			}
			term.drawn.Wait()
			for _, sequence := range []string{"38;2;", "38;5;"} {
				if n := strings.Count(term.raw.String(), sequence); (n > 0) != (sequence == c.want) {
					t.Errorf("%d times %s, want %q", n, sequence, c.want)
				}
			}
			if strings.Contains(term.raw.String(), "\x1b[3") && c.want == "" {
				for _, colour := range []string{"\x1b[30m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[35m", "\x1b[36m", "\x1b[37m"} {
					if strings.Contains(term.raw.String(), colour) {
						t.Errorf("it has the colour %q", colour)
					}
				}
			}
		})
	}
}

// TestDumbTerminal: a terminal that cannot move its cursor gets sentences and no sequence at all, and takes lines.
func TestDumbTerminal(t *testing.T) {
	for name, environment := range map[string][]string{"dumb": {"TERM=dumb"}, "asked for": {"ASLDB_PLAIN=1"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := startDemo(t, environment...)
			term.waitFor("help lists the commands.", firstFrame)
			term.press("break ChargeCard\nc\n")
			term.waitFor("breakpoint 1: ChargeCard, hit 1", patience)
			term.press("q\n")
			if status := term.wait(); status != command.StatusOK {
				t.Errorf("exit status %d", status)
			}
			term.drawn.Wait()
			text := term.raw.String()
			if strings.ContainsAny(text, "\x1b\x07\b") || !strings.Contains(text, "ChargeCard, Task.") {
				t.Errorf("%q", text)
			}
		})
	}
}

// TestNoScreenInAPipe: without a terminal nothing is drawn, asked or coloured.
func TestNoScreenInAPipe(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "demo", "--from-start", "--no-state")
	cmd.Args[0] = "asldb"
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "CLICOLOR_FORCE=1")
	out, _ := cmd.CombinedOutput()
	if status := cmd.ProcessState.ExitCode(); status != command.StatusUsage || !strings.Contains(string(out), "needs a terminal") || strings.Contains(string(out), "\x1b") {
		t.Errorf("status %d, %q", status, out)
	}
}

// TestThemes: light and dark are other colours.
func TestThemes(t *testing.T) {
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	first := func(theme string) string {
		term := startProgram(t, nil, program, "demo", "--from-start", "--no-state", "--theme", theme)
		term.waitFor("READY", firstFrame)
		term.quit()
		term.drawn.Wait()
		_, rest, _ := strings.Cut(term.raw.String(), "38;2;")
		colour, _, _ := strings.Cut(rest, "m")
		return colour
	}
	if dark, light := first("dark"), first("light"); dark == light || dark == "" {
		t.Errorf("the first colour is %q in the dark theme and %q in the light one", dark, light)
	}
}

// modeOf is the terminal's mode.
func (term *terminal) modeOf() *xterm.State {
	term.t.Helper()
	state, err := xterm.GetState(term.tty.Fd())
	if err != nil {
		term.t.Fatal(err)
	}
	return state
}

// newMode is the mode of a terminal that nothing has changed.
func newMode(t *testing.T) *xterm.State {
	t.Helper()
	outside, inside, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	defer inside.Close()
	state, err := xterm.GetState(inside.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// leave restores the terminal: the alternate screen off.
const leave = "\x1b[?1049l"

// TestSignalsEndTheScreen: from outside (the key Ctrl+C isn't a signal while the screen is up), when the screen is up,
// and in the moment at which the terminal is asked for its background. Its mode is the one before, and the status tells
// the signal.
func TestSignalsEndTheScreen(t *testing.T) {
	want := newMode(t)
	for signal, status := range map[syscall.Signal]int{
		syscall.SIGHUP: command.StatusHangup, syscall.SIGINT: command.StatusInterrupted, syscall.SIGQUIT: command.StatusQuit, syscall.SIGTERM: command.StatusTerminated,
	} {
		for _, early := range []bool{false, true} {
			name := signal.String()
			if early {
				name += " early"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				term := startDemo(t)
				if !early {
					term.waitFor("READY", firstFrame)
				}
				for end := time.Now().Add(patience); reflect.DeepEqual(term.modeOf(), want) && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				if err := term.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				if got := term.wait(); got != status {
					t.Errorf("exit status %d, want %d", got, status)
				}
				if got := term.modeOf(); !reflect.DeepEqual(got, want) {
					t.Errorf("the terminal's mode is %+v, and was %+v", got, want)
				}
				term.drawn.Wait()
				if text := term.raw.String(); strings.Count(text, "\x1b[?1049h") != strings.Count(text, leave) {
					t.Error("the terminal is left on the alternate screen")
				}
			})
		}
	}
}

// liveDefinition is a definition with a task, and fixtures that run a command for it which notes its number in the file
// pid of dir and does not end.
func liveDefinition(t *testing.T, dir string) (definition, fixture string) {
	t.Helper()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("m.json", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`),
		write("f.yaml", "version: 1\ntasks:\n  A:\n    - exec: {grace: 0.1, command: [sh, -c, \"trap '' TERM HUP; echo $$ > part; mv part pid; sleep 60; sleep 60\"]}\n")
}

// calledProcess waits for the number in the file pid of dir.
func calledProcess(t *testing.T, dir string) int {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
			return pid
		}
	}
	t.Fatal("the command does not begin")
	return 0
}

// TestAHangupEndsCalls: the terminal is gone, and the calls of the screen with it.
func TestAHangupEndsCalls(t *testing.T) {
	for name, hangUp := range map[string]func(t *testing.T, term *terminal){
		"signal": func(t *testing.T, term *terminal) {
			if err := term.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		},
		"terminal": func(t *testing.T, term *terminal) { term.hangUp() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			definition, fixture := liveDefinition(t, dir)
			term := start(t, definition, "--fixtures", fixture, "--allow-live", "--no-state")
			term.waitFor("READY", firstFrame)
			term.press("c")
			pid := calledProcess(t, dir)
			hangUp(t, term)
			if status := term.wait(); status != command.StatusHangup {
				t.Errorf("exit status %d, want %d", status, command.StatusHangup)
			}
			if syscall.Kill(pid, 0) == nil {
				t.Error("the command continues")
			}
		})
	}
}

// hangUp closes the terminal, as its window does.
func (term *terminal) hangUp() {
	_ = term.tty.Close()
	term.drawn.Wait()
}

// TestTheEditorHasTheTerminal: the program that $EDITOR names gets the terminal itself, with its keys and its signals,
// and the screen is back when it ends.
func TestTheEditorHasTheTerminal(t *testing.T) {
	open := func(t *testing.T, editor string) *terminal {
		term := startDemo(t, "VISUAL=", "EDITOR="+editor)
		term.waitFor("READY", firstFrame)
		term.press("ii")
		term.waitFor("ValidateOrder › input", patience)
		term.press("e")
		term.waitFor("ctrl+x", patience)
		term.press("\x18")
		return term
	}
	back := func(t *testing.T, term *terminal, text string) {
		t.Helper()
		term.waitFor(text, patience)
		term.waitFor("ctrl+x", patience) // the frame is whole
		term.press("\x1b")               // one key is enough
		term.waitUntilGone("ctrl+x")
		term.press("i")
		term.waitFor("ValidateOrder › Parameters", patience)
		if status := term.quit(); status != command.StatusOK {
			t.Errorf("exit status %d", status)
		}
		term.drawn.Wait()
		for what, sequence := range map[string]string{"mouse": "\x1b[?1002h", "window's title": "\x1b]2;asldb "} {
			if n := strings.Count(term.raw.String(), sequence); n != 2 {
				t.Errorf("the %s is set %d times: at the beginning, and when the screen is back", what, n)
			}
		}
	}
	t.Run("terminal", func(t *testing.T) {
		t.Parallel()
		term := open(t, `sh -c 'test -t 0 && test -t 1 && echo "{\"seen\": \"a terminal\"}" > "$1"' edit`)
		back(t, term, `"a terminal"`)
	})
	t.Run("keys", func(t *testing.T) {
		t.Parallel()
		term := open(t, `sh -c 'echo "type here"; read -r line && echo "\"$line\"" > "$1"; stty raw' edit`)
		term.waitFor("type here", patience)
		term.press("by hand\n")
		back(t, term, `"by hand"`)
	})
	t.Run("interrupt", func(t *testing.T) {
		t.Parallel()
		term := open(t, `sh -c 'echo "type here"; read -r line' edit`)
		term.waitFor("type here", patience)
		term.press("\x03")
		back(t, term, "signal: interrupt")
	})
	t.Run("not found", func(t *testing.T) {
		t.Parallel()
		back(t, open(t, "no-such-editor --wait"), "no-such-editor")
	})
}

// TestASignalWhileTheEditorIsOpen ends the editor, too.
func TestASignalWhileTheEditorIsOpen(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	file := editor + ".pid"
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho $$ > \"$0.pid\"; echo type here; while read -r line; do :; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	term := startDemo(t, "VISUAL=", "EDITOR="+editor)
	before := newMode(t)
	term.waitFor("READY", firstFrame)
	term.press("ii")
	term.waitFor("ValidateOrder › input", patience)
	term.press("e")
	term.waitFor("ctrl+x", patience)
	term.press("\x18")
	term.waitFor("type here", patience)
	if err := term.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := term.wait(); status != command.StatusTerminated {
		t.Errorf("exit status %d, want %d", status, command.StatusTerminated)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if pid, _ := strconv.Atoi(strings.TrimSpace(string(data))); pid == 0 || syscall.Kill(pid, 0) == nil {
		t.Errorf("the editor (%d) continues", pid)
	}
	if got := term.modeOf(); !reflect.DeepEqual(got, before) {
		t.Errorf("the terminal's mode is %+v, and was %+v", got, before)
	}
}

// TestAnEvaluationIsStopped: the screen names the evaluation, Esc stops it, and Ctrl+C ends the program at once.
// SIGTERM does, too.
func TestAnEvaluationIsStopped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "slow.json")
	text := `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Pass", "Output": "{% ($f := function($n){ $n = 0 ? 0 : $f($n - 1) }; $f(1e9)) %}", "End": true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		end    func(*terminal)
		status int
	}{
		"ctrl+c":     {func(term *terminal) { term.press("\x03") }, command.StatusInterrupted},
		"terminated": {func(term *terminal) { _ = term.cmd.Process.Signal(syscall.SIGTERM) }, command.StatusTerminated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := start(t, "debug", file, "--no-state")
			term.waitFor("READY", firstFrame)
			term.press("c")
			term.waitFor("evaluating …, Esc stops", patience)
			term.press("\x1b")
			term.waitFor("INTERRUPTED in an evaluation", patience)
			term.press("c")
			term.waitFor("evaluating …, Esc stops", patience)
			c.end(term)
			if status := term.wait(); status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			term.drawn.Wait()
			if screen := term.screen.String(); strings.Contains(screen, "goroutine") || strings.Contains(screen, "fault") {
				t.Errorf("it ends with\n%s", screen)
			}
		})
	}
}

// TestASecondSignalEndsAtOnce: a run waits for the end of its calls, unless a second signal comes.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	definition, fixture := liveDefinition(t, dir)
	data, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fixture, []byte(strings.Replace(string(data), "grace: 0.1", "grace: 600", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Args = []string{"asldb", "run", definition, "--fixtures", fixture, "--allow-live"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	pid := calledProcess(t, dir)
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	for ended := false; !ended; { // they may come too quickly after one another to be two
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-over:
			ended = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	if status := cmd.ProcessState.ExitCode(); status != command.StatusInterrupted {
		t.Errorf("exit status %d, want %d", status, command.StatusInterrupted)
	}
	for end := time.Now().Add(patience); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the command continues")
		}
	}
}

// link is a sequence that begins or ends a link, OSC 8.
var link = regexp.MustCompile(`\x1b\]8;;([^\x1b]*)\x1b\\`)

func withoutLinks(text string) string { return link.ReplaceAllString(text, "") }

// TestLinksOnATerminal: the name of a rule leads to its page on a terminal with colours, and nowhere else.
func TestLinksOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "order.asl.json")
	text := `{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true, "Nxt": 1}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		environment string
		flags       []string
		want        string
	}{
		"a terminal":        {"TERM=xterm-256color", nil, "https://states-language.net/"},
		"NO_COLOR":          {"NO_COLOR=1", nil, ""},
		"--no-color":        {"NO_COLOR=", []string{"--no-color"}, ""},
		"a dumb terminal":   {"TERM=dumb", nil, ""},
		"the Linux console": {"TERM=linux", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, append([]string{"validate", file}, c.flags...)...)
			cmd.Env = []string{c.environment}
			term := startCommand(t, cmd)
			term.wait()
			term.drawn.Wait()
			raw, got := term.raw.String(), ""
			if found := link.FindStringSubmatch(raw); found != nil {
				got = found[1]
			}
			if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") ||
				!strings.Contains(withoutLinks(raw), "[unknown-field]") {
				t.Errorf("the link is %q, want %q: %q", got, c.want, raw)
			}
		})
	}
	for _, args := range [][]string{{"validate", file}, {"validate", "--report", "text=" + file + ".txt", file}} {
		out, _ := exec.Command(program, args...).Output() // it has an error
		written, _ := os.ReadFile(file + ".txt")
		if strings.Contains(string(out)+string(written), "\x1b") {
			t.Errorf("%v: %q%q", args, out, written)
		}
	}
}

// Long causes continue below, indented, on a terminal; in a pipe a problem stays on one line.
func TestLongCausesOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "order.asl.json")
	text := `{"StartAt": "Stop", "States": {"Stop": {"Type": "Fail", "Error": "Card.Declined", "Cause": "` + strings.TrimSpace(strings.Repeat("the account has no funds ", 6)) + `", "Nxt": "A"}}}`
	if err := os.WriteFile(file, []byte(strings.Replace(text, `, "Nxt": "A"`, "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join(folder, "a.test.yaml")
	if err := os.WriteFile(suite, []byte("version: 1\ndefinition: order.asl.json\ncases: {pays: {expect: {status: SUCCEEDED}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	term := start(t, "test", "--no-state", suite)
	term.wait()
	term.drawn.Wait()
	if !regexp.MustCompile(`cause: the account [a-z ]+\r\n {10}[a-z]+ [a-z ]+\r\n`).MatchString(term.raw.String()) {
		t.Errorf("the cause is not broken between words:\n%s", term.raw.String())
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(folder, strings.Repeat("folder", 12)+".asl.json")
	if err := os.Rename(file, long); err != nil {
		t.Fatal(err)
	}
	term = start(t, "validate", long)
	term.wait()
	term.drawn.Wait()
	shown := withoutLinks(term.raw.String())
	if !strings.Contains(shown, ":1:") || !regexp.MustCompile(`\r\n    [^ ].*\[unknown-field\]\r\n`).MatchString(shown) {
		t.Errorf("the problem is not broken between words:\n%s", term.raw.String())
	}
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(program, "validate", long).Output() // it has an error
	if !regexp.MustCompile(`(?m)^/.*:1:\d+: error: .* \[unknown-field\]$`).Match(out) {
		t.Errorf("in a pipe the problem is not on one line:\n%s", out)
	}
}
