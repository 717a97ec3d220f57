//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asldb/internal/cli/command"
	"asldb/internal/testkit"
)

const unmended = `{
  "StartAt": "Quote",
  "States": {
    "Quote": {"Type": "Task", "Resource": "arn:aws:lambda:eu-central-1:123456789012:function:quote", "Next": "Bill"},
    "Bill": {"Type": "Pass", "Parameters": {"amount.$": "$.totl"}, "End": true}
  }
}
`

// A definition that another program mends is told in the top line, and r runs it with the answer that was typed; the
// editor's end does so by itself. A broken file is told with its place.
func TestAMendedDefinitionOnATerminal(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testkit.New(t, map[string]string{"quote.asl.json": unmended}), "quote.asl.json")
	write := func(text string) {
		t.Helper()
		later := time.Now().Add(2 * time.Second)
		if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file+".new", later, later); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	term := start(t, "debug", file, "--no-state", "--no-fixtures")
	term.waitFor("Quote", firstFrame)
	term.press("c")
	term.waitFor("WAITING", patience)
	term.press(`{"total": 4242}`)
	term.press("\r")
	term.waitFor("$.totl", patience)
	write(strings.Replace(unmended, "$.totl", "$.total", 1))
	term.waitFor("changed on disk: r", patience)
	term.press("r")
	term.waitFor("The first difference: Bill, Parameters", patience)
	term.press("\x1b")
	term.waitUntilGone("The first difference")
	term.waitFor("SUCCEEDED", patience)
	write(unmended[:120])
	term.waitFor("changed on disk: r", patience)
	term.press("r")
	term.waitFor("The run before is kept", patience)
	term.press("\x1b")
	term.waitUntilGone("The run before is kept")
	term.waitFor("SUCCEEDED", patience)
	term.press("\x03")
	term.waitFor("1 answer that you gave", patience) // it is in no fixtures file
	if status := term.quit(); status != command.StatusOK {
		t.Error(status)
	}
}
