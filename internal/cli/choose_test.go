//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"asldb/internal/cli/command"
)

// shop writes a folder with three machines in two files.
func shop(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"one.asl.json": `{"StartAt": "One", "States": {"One": {"Type": "Succeed"}}}`,
		"template.yaml": `Resources:
  Two: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: Two, States: {Two: {Type: Pass, Result: 2, End: true}}}}}
  Three: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: Three, States: {Three: {Type: Pass, Result: 3, End: true}}}}}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Where a folder or a template has several machines, the user chooses one on the terminal.
func TestChoiceOnTheScreen(t *testing.T) {
	t.Parallel()
	folder := shop(t)
	term := start(t, "debug", folder, "--no-state")
	term.waitFor("has 3 definitions: choose one", firstFrame)
	term.press("three")
	term.waitFor("1 of 1 with: three", patience)
	term.press("\r")
	term.waitFor("READY", firstFrame)
	term.waitFor("template.yaml", patience)
	term.press("c")
	term.waitFor("SUCCEEDED", patience)
	if status := term.quit(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}

	term = start(t, "run", filepath.Join(folder, "template.yaml"))
	term.waitFor("▸ Two", firstFrame)
	term.press("\x1b[B\r")
	if status := term.wait(); status != command.StatusOK {
		t.Errorf("exit status %d", status)
	}
	term.waitFor("3", patience)

	term = start(t, "graph", folder)
	term.waitFor("choose one", firstFrame)
	term.press("\x1b")
	if status := term.wait(); status != command.StatusUsage {
		t.Errorf("exit status %d after Escape", status)
	}
	term.waitFor("nothing was chosen", patience)
}
