//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
)

// faulty is a definition with a task that a person answers, and its file.
func faulty(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "asked.asl.json")
	text := `{"StartAt":"Ask","States":{"Ask":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:ask","Next":"Last"},"Last":{"Type":"Pass","End":true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// faultyCommand runs the program with the fault, which keeps its state in a folder.
func faultyCommand(t *testing.T, state string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Args[0] = "asldb-faulty"
	cmd.Env = []string{"ASLDB_STATE=" + state, "GORACE=atexit_sleep_ms=0"}
	return cmd
}

// answerByHand runs to the question, answers it, and lets the fault happen. It returns the message.
func answerByHand(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	term := startCommand(t, cmd)
	before := newMode(t)
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor("What does Ask return?", patience)
	term.press(`{"by": "hand", "secret": "tr0mbone"}` + "\r")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("exit status %d", status)
	}
	term.drawn.Wait()
	if got := term.modeOf(); !reflect.DeepEqual(got, before) {
		t.Errorf("the terminal's mode is %+v, and was %+v", got, before)
	}
	_, report, found := strings.Cut(term.raw.String(), "asldb: a fault in asldb itself")
	if !found || !strings.Contains(report, "a fault by the test") || !strings.Contains(report, "faultyprogram_test.go") || !strings.Contains(report, "asldb devel") && !strings.Contains(report, "\r\nasldb ") {
		t.Fatalf("the fault is not told: %s", report)
	}
	return report
}

// savedTrace is the trace that a report names.
func savedTrace(t *testing.T, report string) string {
	t.Helper()
	name := regexp.MustCompile(`asldb replay (\S+)`).FindStringSubmatch(report)
	if name == nil {
		t.Fatalf("no trace is named: %s", report)
	}
	return name[1]
}

// TestAFaultSavesTheSession: the answers are in a trace that the message names, which only the user can read.
func TestAFaultSavesTheSession(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	trace := savedTrace(t, answerByHand(t, faultyCommand(t, state, "debug", faulty(t))))
	if dir := filepath.Dir(trace); dir != filepath.Join(state, "faults") {
		t.Errorf("it is saved in %s", dir)
	}
	if info, err := os.Stat(trace); err != nil || info.Mode() != 0o600 {
		t.Errorf("the trace is %v, %v", info.Mode(), err)
	}
	data, err := os.ReadFile(trace)
	if err != nil || !strings.Contains(string(data), `"by":"hand"`) {
		t.Errorf("the answer is not in the trace: %s, %v", data, err)
	}
	var out, problems strings.Builder
	if status := Main([]string{"replay", "--verify", trace}, strings.NewReader(""), &out, &problems); status != command.StatusOK {
		t.Errorf("status %d: %s%s", status, out.String(), problems.String())
	}
	term := start(t, "replay", trace)
	term.waitFor("READY", firstFrame)
	term.press("c")
	term.waitFor(`"by": "hand"`, patience)
}

// TestAFaultKeepsSecrets: values that --redact leaves out of the trace are left out of the one after a fault.
func TestAFaultKeepsSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trace := savedTrace(t, answerByHand(t, faultyCommand(t, dir, "debug", faulty(t), "--trace", filepath.Join(dir, "own.trace"), "--redact", "$..secret")))
	data, err := os.ReadFile(trace)
	if err != nil || !strings.Contains(string(data), `"by":"hand"`) || strings.Contains(string(data), "tr0mbone") {
		t.Errorf("the trace is %s, %v", data, err)
	}
}

// TestAFaultWhileSaving is told, and so is the one before.
func TestAFaultWhileSaving(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	report := answerByHand(t, faultyCommand(t, state, "debug", faulty(t)))
	for _, text := range []string{"The run could not be saved: ", "It was saved nowhere: 1 answer that you gave to tasks"} {
		if !strings.Contains(report, text) {
			t.Errorf("it does not say %q: %s", text, report)
		}
	}
}

// TestAFaultWithoutAScreen saves the answers from standard input.
func TestAFaultWithoutAScreen(t *testing.T) {
	t.Parallel()
	cmd := faultyCommand(t, t.TempDir(), "run", faulty(t), "--on-missing", "ask")
	cmd.Stdin = strings.NewReader(`{"by": "hand"}` + "\n")
	cmd.Env = append(os.Environ(), cmd.Env...)
	var report strings.Builder
	cmd.Stderr = &report
	_ = cmd.Run()
	if status := cmd.ProcessState.ExitCode(); status != command.StatusUsage || !strings.Contains(report.String(), "a fault by the test") {
		t.Fatalf("status %d: %s", status, report.String())
	}
	data, err := os.ReadFile(savedTrace(t, report.String()))
	if err != nil || !strings.Contains(string(data), `"by":"hand"`) {
		t.Errorf("the trace is %s, %v", data, err)
	}
}

// A fault of a command without a screen of a session is told as any other is.
func TestAFaultOfACommand(t *testing.T) {
	var told strings.Builder
	s := &command.Streams{In: strings.NewReader(""), Out: faultyWriter{}, Err: &told, Now: time.Now}
	if status := execute([]string{"keys"}, s); status != command.StatusUsage {
		t.Errorf("exit status %d", status)
	}
	if !strings.HasPrefix(told.String(), "asldb: a fault in asldb itself ended the command: a fault by the test\nPlease report it") || !strings.Contains(told.String(), "faultyprogram_test.go") {
		t.Errorf("it says %s", told.String())
	}
}
