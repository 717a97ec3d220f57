package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/fixtures"
	"asldb/internal/cli/command"
	"asldb/internal/cli/recordings"
	"asldb/internal/cli/runs"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
)

// brokenOutput is a standard output that takes nothing.
type brokenOutput struct{}

var errClosed = errors.New("the other end is closed")

func (brokenOutput) Write([]byte) (int, error) { return 0, errClosed }

func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, flags := range [][]string{nil, {"--events"}} {
		var stderr bytes.Buffer
		args := append([]string{"run", "-", "--input", "1"}, flags...)
		text := `{"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}`
		if status := Main(args, strings.NewReader(text), brokenOutput{}, &stderr); status != command.StatusUsage {
			t.Errorf("%v: exit status %d, want %d", flags, status, command.StatusUsage)
		}
		if !strings.Contains(stderr.String(), errClosed.Error()) {
			t.Errorf("%v: standard error %q does not say why", flags, stderr.String())
		}
	}
}

// TestSeedAndStart: the flags win over the fixtures, the fixtures over the defaults.
func TestSeedAndStart(t *testing.T) {
	wall := time.Date(2026, 5, 4, 3, 2, 1, 123456789, time.FixedZone("", 3600))
	s := &command.Streams{In: strings.NewReader(""), Err: io.Discard, Now: func() time.Time { return wall }}
	name := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(name, []byte(`{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	inFile, seed := time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600)), int64(7)
	file := &fixtures.File{StartTime: &inFile, Seed: &seed}
	for _, c := range []struct {
		args  []string
		file  *fixtures.File
		seed  int64
		start string
	}{
		{nil, nil, 1, "2026-05-04T02:02:01.123Z"},
		{nil, file, 7, "2026-01-01T00:00:00Z"},
		{[]string{"--seed", "1", "--start-time", "2025-01-01T00:00:00+01:00"}, file, 1, "2024-12-31T23:00:00Z"},
	} {
		cmd, options := runs.NewDebug(s, &recordings.Debugged{}), &sessions.Flags{}
		cmd.ResetFlags()
		options.AddRunTo(cmd)
		if err := cmd.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		options.Spec.Definition.File, options.Spec.Fixtures.File = name, c.file
		session := sessionOf(t, s, options)
		if got := session.Options().Seed; got != c.seed {
			t.Errorf("%v: seed %d, want %d", c.args, got, c.seed)
		}
		if got := session.Options().Start.Format(time.RFC3339Nano); got != c.start {
			t.Errorf("%v: start %s, want %s", c.args, got, c.start)
		}
	}
}

// TestPacedRunTakesTime: a clock of a factor sleeps, but that much shorter.
func TestPacedRunTakesTime(t *testing.T) {
	var stdout, stderr bytes.Buffer
	text := `{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 3600, "End": true}}}`
	began := time.Now()
	status := Main([]string{"run", "-", "--clock", "x100000", "--input", "1"}, strings.NewReader(text), &stdout, &stderr)
	if status != command.StatusOK || stdout.String() != "1\n" {
		t.Errorf("exit status %d, %q, %q", status, stdout.String(), stderr.String())
	}
	if took := time.Since(began); took < 36*time.Millisecond {
		t.Errorf("an hour at x100000 took %v, less than 36ms", took)
	}
}

// TestDemoShowsWhatItPromises runs the built-in example to its end and looks for every kind of event that
// its description names.
func TestDemoShowsWhatItPromises(t *testing.T) {
	var stderr bytes.Buffer
	s := &command.Streams{In: strings.NewReader(""), Err: &stderr, Now: time.Now}
	cmd, options := runs.NewDemo(s), &sessions.Flags{}
	cmd.ResetFlags()
	options.Rows(cmd).Add(launch.Running).Unattended()
	if err := runs.UseDemo(&options.Spec); err != nil {
		t.Fatal(err)
	}
	session := sessionOf(t, s, options)
	if stderr.Len() > 0 {
		t.Errorf("the example has warnings:\n%s", stderr.String())
	}
	stop, err := session.Do(debug.Command{Kind: debug.Continue})
	if err != nil || stop.Reason != debug.StoppedAtEnd || session.Status() != engine.Succeeded {
		t.Fatalf("stopped for reason %d (%v), %v, %s %v", stop.Reason, stop.Err, err, session.Status(), session.Failure())
	}
	seen := make(map[engine.EventType]int)
	for i := range session.Log().Len() {
		seen[session.Log().At(i).Type]++
	}
	for kind, want := range map[engine.EventType]int{
		engine.RetryScheduled: 2, engine.ErrorCaught: 2, engine.WaitStarted: 1, engine.ParallelSucceeded: 1, engine.MapSucceeded: 1,
		engine.BranchStarted: 2, engine.IterationStarted: 3, engine.StateFailed: 0,
	} {
		if seen[kind] != want {
			t.Errorf("%d events %v, want %d", seen[kind], kind, want)
		}
	}
	if lasted := session.Now().Sub(session.Options().Start); lasted < time.Hour || lasted > 2*time.Hour {
		t.Errorf("the example lasts %v of virtual time, and its Wait is an hour", lasted)
	}
}
