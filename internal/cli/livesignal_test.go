//go:build unix

package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"asldb/internal/cli/command"
)

// A run that a signal ends takes its calls with it.
func TestASignalEndsWhatIsCalled(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for signal, want := range map[os.Signal]int{
		os.Interrupt: command.StatusInterrupted, syscall.SIGTERM: command.StatusTerminated, syscall.SIGHUP: command.StatusHangup, syscall.SIGQUIT: command.StatusQuit,
	} {
		if ossignal.Ignored(signal) { // as below nohup
			continue
		}
		dir := t.TempDir()
		definition, fixture := liveDefinition(t, dir)
		var stderr strings.Builder
		cmd := exec.Command(program)
		cmd.Args = []string{"asldb", "run", definition, "--fixtures", fixture, "--allow-live"}
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		pid := calledProcess(t, dir)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != want || !strings.Contains(stderr.String(), ` in the state "A"`) {
			t.Errorf("%v: %v with %q, want status %d", signal, err, stderr.String(), want)
		}
		watchdog.Stop()
		if syscall.Kill(pid, 0) == nil { // who called it has waited for it
			t.Errorf("%v: the command continues", signal)
		}
	}
}

// A signal ends a run though an execution that it has started turns round without end.
func TestASignalEndsAChild(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.json":    `{"StartAt":"A","States":{"A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:a","End":true,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"B"}]},"B":{"Type":"Succeed"}}}`,
		"loop.json": `{"StartAt":"T","States":{"T":{"Type":"Pass","Next":"U"},"U":{"Type":"Choice","Choices":[{"Variable":"$.x","IsPresent":true,"Next":"V"}],"Default":"T"},"V":{"Type":"Succeed"}}}`,
		"f.yaml":    "version: 1\ntasks: {A: [{asldb: loop.json}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	cmd := exec.Command(program, "run", "m.json", "--fixtures", "f.yaml", "--max-history", "0", "--events")
	cmd.Args[0], cmd.Dir, cmd.Stderr = "asldb", dir, &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); { // the output before the run waits for the child
		if strings.Contains(lines.Text(), "TaskScheduled") {
			break
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != command.StatusInterrupted || !strings.Contains(stderr.String(), `interrupted in the state "A"`) {
		t.Errorf("%v with %q", err, stderr.String())
	}
	watchdog.Stop()
}
