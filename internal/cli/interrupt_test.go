package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != StatusInterrupted {
		t.Errorf("exit status: %v, want %d", err, StatusInterrupted)
	}
	want := "asldb: interrupted in the state \"W\" at the virtual time 2026-01-01T00:00:00Z\n"
	if stderr.String() != want {
		t.Errorf("standard error: %q", stderr.String())
	}
}
