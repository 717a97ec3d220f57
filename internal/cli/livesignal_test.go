//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run that a signal ends takes what it has called with it.
func TestASignalEndsWhatIsCalled(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for signal, want := range map[os.Signal]int{os.Interrupt: StatusInterrupted, syscall.SIGTERM: StatusTerminated} {
		dir := t.TempDir()
		write := func(name, text string) string {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}
		definition := write("m.json", `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true}}}`)
		fixture := write("f.yaml", "version: 1\ntasks:\n  A:\n    - exec: {grace: 0.1, command: [sh, -c, \"trap '' TERM; echo $$ > part; mv part pid; sleep 60; sleep 60\"]}\n")
		var stderr strings.Builder
		cmd := exec.Command(program)
		cmd.Args = []string{"asldb", "run", definition, "--fixtures", fixture, "--allow-live"}
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		pid := 0
		for deadline := time.Now().Add(30 * time.Second); pid == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if data, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
				pid, _ = strconv.Atoi(strings.TrimSpace(string(data)))
			}
		}
		if pid == 0 {
			t.Fatalf("the command does not begin: %s", stderr.String())
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != want || !strings.Contains(stderr.String(), `ed in the state "A"`) {
			t.Errorf("%v: %v with %q, want status %d", signal, err, stderr.String(), want)
		}
		watchdog.Stop()
		if syscall.Kill(pid, 0) == nil { // who called it has waited for it
			t.Errorf("%v: the command goes on", signal)
		}
	}
}
