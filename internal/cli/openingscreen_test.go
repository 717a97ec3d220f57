//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"asldb/internal/cli/command"
)

// countdown is a loop of a task; its trace has about five kilobytes for each round.
const countdown = `{"StartAt":"Work","States":{
	"Work":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:123456789012:function:work","ResultPath":"$.work","Next":"Next"},
	"Next":{"Type":"Pass","Parameters":{"i.$":"States.MathAdd($.i,1)","n.$":"$.n"},"Next":"More"},
	"More":{"Type":"Choice","Choices":[{"Variable":"$.i","NumericLessThanPath":"$.n","Next":"Work"}],"Default":"Enough"},
	"Enough":{"Type":"Fail","Error":"Countdown.Over","Cause":"n was reached"}}}`

// longTrace records a run of the countdown.
func longTrace(t *testing.T, rounds string) (name string) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"countdown.asl.json": countdown,
		"fixtures.yaml":      "version: 1\nstartTime: 2026-01-01T09:00:00Z\ntasks: {Work: [{output: {done: true}, repeat: forever}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name = filepath.Join(dir, "long.trace")
	var out, errs bytes.Buffer
	status := Main(
		[]string{"run", filepath.Join(dir, "countdown.asl.json"), "--fixtures", filepath.Join(dir, "fixtures.yaml"),
			"--input", `{"i":0,"n":` + rounds + `}`, "--max-history", "0", "--trace", name},
		strings.NewReader(""),
		&out,
		&errs,
	)
	if status != command.StatusFailed {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return name
}

// A trace that is larger than what is read at once: the screen opens at its failure, and its first
// event is there when it has been run again.
func TestLargeTraceOnTheScreen(t *testing.T) {
	name := longTrace(t, "2000")
	if info, err := os.Stat(name); err != nil || info.Size() < 5<<20 {
		t.Fatalf("%v: the trace has %d bytes", err, info.Size())
	}
	term := start(t, "replay", name)
	term.waitFor("because no rule of More held", patience)
	// On the way there the screen shows the first events; the whole run has been read when its last ones are there.
	term.waitFor("22,005 events, 0s of virtual time", patience)
	term.waitUntilGone("ExecutionStarted")
	term.press("3")
	term.press("g")
	term.waitFor("ExecutionStarted", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}
}

// appendTo writes data behind a file.
func appendTo(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
}

// TestFollowInLines: without a screen a trace that grows is told as it comes, on a terminal between the lines that one
// types, and in a pipe, whose lines have ended, until the run is over.
func TestFollowInLines(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(longTrace(t, "3"))
	if err != nil {
		t.Fatal(err)
	}
	header := bytes.IndexByte(data, '\n') + 1
	middle := bytes.Index(data, []byte(`"state":"More","visit":2`)) // within a line
	name := filepath.Join(t.TempDir(), "live.trace")
	appendTo(t, name, data[:header])
	term := start(t, "replay", "--follow", "--plain", name)
	term.waitFor("help lists the commands.", firstFrame)
	appendTo(t, name, data[header:middle])
	term.waitFor("Next: StateExited -> More", patience)
	term.press("stages\n")
	term.waitFor("> stages", patience)
	appendTo(t, name, data[middle:])
	term.waitFor("not followed any more", patience)
	term.waitFor("Countdown.Over", patience)
	term.press("quit\n")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}

	piped := filepath.Join(t.TempDir(), "piped.trace")
	appendTo(t, piped, data[:middle])
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "replay", "--follow", "--plain", "--no-state", piped)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told, ended := "", false
	for lines := bufio.NewScanner(out); lines.Scan(); told += lines.Text() + "\n" {
		if lines.Text() == "> " { // no lines come
			appendTo(t, piped, data[middle:])
			ended = true
		}
	}
	if err := cmd.Wait(); err != nil || !ended || !strings.Contains(told, "not followed any more") ||
		!strings.Contains(told, "Countdown.Over") {
		t.Errorf("%v:\n%s", err, told)
	}
}

// A trace is followed from its first line to the end of the run, and a file that takes its place is reported.
func TestFollowOnTheScreen(t *testing.T) {
	data, err := os.ReadFile(longTrace(t, "3"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "live.trace")
	add := func(data []byte) { appendTo(t, name, data) }
	header := bytes.IndexByte(data, '\n') + 1
	middle := bytes.Index(data, []byte(`"state":"More","visit":2`)) // within a line
	add(data[:header])
	term := start(t, "replay", "--follow", name)
	term.waitFor("following", firstFrame)
	add(data[header:middle])
	term.waitFor("StateExited", patience)
	add(data[middle:])
	term.waitFor("not followed any more", patience)
	term.waitFor("Countdown.Over", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}

	if err := os.WriteFile(name, data[:middle], 0o600); err != nil {
		t.Fatal(err)
	}
	term = start(t, "replay", "--follow", name)
	term.waitFor("following", firstFrame)
	if err := os.Truncate(name, int64(header)); err != nil {
		t.Fatal(err)
	}
	term.waitFor("has become shorter", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("status %d", status)
	}
}
