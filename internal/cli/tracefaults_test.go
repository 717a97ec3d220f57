//go:build unix

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/launch"
	"asldb/recorder"
)

// endless counts in a loop until its history is too long; its data is large enough to make a long trace.
const endless = `{"StartAt": "A", "States": {
	"A": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)", "text.$": "States.Format('{}-{}', $.n, $.text)"}, "ResultPath": "$.new", "Next": "B"},
	"B": {"Type": "Pass", "Parameters": {"n.$": "$.new.n", "text.$": "$.text"}, "Next": "C"},
	"C": {"Type": "Choice", "Choices": [{"Variable": "$.n", "IsString": true, "Next": "D"}], "Default": "A"},
	"D": {"Type": "Succeed"}}}`

// itself returns a command that runs asldb: under that name the test's program is the command, see TestMain.
func itself(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	cmd.Args = append([]string{"asldb"}, args...)
	return cmd
}

func endlessRun(t *testing.T, events int, args ...string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(t.TempDir(), "endless.json")
	if err := os.WriteFile(file, []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	return itself(t, append([]string{"run", file, "--input", `{"n": 0, "text": "` + strings.Repeat("text ", 40) + `"}`,
		"--max-history", fmt.Sprint(events)}, args...)...)
}

// A recording that is killed leaves a trace of all that happened before: at most its last line is cut.
func TestKilledRecording(t *testing.T) {
	for _, wait := range []int64{1, 100_000, 3_000_000} {
		trace := filepath.Join(t.TempDir(), "run.trace")
		cmd := endlessRun(t, 100_000_000, "--trace", trace)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if !grows(trace, wait) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("the trace has not come to %d bytes", wait)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("it ended by itself")
		}
		// One byte is there before the first event is: of a run killed then the header may be all.
		checkTrace(t, trace, min(wait-1, 1))
		// The lock was the killed process's and ended with it.
		if out, err := endlessRun(t, 10, "--trace", trace, "--trace-replace").CombinedOutput(); !strings.Contains(string(out), "maximum number") {
			t.Errorf("the trace cannot be replaced: %v\n%s", err, out)
		}
	}
}

// A trace that is removed while it is recorded is told of at once, and the run continues.
func TestTraceRemovedWhileItIsRecorded(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "run.trace")
	cmd := endlessRun(t, 100_000_000, "--trace", trace)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	if !grows(trace, 1) {
		t.Error("nothing is recorded")
	}
	if err := os.Remove(trace); err != nil {
		t.Error(err)
	}
	lines, told := bufio.NewScanner(stderr), ""
	for told == "" && lines.Scan() {
		told = lines.Text()
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !strings.Contains(told, "the file was removed or renamed while it was recorded; the run continues") {
		t.Errorf("it says %q", told)
	}
}

// grows waits until a file has so many bytes: on a machine that is busy with other things it may take long until a
// program has begun to write.
func grows(name string, size int64) bool {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(name); err == nil && info.Size() >= size {
			return true
		}
	}
	return false
}

// checkTrace reads every event of a trace, which may be cut in its last line, and returns how many there are.
func checkTrace(t *testing.T, name string, least int64) int64 {
	t.Helper()
	trace, err := recorder.Open(name, launch.Formats())
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	for _, warning := range trace.Warnings() {
		if !warning.Cut {
			t.Errorf("%v", warning.Error())
		}
	}
	run := trace.Last()
	for event, err := range run.All() {
		if err != nil {
			t.Fatal(err)
		}
		if event.Seq > 1 && event.Visit == nil {
			t.Fatalf("event %d has no visit", event.Seq)
		}
	}
	if run.Len() < least {
		t.Errorf("%d events", run.Len())
	}
	return run.Len()
}

// The events before a run waits for an answer are in the trace already.
func TestKilledWhileItWaits(t *testing.T) {
	dir := t.TempDir()
	file, trace := filepath.Join(dir, "ask.json"), filepath.Join(dir, "run.trace")
	text := `{"StartAt": "P", "States": {"P": {"Type": "Pass", "Next": "T"}, "T": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:1:function:f", "End": true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := itself(t, "run", file, "--on-missing", "ask", "--trace", trace)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "its result, as JSON") {
			break
		}
	}
	// A run that has stopped has written everything, so that nothing is to be waited for.
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	// ExecutionStarted, StateEntered, StateExited or stages of P, StateEntered of T, TaskScheduled
	opened, err := recorder.Open(trace, launch.Formats())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	last, err := opened.Last().Event(opened.Last().Len())
	if err != nil || last.Type.String() != "TaskScheduled" || len(opened.Warnings()) > 0 {
		t.Errorf("the last event is %+v, %v, %v", last, err, opened.Warnings())
	}
}

// Two processes cannot record in one file.
func TestTwoProcessesOneTrace(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "run.trace")
	first := endlessRun(t, 100_000_000, "--trace", trace)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Process.Kill(); _ = first.Wait() }()
	for range 1000 {
		if info, err := os.Stat(trace); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, args := range [][]string{{"--trace", trace}, {"--trace", trace, "--trace-replace"}} {
		out, err := endlessRun(t, 10, args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != command.StatusUsage || !strings.Contains(string(out), "another process is recording in it") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// TestTraceOnAFullDisk records under a limit of the size of files, which the system keeps as it keeps a disk's.
func TestTraceOnAFullDisk(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	trace := filepath.Join(t.TempDir(), "run.trace")
	run := endlessRun(t, 3000, "--trace", trace)
	cmd := exec.Command(shell, append([]string{"-c", `ulimit -f 100; trap "" XFSZ; exec -a asldb "$0" "$@"`, run.Path}, run.Args[1:]...)...)
	if bash, err := exec.LookPath("bash"); err == nil {
		cmd.Path, cmd.Args[0] = bash, bash // exec -a
	} else {
		t.Skip("no bash")
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != command.StatusFailed || !strings.Contains(string(out), "maximum number of history events (3000)") {
		t.Fatalf("the run did not continue: %v\n%s", err, out)
	}
	if got := strings.Count(string(out), "cannot continue recording in"); got != 1 || !strings.Contains(string(out), "file too large") {
		t.Errorf("the person is told %d times:\n%s", got, out)
	}
	trace1 := checkTrace(t, trace, 10)
	if !strings.Contains(string(out), fmt.Sprintf("the trace keeps %d events", trace1)) {
		t.Errorf("the trace has %d events, and the message says:\n%s", trace1, out)
	}
}

// A pipe without a reader ends the recording, not the run.
func TestTraceIntoAClosedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	go func() {
		file, err := os.Open(pipe)
		if err != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, file, 1000)
		file.Close()
	}()
	out, err := endlessRun(t, 3000, "--trace", pipe).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != command.StatusFailed || !strings.Contains(string(out), "maximum number of history events (3000)") {
		t.Fatalf("the run did not continue: %v\n%s", err, out)
	}
	if strings.Count(string(out), "broken pipe; the run continues") != 1 {
		t.Errorf("the person is told:\n%s", out)
	}
}
