//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"asldb/internal/cli/command"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/recorder"
)

// What is stepped on the screen is in the trace, a restart is a fork, and the trace opens on the screen again.
func TestRecordAndReplayOnTheScreen(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "demo.trace")
	term := start(t, "demo", "--from-start", "--trace", trace, "--start-time", "2026-01-01T09:00:00Z")
	term.waitFor("ValidateOrder", firstFrame)
	term.press("sss")
	term.waitFor("ChargeCard", patience)
	term.press("r")
	term.waitFor("estarted with the same input", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
	opened, err := recorder.Open(trace, launch.Formats())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if forks := opened.Forks(); len(forks) != 2 || forks[1].After != 0 || opened.Last().Len() != 100 {
		t.Errorf("%+v", forks)
	}

	term = start(t, "replay", trace, "--break", "PackLines")
	term.waitFor("demo.trace", firstFrame)
	term.press("c")
	term.waitFor("BREAKPOINT 1 PackLines", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
}

// A recorded run opens with a changed definition where the two part, side by side.
func TestChangedDefinitionOnTheScreen(t *testing.T) {
	dir := t.TempDir()
	trace, changed := filepath.Join(dir, "demo.trace"), filepath.Join(dir, "changed.asl.json")
	term := start(t, "demo", "--from-start", "--trace", trace, "--start-time", "2026-01-01T09:00:00Z")
	term.waitFor("ValidateOrder", firstFrame)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
	text := strings.Replace(string(definitions.DemoDefinition), `"$.Payload.status"`, `"$.StatusCode"`, 1)
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	term = start(t, "replay", trace, "--definition", changed)
	term.waitFor("[Compare]", firstFrame)
	term.waitFor("ResultSelector: after", patience)
	term.press("\x1b")
	term.waitUntilGone("[Compare]")
	term.waitFor("shows both runs side by side again", patience)
	term.press("D")
	term.waitFor("[Compare]", patience)
	term.press("\x1b")
	term.waitUntilGone("[Compare]")
	term.waitFor("shows both runs side by side again", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
}

// A history opens with a changed definition beside how the run comes out with it.
func TestChangedHistoryOnTheScreen(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/script/recorded.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range archive.Files {
		if err := os.WriteFile(filepath.Join(dir, file.Name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	history := filepath.Join(dir, "order.history.json")
	term := start(t, "debug", filepath.Join(dir, "changed.asl.json"), "--history", history)
	term.waitFor("recorded beside this run", firstFrame)
	term.waitFor("ErrorCaught", patience) // this run; the recorded one failed
	term.waitFor("ExecutionFailed", patience)
	term.press("\r")
	term.waitFor("the last event before it that is also in this run", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
	term = start(t, "debug", filepath.Join(dir, "order.asl.json"), "--history", history)
	term.waitFor("× FAILED in Charge: Card.Declined", firstFrame) // all agrees: it opens at the failure
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
}

// A recording that cannot continue is told of on the screen, and the run continues.
func TestFullDiskOnTheScreen(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	term := start(t, "demo", "--from-start", "--trace", "/dev/full")
	term.waitFor("cannot continue recording", firstFrame)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Fatal(status)
	}
}
