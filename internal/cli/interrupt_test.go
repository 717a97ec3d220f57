package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"asldb/internal/cli/command"
)

// unending is a definition whose expression runs for ever, as far as a person is concerned.
const unending = `{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"},
	"B": {"Type": "Pass", "Output": "{% ($f := function($n){ $f($n + 1) }; $f(1)) %}", "End": true}}}`

// TestSignalsInterruptAnEvaluation sends signals to a run in the middle of an evaluation. It ends at once, the step has
// not happened, and the trace has nothing of it.
func TestSignalsInterruptAnEvaluation(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		signal os.Signal
		status int
		word   string
	}{{os.Interrupt, command.StatusInterrupted, "interrupted"}, {syscall.SIGTERM, command.StatusTerminated, "terminated"}} {
		dir := t.TempDir()
		file, traced := filepath.Join(dir, "unending.json"), filepath.Join(dir, "run.trace")
		if err := os.WriteFile(file, []byte(unending), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program)
		cmd.Args = []string{"asldb", "run", file, "--trace", traced, "--start-time", "2026-01-01T00:00:00Z", "--max-evaluation", "2000000000"}
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		for { // the header is written when the run begins
			if data, _ := os.ReadFile(traced); len(data) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		if err := cmd.Process.Signal(test.signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != test.status {
			t.Errorf("exit status: %v, want %d", err, test.status)
		}
		watchdog.Stop()
		want := "asldb: " + test.word + " in the state \"B\" at the virtual time 2026-01-01T00:00:00Z\n"
		if stderr.String() != want {
			t.Errorf("standard error: %q", stderr.String())
		}
		data, err := os.ReadFile(traced)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, `"type":"StateEntered"`) || !strings.Contains(last, `"state":"B"`) {
			t.Errorf("the trace ends with %s", last)
		}
		if strings.Contains(string(data), "Failed") {
			t.Errorf("the trace has a failure:\n%s", data)
		}
	}
}

// TestInterruptStopsARun sends SIGINT to a run that waits an hour of real time.
func TestInterruptStopsARun(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "wait.json")
	text := `{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 3600, "End": true}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// Under the name asldb the test's program is the command: see TestMain.
	cmd := exec.Command(program)
	cmd.Args = []string{"asldb", "run", file, "--clock", "real", "--events", "--start-time", "2026-01-01T00:00:00Z"}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"type":"WaitStarted"`) {
			break // the events up to here are written before it sleeps
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != command.StatusInterrupted {
		t.Errorf("exit status: %v, want %d", err, command.StatusInterrupted)
	}
	want := "asldb: interrupted in the state \"W\" at the virtual time 2026-01-01T00:00:00Z\n"
	if stderr.String() != want {
		t.Errorf("standard error: %q", stderr.String())
	}
}

// TestASignalEndsAnExploration sends SIGTERM to an exploration of millions of runs. It ends with a report of what is
// known.
func TestASignalEndsAnExploration(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var states strings.Builder
	for i := range 300 {
		fmt.Fprintf(&states, `"T%d":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:f","ResultPath":"$.t%d",
			"Retry":[{"ErrorEquals":["A","B","C"]}],"Catch":[{"ErrorEquals":["States.ALL"],"Next":"T%d"}],"Next":"T%d"},`, i, i, i+1, i+1)
	}
	file := filepath.Join(t.TempDir(), "long.json")
	text := `{"StartAt":"T0","States":{` + states.String() + `"T300":{"Type":"Succeed"}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for patience := time.Second; ; patience *= 2 { // the first run has to be done
		cmd := exec.Command(program)
		cmd.Args = []string{"asldb", "explore", file, "--pairs", "--runs", "0"}
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(time.Minute+patience, func() { _ = cmd.Process.Kill() })
		time.Sleep(patience)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		watchdog.Stop()
		if stdout.Len() == 0 && patience < 10*time.Second {
			continue
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != command.StatusTerminated || stderr.String() != "asldb: terminated\n" {
			t.Errorf("%v: %s", err, stderr.String())
		}
		if !strings.Contains(stdout.String(), ": it was interrupted\n") { // in the runs, or while they were planned
			t.Errorf("the report is\n%s", stdout.String())
		}
		return
	}
}
