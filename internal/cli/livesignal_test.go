//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
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
	for signal, want := range map[os.Signal]int{
		os.Interrupt: StatusInterrupted, syscall.SIGTERM: StatusTerminated, syscall.SIGHUP: StatusHangup, syscall.SIGQUIT: StatusQuit,
	} {
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
			t.Errorf("%v: the command goes on", signal)
		}
	}
}
