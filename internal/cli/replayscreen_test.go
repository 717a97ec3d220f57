package cli

import (
	"os"
	"path/filepath"
	"testing"

	"asldb.dev/asldb/recorder"
)

// What is stepped on the screen is in the trace, a restart is a branch, and the trace opens on the screen again.
func TestRecordAndReplayOnTheScreen(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "demo.trace")
	term := start(t, "demo", "--trace", trace, "--start-time", "2026-01-01T09:00:00Z")
	term.waitFor("ValidateOrder", firstFrame)
	term.press("sss")
	term.waitFor("ChargeCard", patience)
	term.press("r")
	term.waitFor("tarted again", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != StatusOK {
		t.Fatal(status)
	}
	opened, err := recorder.Open(trace, formats())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if branches := opened.Branches(); len(branches) != 2 || branches[1].After != 0 || opened.Last().Len() != 100 {
		t.Errorf("%+v", branches)
	}

	term = start(t, "replay", trace, "--break", "PackLines")
	term.waitFor("demo.trace", firstFrame)
	term.press("c")
	term.waitFor("PackLines", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != StatusOK {
		t.Fatal(status)
	}
}

// A recording that cannot go on is told of on the screen, and the run goes on.
func TestFullDiskOnTheScreen(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	term := start(t, "demo", "--trace", "/dev/full")
	term.waitFor("cannot go on recording", firstFrame)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != StatusOK {
		t.Fatal(status)
	}
}
